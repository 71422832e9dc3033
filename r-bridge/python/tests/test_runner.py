"""python -m bbc_r: scripts run as under Rscript."""

import subprocess
import sys

import pytest
from conftest import environment
from in_turn import in_turn

RUNNER = "python -m bbc_r"
HOSTS = (RUNNER, "Rscript")

PLAIN = """
x <- 1:3
x
commandArgs(TRUE)
interactive()
"gr\u00fc\u00dfe \u20ac"
message("to stderr")
careful <- function(v) { warning("careful ", v); v }
careful(2)
invisible(7)
tryCatch(stop("caught"), error = function(e) cat("handled\\n"))
is.function(bbc_tune)
plot(1)
file.exists("Rplots.pdf")
quit(status = 7)
"""


def test_scripts_behave_as_under_rscript_even_in_a_c_locale(run_r):
    ours = run_r(RUNNER, PLAIN, "a", "b c", LC_ALL="C")
    theirs = run_r("Rscript", "library(bbcr)\n" + PLAIN, "a", "b c", LC_ALL="C.UTF-8")
    assert (ours.returncode, ours.stdout) == (7, theirs.stdout)
    assert ours.stderr == theirs.stderr
    assert "gr\u00fc\u00dfe \u20ac" in ours.stdout


@pytest.mark.parametrize(
    ("code", "message"),
    in_turn(
        [
            (
                "f <- function(n) {\n  stop('boom ', n)\n}\nx <- 1\nf(3)\n",
                "analysis.R:5:\nError in f(3)",
            ),
            ("x <- 1\ny <- (2 +\n", "Error: analysis.R:4:0: unexpected end of input"),
            ("options(expressions = 500)\nf <- function(n) f(n + 1)\nf(1)\n", "infinite recursion"),
            ("f <- function(n) f(n + 1)\noptions(expressions = 5e5)\nf(1)\n", "stack"),
        ]
    ),
)
def test_errors_end_the_script_with_their_place(run_r, code, message):
    done = run_r(RUNNER, code + "cat('not reached')\n")
    assert done.returncode == 1
    assert message in done.stderr
    assert not done.stdout


def test_scripts_written_on_windows_run(run_r):
    done = run_r(RUNNER, 'x <- 1\r\nf <- function(a) {\r\n  a + x\r\n}\r\nf(2)\r\n"a\r\nb"\r\n')
    assert (done.returncode, done.stdout, done.stderr) == (0, '[1] 3\n[1] "a\\nb"\n', "")


def test_a_missing_script_is_named():
    command = [sys.executable, "-m", "bbc_r", "gone.R"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "there is no file gone.R" in done.stderr


BUSY = """
library(bbcr)
n_fits <- 0
endless <- function(x, y) {
  n_fits <<- n_fits + 1
  if (n_fits == 3) cat("now\\n")
  if (what == "r" && n_fits == 3) repeat {}
  1
}
tune <- function(...) bbc_tune(..., protocol = "CVT", engine = "python")
learner <- bbc_learner(endless, predict = function(model, newx) rep(1, nrow(newx)))
fit <- function() {
  tune(dist ~ speed, cars, learner, "mean_squared_error", cv = 25, n_repeats = 200, seed = 1)
}
what <- "r"
"""


@pytest.mark.parametrize(("host", "status"), [(RUNNER, 130), ("Rscript", 1)])
def test_ctrl_c_ends_a_learner_in_r(interrupt_r, host, status):
    code, out, err = interrupt_r(host, BUSY + "fit()\ncat('not reached')\n")
    assert (code, out) == (status, "")
    assert "Traceback" not in err


@pytest.mark.parametrize(("what", "host"), in_turn(["r", "python"], HOSTS))
def test_ctrl_c_ends_a_protocol_and_r_may_catch_it(interrupt_r, host, what):
    code = f"""
what <- "{what}"
invisible(tune(dist ~ speed, cars, bbc_learner("glm"), "mean_squared_error", cv = 5, seed = 1))
caught <- tryCatch(fit(), interrupt = function(i) "caught")
cat(caught, "\\n")
again <- tune(dist ~ speed, cars, bbc_learner("glm"), "mean_squared_error", cv = 5, seed = 1)
cat(again$n_models_trained, "\\n")
quit(status = 3)
"""
    assert interrupt_r(host, BUSY + code)[:2] == (3, "caught \n6 \n")


@pytest.mark.parametrize("host", in_turn(HOSTS))
def test_every_ctrl_c_is_one_interrupt_wherever_it_is_met(interrupt_r, host):
    rounds = 10
    code = f"""
what <- "python"
for (i in 1:{rounds}) {{
  n_fits <- 0
  cat(tryCatch(fit(), interrupt = function(i) "caught"), "\\n")
}}
quit(status = 3)
"""
    code, out, err = interrupt_r(host, BUSY + code, rounds)
    assert (code, out) == (3, "caught \n"), err


JUMPS = """
from bbc_r import _interrupts, _session
from rpy2.rinterface_lib import _rinterface_capi

_session.start()
raised = 0
for _ in range(3000):  # R looks for interrupts once in a thousand evaluations
    try:
        with _interrupts.r_at_work():
            _interrupts._tell_r(1)
            _rinterface_capi._geterrmessage()
    except KeyboardInterrupt:
        raised += 1
print(raised)
"""


def test_r_does_not_jump_over_the_frames_of_python():
    command = [sys.executable, "-c", JUMPS]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout) == (0, "3000\n"), done.stderr
