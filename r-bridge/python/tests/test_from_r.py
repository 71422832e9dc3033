"""Protocols called from R, in both kinds of process."""

import os
import sys

import pytest
from in_turn import in_turn

HOSTS = ("python -m bbc_r", "Rscript")
SCRIPTS = (
    ("protocols.R", "C.UTF-8"),
    ("survival.R", "C.UTF-8"),
    ("engines.R", "C.UTF-8"),
    ("c_locale.R", "C"),
)


@pytest.mark.parametrize(("script", "host"), in_turn(SCRIPTS, HOSTS))
def test_protocols_from_r(run_r, host, script):
    name, locale = script
    done = run_r(host, name, LC_ALL=locale)
    assert (done.returncode, done.stdout, done.stderr) == (0, "all passed\n", "")


def test_how_the_locale_sorts_texts_changes_no_bit(run_r):
    code = """
        library(bbcr)
        set.seed(1)
        x <- data.frame(group = sample(c("a", "B", "c", "D"), 60, TRUE), number = rnorm(60))
        y <- ifelse(x$number + (x$group == "B") + rnorm(60) > 0, "a", "B")
        forest <- bbc_learner("ranger", num.trees = 10)
        fit <- bbc_tune(x, y, forest, "roc_auc", event_level = "first", cv = 3, seed = 1,
                        protocol = "CVT", engine = "python")
        cat(fit$performance$event, format(fit$predictions, digits = 17))
    """
    ascii_first, dictionary = (run_r("Rscript", code, LC_ALL=name) for name in ("C", "C.UTF-8"))
    assert ascii_first.stdout == dictionary.stdout != ""


def test_protocols_refuse_wrong_arguments_before_any_fit(run_r):
    done = run_r("Rscript", "refusals.R")
    assert (done.stdout, done.stderr) == ("1377 refusals\n", "")


def test_a_missing_python_or_package_is_named_with_its_remedy(run_r, tmp_path):
    code = """
        library(bbcr)
        bbc_python()
        bbc_tune(dist ~ speed, cars, bbc_learner("glm"), "r2", engine = "python")
    """
    gone = run_r("Rscript", code, BBC_PYTHON="/gone/python")
    assert gone.returncode == 1
    assert 'no Python at "/gone/python"' in gone.stdout
    assert "RPY2_CFFI_MODE=ABI" in gone.stderr
    bare = tmp_path / "bare"
    os.system(f"{sys.executable} -m venv --without-pip {bare}")
    lacks = run_r("Rscript", code, BBC_PYTHON=f"{bare}/bin/python")
    assert "bbc missing, bbc_r missing, rpy2 missing" in lacks.stdout
    remedy = f"RPY2_CFFI_MODE=ABI {bare}/bin/python -m pip install . ./r-bridge/python"
    assert remedy in " ".join(lacks.stderr.split())
