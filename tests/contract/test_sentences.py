"""Findings and sentences have one source, which Python, R and the browser page read alike."""

import re
from pathlib import Path

import pytest

from bbc import _sentences
from bbc._sentences import FILE, cases, needs, parsed, say
from bbc.findings import FINDINGS, found

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = FILE["sentences"]


def names_of(text):
    texts = text if isinstance(text, list) else [text]
    found = [pair for each in texts for pair in re.findall(r"\{(\w+)(?::([^}]*))?\}", each)]
    forms = {form for _, form in found if form and form.endswith("decimals")}
    return forms | {name for name, _ in found}


def pairs():
    """All conditions with their texts."""
    yield from (pair for kind in FILE["findings"].values() for pair in cases(kind["cases"]))
    yield from (pair for given in SENTENCES.values() for pair in cases(given))
    yield from (("", text) for table in FILE["tables"].values() for _, text in table)


def test_conditions_and_texts_name_facts_and_sentences_that_there_are():
    named = set().union(*(needs(when) | names_of(text) for when, text in pairs()))
    facts = set(FILE["facts"])
    assert named <= facts | set(SENTENCES)
    assert facts <= named  # none is listed in vain
    assert not facts & set(SENTENCES)


def test_r_reads_the_same_file():
    ours = ROOT / "python" / "bbc" / "_sentences" / "sentences.toml"
    theirs = ROOT / "r-bridge" / "bbcr" / "inst" / "sentences.toml"
    assert theirs.read_bytes() == ours.read_bytes()


def test_facts_are_given_in_lists_which_show_every_finding():
    given = [set(names) for names in FILE["given"].values()]
    assert set().union(*given) <= set(FILE["facts"])
    for code, kind in FILE["findings"].items():
        for when, _ in cases(kind["cases"]):
            assert any(needs(when) <= names for names in given), (code, when)


@pytest.mark.parametrize("facts", [{"luck_matters": True}, {"luck": 1}])
def test_a_list_of_facts_is_given_whole(facts):
    """R once left out whether folds are in order of time, and took blocks for split groups."""
    with pytest.raises(TypeError, match=r"facts of luck: .*luck_p.* are lacking or too many"):
        found("luck", facts)


def test_each_language_gives_each_list():
    """R refuses at run time, as Python does, a list that is not whole."""
    giving = {
        "python": (ROOT / "python" / "bbc", r"(?:shown_by|found)\(\s*\"(\w+)\""),
        "R": (ROOT / "r-bridge" / "bbcr" / "R", r"found_by\(\"(\w+)\""),
        "page": (ROOT / "docs" / "try", r"foundBy\(\"(\w+)\""),
    }
    named = {
        language: {
            of
            for path in folder.rglob("*.*")
            if path.suffix in (".py", ".R", ".js")
            for of in re.findall(call, path.read_text(encoding="utf-8"))
        }
        for language, (folder, call) in giving.items()
    }
    assert named["python"] == set(FILE["given"])
    # R's rows have no index of times; whether rows occur again is tested in Python.
    assert named["R"] == set(FILE["given"]) - {"index", "copies"}
    assert named["page"] == {"data", "draws", "limits", "luck", "winner", "result"}


def test_codes_stand_in_the_file_alone():
    """Code gives facts; which finding they show is decided in one place."""
    sources = [
        *(ROOT / "python").rglob("*.py"),
        *(ROOT / "r-bridge" / "bbcr" / "R").glob("*.R"),
        *(ROOT / "docs" / "try").glob("*.js"),
    ]
    decided = re.compile(r"""finding\(["']BBC0|["']BBC0\d\d["'] (in|not in|%in%)|push\(\["BBC""")
    for path in sources:
        code = re.sub(r">>> .*", "", path.read_text(encoding="utf-8"))
        assert not decided.search(code), path


def test_every_kind_has_what_its_readers_need():
    for code, kind in FINDINGS.items():
        assert re.fullmatch(r"BBC0\d\d", code)
        assert kind.level in ("note", "warning", "record")
        assert kind.advice[-1] != "."
        assert FILE["findings"][code]["cases"]
    assert len(FINDINGS) == 36


@pytest.mark.parametrize(
    ("condition", "facts", "holds"),
    [
        ("n < 3", {"n": 2}, True),
        ("n < 3", {"n": None}, False),
        ("n < m", {"n": 2, "m": 1.5}, False),
        ("n == 2 and not m", {"n": 2, "m": False}, True),
        ("known n", {"n": 0}, True),
        ("unknown n", {}, True),
        ("word in 'a b'", {"word": "b"}, True),
        ("word == 'a b'", {"word": "a b"}, True),
        ("n", {"n": 0}, False),
        ("n", {"n": None}, False),
        ("not n", {"n": None}, True),
        ("not n", {"n": 1}, False),
        ("known n", {"n": None}, False),
        ("unknown n", {"n": 0}, False),
        ("n <= m", {"n": 2, "m": 2}, True),
        ("n <= m", {"n": 2, "m": None}, False),
        ("word in 'a b'", {"word": None}, False),
    ],
)
def test_conditions(condition, facts, holds):
    shown = _sentences.holding([("of", _sentences._compiled([[condition, "rows"]]))], facts)
    assert shown == ([("of", "rows")] if holds else [])
    assert len(parsed(condition)) == condition.count(" and ") + 1


def test_texts_join_what_is_not_empty_and_shape_numbers():
    said = _sentences._text([", ", "{n:count row}", "{text}", "{share:percent}", "{x:decimals}"])
    facts = {"n": 1, "text": "", "share": 0.1234, "x": 0.5, "decimals": 2}
    assert said(facts) == "1 row, 12.3 %, 0.50"
    assert said(facts | {"decimals": None}) == "1 row, 12.3 %, 0.5"
    assert _sentences._text("{name:capital} {x:.2g} {other:g}")({"name": "auc", "x": 1.25}) == (
        "Auc 1.2 unknown"
    )


def test_findings_are_shown_by_facts():
    unknown = {of: dict.fromkeys(names) for of, names in FILE["given"].items()}
    assert all(found(of, facts) == () for of, facts in unknown.items())
    few = unknown["data"] | {"n_units": 19, "units": "rows"}
    assert [(one.code, one.detail) for one in found("data", few)] == [("BBC002", "19 rows")]
    (one,) = found("result", unknown["result"] | {"width": 0.0, "at_best": False})
    assert (one.code, one.detail) == ("BBC008", "it has no width")
    assert say("folds", {"n_folds": 5, "n_repeats": 2, "stratified": True}) == (
        "stratified 5-fold cross-validation with 2 repeats"
    )


def test_advice_names_arguments_with_a_function_that_takes_them():
    """Whichever function shows a finding: `test_advice.py` does what is advised there."""
    for kind in FINDINGS.values():
        named = re.sub(r"bbc\.[\w.]+\(\.\.\., [^)]*\)", "", kind.advice)
        assert not re.search(r"\w=|--", named), kind.advice
        in_r = FILE["findings"][kind.code].get("advice_r", "")
        assert " = " not in re.sub(r"bbc_\w+\([^)]*\)", "", in_r)
        command = FILE["findings"][kind.code].get("advice_command", "")
        assert "--" not in re.sub(r"`(?:bbc correct(?:-search)? )?--[^`]*`", "", command)
