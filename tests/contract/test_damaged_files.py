"""Files that somebody damaged are refused or read as they are; another way to write is no damage.

The long run is `make fuzz-readers`; here are its first cases.
"""

import io
from itertools import islice

import pandas as pd
import pytest

from fuzz.readers import Readers, damages
from nightly import nightly

N_DAMAGES = 60


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    return Readers(tmp_path_factory.mktemp("damaged"))


@pytest.mark.parametrize("kind", ["wide", "parquet", "result", "store"])
def test_damaged_files_give_no_other_number(kind, readers):
    good, read = readers.targets[kind]
    assert read(good)
    assert [read(data) for data in islice(damages(good, 7), N_DAMAGES)].count(False) > 0


@pytest.mark.parametrize("bit", [4, *nightly(0, 7)])
def test_a_flipped_bit_anywhere_in_a_store_is_noticed(bit, readers):
    """Seen to fail where names of facts and digests of parts had no check sum."""
    good, read = readers.targets["store"]
    places = range(bit, len(good), 31)
    refused = 0
    for place in places:
        flipped = bytes([good[place] ^ 1 << bit])
        refused += not read(good[:place] + flipped + good[place + 1 :])
    assert refused == len(places)


def _lines(change):
    def whole(data):
        return b"".join(change(line) + b"\n" for line in data.splitlines())

    return whole


def _frame(data):
    return pd.read_csv(io.BytesIO(data))


def _columns_turned(data):
    return _frame(data)[["c0", "c1", "y", "c2"]].to_csv(index=False).encode()


REWRITTEN = {
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "lines of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "lines of old Macs": lambda data: data.replace(b"\n", b"\r"),
    "no last end of line": lambda data: data[:-1],
    "empty lines at the end": lambda data: data + b"\n\n",
    "quotes": _lines(lambda line: b",".join(b'"' + cell + b'"' for cell in line.split(b","))),
    "more digits": lambda data: data.replace(b",0.", b",000.").replace(b"\n1,", b"\n01,"),
    "signs": lambda data: data.replace(b",0.", b",+0."),
    "no leading zero": lambda data: data.replace(b",0.", b",."),
    "row names of R": lambda data: b"".join(
        (b'"",' if number == 0 else b'"%d",' % number) + line + b"\n"
        for number, line in enumerate(data.splitlines())
    ),
    "columns turned": _columns_turned,
}


@pytest.mark.parametrize("way", REWRITTEN)
def test_another_way_to_write_gives_the_same_number(way, readers):
    said = readers.said_of(REWRITTEN[way](readers.wide))
    assert said["estimate"] == readers.estimate


def test_tabs_and_parquet_give_the_same_number(readers):
    assert (
        readers.said_of(readers.wide.replace(b",", b"\t"), ".tsv")["estimate"] == readers.estimate
    )
    assert readers.said_of(readers.parquet, ".parquet")["estimate"] == readers.estimate
