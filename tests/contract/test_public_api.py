"""The public names, arguments and defaults are those on record: a change of one is seen."""

from difflib import unified_diff

from signatures import RECORD, lines


def test_the_public_interface_is_as_recorded():
    recorded = RECORD.read_text(encoding="utf-8").splitlines()
    change = list(unified_diff(recorded, lines(), "recorded", "now", n=0, lineterm=""))
    assert not change, "\n".join(
        [*change, "intended? Say so in CHANGELOG.md, then PYTHONPATH=tests python -m signatures"]
    )
