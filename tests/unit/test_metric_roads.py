"""No metric is scored slowly unnoticed."""

import bbc
import roads


def test_every_metric_has_a_road_under_every_plan():
    table = roads.table()
    assert set(table) == set(bbc.metrics.names())
    words = {"look-up", "grid", "pairs", "filter"}
    assert {road for plans in table.values() for road in plans.values()} == words
    assert {frozenset(plans) for plans in table.values()} == {
        frozenset(("pooled", "fold", "weights", "few weights", "repeats"))
    }


def test_common_metrics_take_the_roads_made_for_them():
    table = roads.table()
    assert table["accuracy"]["pooled"] == table["f1"]["pooled"] == "look-up"
    assert table["accuracy"]["fold"] == table["f1"]["fold"] == table["f1"]["repeats"] == "look-up"
    assert table["accuracy"]["few weights"] == table["zero_one_loss"]["few weights"] == "look-up"
    assert table["accuracy"]["weights"] == table["f1"]["few weights"] == "filter"
    assert table["balanced_accuracy"]["pooled"] == table["recall_macro"]["fold"] == "look-up"
    assert table["mean_squared_error"]["pooled"] == table["r2"]["pooled"] == "grid"
    assert table["roc_auc"]["fold"] == table["roc_auc_ovr"]["pooled"] == "pairs"
    assert table["uno_concordance"]["fold"] == table["concordance_index"]["weights"] == "filter"
