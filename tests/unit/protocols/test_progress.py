"""What a run tells of itself: lines, and the contexts of scikit-learn's callbacks."""

import re

import pytest

import bbc
from bbc._store import FitKey
from bbc._training._fit import Progress
from instrumented import Witness, numbered_data
from kinds import of_folds

X, Y = numbered_data(160)
SHIFTS = {"shift": [0.0, 0.2, 4.0, 6.0]}
K, C = 4, 4
# Parts with their folds, and models of each fold.
PARTS = {
    (bbc.BBC, ()): [("", K, C)],
    (of_folds, ()): [("", K, C)],
    (bbc.TT, ()): [("", K, C)],
    (bbc.CVT, ()): [("", K, C)],
    (bbc.baselines.CVMCV, ()): [("", K, C), ("new cv ", K, 1)],
    (bbc.NCV, ()): [("inner ", K * (K - 1) // 2, C), ("", K, C)],
    (bbc.NCV, (("share_fits", False),)): [("inner ", K * (K - 1), C), ("", K, C), ("outer ", K, 1)],
}


class Context:
    """Records a tree of tasks as scikit-learn's contexts are told of it."""

    def __init__(self, task_name="", max_subtasks=0):
        self.task_name, self.max_subtasks = task_name, max_subtasks
        self.children, self.state = [], "new"

    def subcontext(self, task_name, max_subtasks=0):
        self.children.append(Context(task_name, max_subtasks))
        return self.children[-1]

    def call_on_fit_task_begin(self, *, estimator):
        self.state = "begun"
        return self

    def call_on_fit_task_end(self, *, estimator):
        assert self.state == "begun"
        self.state = "ended"


def lines(capsys):
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("case", "parts"), PARTS.items())
@pytest.mark.parametrize("refit", [True, False])
def test_a_line_per_fold_counts_all_models(case, parts, refit, capsys):
    kind, options = case
    search = kind(Witness(), SHIFTS, cv=K, verbose=1, refit=refit, random_state=0, **dict(options))
    search.fit(X, Y)
    shown = lines(capsys)
    total = sum(n_folds * n_models for _, n_folds, n_models in parts) + refit
    assert total == search.n_models_trained_
    done, expected = 0, []
    for part, n_folds, n_models in parts:
        for fold in range(n_folds):
            done += n_models
            text = f"{part}fold {fold + 1} of {n_folds}: {done} of {total} models trained"
            expected.append(f"[{kind.__name__}] {text}")
    for line, start in zip(shown, expected, strict=False):
        assert re.fullmatch(re.escape(start) + r"(, about \d+ s left)?", line)
    winner = rf"\[{kind.__name__}\] winner shift=\S+ on all rows"
    last = rf"{winner}: {total} of {total} models trained in .*"
    assert len(shown) == len(expected) + refit
    assert not refit or re.fullmatch(last, shown[-1])


def test_bbcd_tells_who_survives(capsys):
    search = bbc.BBCD(Witness(), SHIFTS, cv=K, n_repeats=2, verbose=1, random_state=0).fit(X, Y)
    shown = lines(capsys)
    assert shown[0].startswith("[BBCD] repeat 1 of 2, fold 1 of 4: 4 of 33 models trained")
    told = [int(re.search(r"\] (\d) of 4 conf", line)[1]) for line in shown if "surviv" in line]
    alive = [int((search.dropped_ > fold).sum() + (search.dropped_ < 0).sum()) for fold in range(7)]
    assert told == alive
    n = search.n_models_trained_
    assert f"{n} of {n} models trained" in shown[-1]


def test_without_verbose_nothing_is_printed(capsys):
    bbc.BBCD(Witness(), SHIFTS, cv=K, random_state=0).fit(X, Y)
    assert lines(capsys) == []


def test_contexts_begin_and_end_as_the_work_does():
    roots = []

    def root(n_tasks):
        roots.append(Context("fit", n_tasks).call_on_fit_task_begin(estimator=None))
        return roots[-1]

    progress = Progress("BBC", root=root, refit=True)
    progress.plan("cv", [0, 0, 1, 1], 1)
    progress.plan("cv", [0, 0, 1, 1], 1)  # a part is planned once
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    progress.expect({("cv", repeat, fold): 1 for repeat, fold in cells})
    for repeat, fold in cells:
        progress.finished(FitKey("cv", repeat, fold, 0), was_stored=fold == 0)
    with progress.final_fit("best"):
        pass
    progress.end()
    (tree,) = roots
    assert (tree.max_subtasks, tree.state) == (5, "ended")
    names = [child.task_name for child in tree.children]
    assert names[2] == "repeat 2 of 2, fold 1 of 2, 1 models"
    assert names[4] == "winner on all rows"
    assert {child.state for child in tree.children} == {"ended"}
