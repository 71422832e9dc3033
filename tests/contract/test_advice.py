"""Every piece of advice is taken, from where the function that printed it leaves the reader.

What a finding advises to call is parsed from its text, and called on what the reader has; what it
advises to do about data or models is done. Neither may be refused, and the finding must be gone.
"""

import ast
import re
from operator import attrgetter

import pytest

import bbc
import signatures
from bbc._sentences import FILE
from bbc.findings import FINDINGS
from situations import DOORS, MENDED, SHOWN_BY, codes, situations

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")

SITUATIONS = situations()
SHOWN = [(name, door) for name, doors in SHOWN_BY.items() for door in doors.split(", ")]
#: Advice that needs what scores of folds alone do not have.
NEEDS_PREDICTIONS = "of which the predictions are needed"


def advised_calls(text):
    """Calls that a text advises: the functions that take these arguments, and the arguments."""
    found = re.findall(r"((?:bbc\.[\w.]+(?: or )?)+)\(\.\.\., ([^)]*)\)", text)
    return [(functions.split(" or "), _keywords(f"f({said})")) for functions, said in found]


def _keywords(call):
    given = ast.parse(call, mode="eval").body.keywords
    return {each.arg: ast.literal_eval(each.value) for each in given}


def mended(name):
    """What is advised about the data of a situation."""
    return MENDED[name] if name in MENDED else MENDED[name.split()[0]]


@pytest.mark.parametrize(("name", "door"), SHOWN)
def test_what_is_advised_works_where_it_is_read(name, door):
    situation, door, code = SITUATIONS[name], DOORS[door], name.split()[0]
    given = door.made(situation)
    assert code in codes(door.ask(given, situation)), "not shown"
    advice = FINDINGS[code].advice
    for functions, arguments in advised_calls(advice):
        assert door.function in (*functions, "fit")
        if door.source == "scores":
            assert NEEDS_PREDICTIONS in advice
            given = DOORS[f"{door.function} kept"].made(situation)
        assert code not in codes(door.ask(given, situation, **arguments)), arguments
    for phrase, mend in mended(name).items():
        assert phrase in advice
        assert code not in door.codes(mend(situation)), phrase


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", SITUATIONS)
@pytest.mark.nightly
def test_no_other_door_shows_it(name, door):
    """What is not in the table is not shown, or the door refuses such data."""
    if door in SHOWN_BY[name].split(", "):
        return
    try:
        found = DOORS[door].codes(SITUATIONS[name])
    except (ValueError, TypeError):
        return
    assert name.split()[0] not in found


def test_every_function_that_is_advised_takes_the_arguments():
    for kind in FINDINGS.values():
        for functions, arguments in advised_calls(kind.advice):
            for function in functions:
                own = attrgetter(function.removeprefix("bbc."))(bbc)
                assert arguments.keys() <= signatures.parameters(own).keys()


def test_r_advises_the_same_calls():
    for kind in FILE["findings"].values():
        for functions, arguments in advised_calls(kind["advice"]):
            named = [re.sub(r"bbc\.(baselines\.)?", "bbc_", function) for function in functions]
            said = [f"{name} = {_in_r(value)}" for name, value in arguments.items()]
            assert f"{' or '.join(named)}(..., {', '.join(said)})" in kind["advice_r"]


def _in_r(value):
    return f'"{value}"' if isinstance(value, str) else str(value).upper()
