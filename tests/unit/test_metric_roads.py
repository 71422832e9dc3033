"""No metric is scored slowly unnoticed: those that are stand in a list."""

import bbc

# Concordance of weighted rows, or fold by fold: trees of exact weights for all configurations.
GENERAL = {
    (name, plan)
    for name in ("concordance_index", "uno_concordance")
    for plan in ("fold", "weights")
}


def test_only_known_metrics_are_scored_exactly_for_all_configurations():
    general = {
        (name, plan)
        for name, roads in bbc.metrics.table().items()
        for plan, road in roads.items()
        if road == "general"
    }
    assert general == GENERAL


def test_every_metric_has_a_road_under_every_plan():
    table = bbc.metrics.table()
    assert set(table) == set(bbc.metrics.names())
    words = {"look-up", "grid", "pairs", "filter", "general"}
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
