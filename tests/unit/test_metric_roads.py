"""No metric is scored slowly unnoticed."""

import bbc


def test_no_metric_is_scored_exactly_for_all_configurations():
    general = {
        (name, plan)
        for name, roads in bbc.metrics.table().items()
        for plan, road in roads.items()
        if road == "general"
    }
    assert general == set()


def test_every_metric_has_a_road_under_every_plan():
    table = bbc.metrics.table()
    assert set(table) == set(bbc.metrics.names())
    words = {"look-up", "grid", "pairs", "filter"}
    assert {road for roads in table.values() for road in roads.values()} == words
    assert {frozenset(roads) for roads in table.values()} == {
        frozenset(("pooled", "fold", "weights", "repeats"))
    }


def test_common_metrics_take_the_roads_made_for_them():
    table = bbc.metrics.table()
    assert table["accuracy"]["pooled"] == table["f1"]["pooled"] == "look-up"
    assert table["accuracy"]["fold"] == table["f1"]["fold"] == table["f1"]["repeats"] == "look-up"
    assert table["balanced_accuracy"]["pooled"] == table["recall_macro"]["fold"] == "look-up"
    assert table["mean_squared_error"]["pooled"] == table["r2"]["pooled"] == "grid"
    assert table["roc_auc"]["fold"] == table["roc_auc_ovr"]["pooled"] == "pairs"
    assert table["uno_concordance"]["fold"] == table["concordance_index"]["weights"] == "filter"
