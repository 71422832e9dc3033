"""Quick frozen dataclasses take and refuse what plain ones do."""

import dataclasses

import pytest

from bbc._frozen import frozen


class _Fields:
    first: int
    second: int = 2
    third: list[int] = dataclasses.field(default_factory=list)


def _made(decorate):
    body = {**vars(_Fields), "__annotations__": _Fields.__annotations__}
    body.pop("__dict__"), body.pop("__weakref__")
    return decorate(type("Made", (), body))


QUICK = _made(frozen())
PLAIN = _made(dataclasses.dataclass(frozen=True))

ARGUMENTS = [
    ((1,), {}),
    ((1, 3), {}),
    ((1, 3, [4]), {}),
    ((1,), {"third": [5]}),
    ((), {"second": 6, "first": 7}),
    ((), {}),
    ((1, 2, [3], 4), {}),
    ((1,), {"first": 2}),
    ((1,), {"fourth": 2}),
    ((), {"second": 2}),
    ((), {"second": 2, "fourth": 2}),
]


@pytest.mark.parametrize(("args", "given"), ARGUMENTS)
def test_takes_and_refuses_what_a_plain_one_does(args, given):
    def outcome(made):
        try:
            return repr(made(*args, **given))
        except TypeError as error:
            return f"refused: {error}"

    assert outcome(QUICK) == outcome(PLAIN)


def test_cannot_be_changed_and_shares_no_default():
    one, other = QUICK(1), QUICK(1)
    assert one == other
    assert one.third is not other.third
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.first = 3
    assert dataclasses.replace(one, second=9) == QUICK(1, 9)
