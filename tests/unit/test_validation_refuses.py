"""Bad input: one error, before any work, naming argument, problem and place."""

import re

import numpy as np
import pytest

from bbc import _validation as validation
from bbc.metrics import get
from defects import CASES


@pytest.mark.parametrize(("call", "error", "message"), CASES.values(), ids=CASES)
def test_problem_refuses(call, error, message):
    call = dict(call)
    y, predictions, metric = (call.pop(name) for name in ("y", "predictions", "metric"))
    asked = {name: call.pop(name) for name in validation.Needs._fields if name in call}
    data = validation.Data(y, predictions, **call)
    with pytest.raises(error, match=message):
        validation.problem(data, get(metric), validation.Needs(**asked))


@pytest.mark.parametrize(("n_classes", "shown"), [(10, "8, 9)"), (11, "8, 9, ...)")])
def test_ten_classes_are_shown(n_classes, shown):
    y = np.arange(44) % n_classes
    with pytest.raises(ValueError, match=re.escape(shown)):
        validation.problem(validation.Data(y, y[:, None], pos_label=77), get("f1_macro"))
