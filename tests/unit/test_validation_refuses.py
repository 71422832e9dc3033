"""Bad input: one error, before any work, naming argument, problem and place."""

import pytest

from bbc import _validation as validation
from bbc.metrics import get
from defects import CASES


@pytest.mark.parametrize(("call", "error", "message"), CASES.values(), ids=CASES)
def test_problem_refuses(call, error, message):
    call = dict(call)
    y, predictions, metric = (call.pop(name) for name in ("y", "predictions", "metric"))
    with pytest.raises(error, match=message):
        validation.problem(y, predictions, get(metric), **call)
