"""Writes the tables and cases.csv beside this file: `python tests/golden/tables/generate.py`.

Each line of cases.csv is a table, how it is read, and what becomes of it: the configurations that
are taken and the decimal mark, or words of the refusal. `text` is for readers of files (command
line and page), `frame` for data frames (Python and R) that a reader made of `separator` and `mark`.
`names` says that all columns are listed as configurations. A case with `row`, `configuration` and
`prediction` is read as a long table. What the page and R say otherwise stands in `page` and `r`;
"-" is a case that a reader cannot have, such as Parquet on the page.
"""

import csv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
N = 24
FIELDS = (
    *("case", "file", "separator", "mark", "truth", "folds", "metric", "pos_label", "names"),
    *("decimal", "header", "groups", "ignore", "row", "configuration", "prediction"),
    *("taken", "found", "positive", "text", "frame", "page", "r"),
)
BY_NAME = "seems to describe the rows (by its name)"
ORDERED = "it numbers them in order, from "
GAPLESS = "it numbers them without a gap, from "
NUMBERS = "numbers|of one type"  # what a frame has as text is no prediction
Columns = dict[str, list[Any]]


def y(n: int = N) -> list[int]:
    """A truth of two classes, sorted as tables often are."""
    return [1] * (n // 3) + [0] * (n - n // 3)


def scores(seed: int, n: int = N) -> list[float]:
    """Numbers with two decimals, the first of them below one."""
    return [round(0.05 + (seed * (row + 3) * 37 % 89) / 100, 2) for row in range(n)]


def shuffled(first: int, n: int = N) -> list[int]:
    """Whole numbers without a gap, in no order."""
    return [first + (row * 7 + 5) % n for row in range(n)]


def plain(n: int = N) -> Columns:
    """Truth, folds and two configurations."""
    folds = [row % 4 + 1 for row in range(n)]
    return {"y": y(n), "fold": folds, "a": scores(3, n), "b": scores(5, n)}


def comma(values: list[Any]) -> list[str]:
    """Numbers with a decimal comma."""
    return [str(value).replace(".", ",") for value in values]


def write(name: str, columns: Columns, separator: str = ",", header: bool = True) -> None:
    """One table."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        if header:
            writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


CASES: list[dict[str, str]] = []


def case(name: str, file: str, **fields: str) -> None:
    """One line of cases.csv; by default a and b are taken, with a decimal point."""
    defaults = {"separator": ",", "mark": ".", "truth": "y", "folds": "fold", "metric": "roc_auc"}
    expected = {"taken": "a|b", "found": ".", "positive": "1"}
    refused = {"text", "frame"} & set(fields)
    if "text" in fields:
        expected |= {"found": "", "positive": ""}
    if refused == {"text", "frame"}:
        expected["taken"] = ""
    CASES.append(defaults | expected | {"case": name, "file": file} | fields)


def table(name: str, columns: Columns, **fields: str) -> None:
    """A table with commas and its case."""
    file = f"{name.replace(' ', '-')}.csv"
    write(file, columns)
    case(name, file, **fields)


def marks() -> None:
    """Decimal marks and thousands separators."""
    base = plain()
    table("plain", base)
    labels = {"y": base["y"], "fold": base["fold"], "a": base["y"][::-1], "b": shuffled(0)}
    labels["b"] = [value % 2 for value in labels["b"]]
    table("labels", labels, metric="accuracy", found="", positive="")
    german = base | {name: comma(base[name]) for name in "ab"}
    write("german.csv", german, ";")
    case("german", "german.csv", separator=";", mark=",", found=",")
    case("german named", "german.csv", separator=";", mark=",", found=",", decimal=",")
    write("tabs.tsv", german, "\t")
    case("tabs", "tabs.tsv", separator="\t", mark=",", found=",")
    table("gaps", base | {"a": ["NA", *base["a"][1:]], "b": ["", *base["b"][1:]]})

    thousands = ["1,250", "950", "2,100"] * 8
    prices = {"y": thousands, "fold": base["fold"], "a": thousands[::-1], "b": ["1,000"] * N}
    write("thousands.csv", prices, ";")
    real = {"separator": ";", "metric": "r2", "positive": ""}
    either = "with a thousands separator or three decimals"
    case("thousands", "thousands.csv", text=either, frame=NUMBERS, **real)
    given = real | {"decimal": ",", "mark": ",", "found": ","}
    case("thousands as decimals", "thousands.csv", **given)
    other = real | {"decimal": "."}
    case("thousands named", "thousands.csv", text="where the decimal mark is '.'", **other)
    CASES[-1] |= {"frame": NUMBERS, "taken": ""}
    points = {name: [str(cell).replace(",", ".") for cell in prices[name]] for name in prices}
    write("points.csv", points, ";")
    case("points that may be thousands", "points.csv", text=either, **real)
    above = {name: [f"{1 + score:.3f}" for score in base[name]] for name in "ab"}
    table("three decimals", base | above)
    some = german | {"b": [f"{1 + score:.3f}".replace(".", ",") for score in base["b"]]}
    write("proven.csv", some, ";")
    case("proven elsewhere", "proven.csv", separator=";", mark=",", found=",")

    odd = {"separator": ";", "text": "thousands separators or mixed decimal marks"}
    for name, cell in {"groups": "1.234,5", "spaces": "1 250", "millions": "1,234,567"}.items():
        write(f"{name}.csv", base | {"a": [cell, *base["a"][1:]]}, ";")
        case(name, f"{name}.csv", frame=NUMBERS, **odd)
    write("mixed.csv", base | {"a": [*base["a"][1:], "0,5"]}, ";")
    case("mixed in a column", "mixed.csv", frame=NUMBERS, **odd)
    write("differ.csv", base | {"a": german["a"]}, ";")
    case("mixed between columns", "differ.csv", separator=";", frame="text with decimal commas")
    CASES[-1] |= {"text": "different decimal marks", "found": "", "positive": "", "taken": ""}


def headers() -> None:
    """First lines that are rows, and names that are numbers."""
    base = plain()
    write("no-header.csv", base, header=False)
    first = "first line has numbers"
    case("no header", "no-header.csv", text=first, frame="-")
    numbers = {"truth": "0", "folds": "1", "taken": "2|3"}
    case("no header said", "no-header.csv", header="no", frame="-", **numbers)
    counted = {"y": base["y"], "fold": base["fold"], "0": base["a"], "1": base["b"]}
    table("columns of pandas", counted, taken="0|1")
    named = {"y": base["y"], "fold": base["fold"], "0.1": base["a"], "10": base["b"]}
    table("numbers as names", named, text=first, taken="0.1|10")
    case("numbers as names said", "numbers-as-names.csv", header="yes", taken="0.1|10")
    with (HERE / "twice.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["y", "fold", "a", "a"])
        writer.writerows(zip(*base.values(), strict=True))
    case("a name twice", "twice.csv", text="two columns", frame="-")
    rows = {"": list(range(1, N + 1))} | base
    table("row names of R", rows, frame=f"{BY_NAME}|has no name")
    for name in ("level_0", "__index_level_0__", "Unnamed: 3"):
        table(
            f"an index {name}".replace(":", ""),
            base | {name: scores(7)},
            text=BY_NAME,
            frame=BY_NAME,
        )


def identifiers() -> None:
    """Columns that describe the rows."""
    base = plain()
    years = [2000 - row for row in range(N)]
    for name in ("patient_id", "PatientID", "case-nr", "subject.index", "Row ID", "ID", "patient"):
        table(f"named {name}", base | {name: scores(7)}, text=BY_NAME, frame=BY_NAME)
    table("an identifier", base | {"patient_id": years}, text=BY_NAME, frame=BY_NAME)
    case("listed", "an-identifier.csv", names="yes", taken="a|b|patient_id")
    same = {"y": base["y"], "fold": base["fold"], "a_id": base["a"], "b_id": base["b"]}
    table("all named alike", same, taken="a_id|b_id")
    falling = f"{ORDERED}2000 to 1977"
    table("falling", base | {"code": years}, text=falling, frame=falling)
    rising = [3 * row * row + 7 for row in range(N)]
    ordered = f"{ORDERED}7 to 1594"
    table("rising", base | {"code": rising}, text=ordered, frame=ordered)
    gapless = f"{GAPLESS}101 to 124"
    table("gapless", base | {"code": shuffled(101)}, text=gapless, frame=gapless)
    texts = [f"p{row:02d}" for row in range(1, N + 1)]
    table("text", base | {"code": texts}, text=f"{ORDERED}p01 to p24", frame=NUMBERS)
    from_zero = "it numbers them from 0 on"
    counted = base | {"code": list(range(N))}
    table("counted", counted, text=from_zero, frame=from_zero)

    taken = {"taken": "a|b|code"}
    table("ranks", base | {"code": shuffled(1)}, **taken)
    ranks = f"{GAPLESS}1 to 24"
    real = {"metric": "mean_squared_error", "positive": ""}
    case("ranks of no ranking", "ranks.csv", text=ranks, frame=ranks, **real)
    table("few rows", plain(19) | {"code": [2000 - row for row in range(19)]}, **taken)
    whole = {"y": base["y"], "fold": base["fold"], "a": shuffled(5), "code": years}
    table("whole scores", whole, found="", taken="a|code")
    table("distinct in no order", base | {"code": [value * 3 for value in shuffled(9)]}, **taken)


def classes() -> None:
    """Classes that are text."""
    base = plain()
    base["y"] = ["case" if label else "control" for label in base["y"]]
    unnamed = "the truth is text: its classes are case (8 rows) and control (16 rows)"
    table("text truth", base, text=unnamed, frame="-")
    case("text truth said", "text-truth.csv", pos_label="case", positive="case")
    case("other class", "text-truth.csv", pos_label="control", positive="control")
    who = ["anna", "otto"] * (N // 2)
    among = "is text and others are numbers"
    table("text among numbers", plain() | {"who": who}, text=among, frame=NUMBERS)


def crossed(row: str, configuration: str, names: list[Any], ids: list[Any]) -> Columns:
    """A long table: each configuration's line of each row."""
    p = [score for seed in (3, 5, 7)[: len(names)] for score in scores(seed)]
    return {
        configuration: [name for name in names for _ in ids],
        "fold": plain()["fold"] * len(names),
        row: ids * len(names),
        "y": y() * len(names),
        "probability": p,
    }


def long_tables() -> None:
    """A line per prediction, read as such and as a wide table; and rows of patients."""
    ids = [f"p{row:02d}" for row in range(N)]
    table = crossed("row_id", "trial", ["rf", "svm", "knn"], ids)
    write("long.csv", table)
    roles = {"row": "row_id", "configuration": "trial", "prediction": "probability"}
    case("long", "long.csv", taken="rf|svm|knn", page="-", **roles)
    crosses = "it has a line per prediction, of each"
    case("long as wide", "long.csv", text=crosses, frame=crosses)
    # What R and bbc.correct get of a frame has no column that is ignored.
    both = {"ignore": "row_id|trial", "r": "-"}
    case("long as wide, ignored", "long.csv", text=crosses, frame=crosses, **both)
    write("long-numbers.csv", crossed("case", "model", [0, 1, 2], list(range(N))))
    case("long as wide, of numbers", "long-numbers.csv", text=crosses, frame=crosses)
    without = {name: values for name, values in table.items() if name not in ("row_id", "fold")}
    write("long-without-rows.csv", without)
    unknown = "no column says of which row"
    case("long without rows", "long-without-rows.csv", folds="", text=unknown, frame=unknown)
    classes = {name: values for name, values in table.items() if name != "probability"}
    classes["p_1"] = table["probability"]
    classes["p_0"] = [round(1 - p, 2) for p in table["probability"]]
    write("long-classes.csv", classes)
    case("long as wide, of classes", "long-classes.csv", text=crosses, frame=crosses)

    base = plain()
    patients = {"patient": [row // 2 for row in range(N)]}
    visits = base | patients | {"visit": [row % 2 + 1 for row in range(N)]}
    write("visits.csv", visits)
    of = {"folds": "", "groups": "patient", "page": "-"}
    case("visits of patients", "visits.csv", ignore="visit|fold", **of)
    one = {"y": base["y"], "a": base["a"]} | patients
    write("patients.csv", one)
    case("patients of one model", "patients.csv", taken="a", **of)
    write("fold-and-id.csv", base | {"id": ids})
    case("fold and id", "fold-and-id.csv", ignore="id")


def lines_of(columns: Columns) -> list[str]:
    """The lines of a text file."""
    rows = zip(*columns.values(), strict=True)
    return [",".join(map(str, row)) for row in (columns, *rows)]


def joined_files() -> None:
    """What joins, spreadsheets and frames leave in a file."""
    header, *rows = lines_of(plain())
    half = N // 2

    def text(name: str, lines: list[str], said: str, frame: str, **more: str) -> None:
        file = f"{name.replace(' ', '-')}.csv"
        (HERE / file).write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
        case(name, file, text=said, frame=frame, **more)

    again = [header, *rows[:half], header, *rows[half:]]
    text("a header again", again, "repeats the header", "-")
    marked = [header, *rows[:half], "\ufeff" + rows[half], *rows[half + 1 :]]
    text("a mark within", marked, f"line {half + 2} has a byte order mark", "-")
    ended = [line + "," for line in (header, *rows)]
    (HERE / "ended.csv").write_text("\n".join([*ended, ""]), encoding="utf-8", newline="\n")
    case("lines that end in a comma", "ended.csv", frame="-")

    import pandas as pd  # of all tables only these need it

    frame = pd.DataFrame(plain())
    frame["patient"] = patients = [row // 2 for row in range(N)]
    frame.index = pd.Index([30.5 + row for row in range(N)])
    frame.drop(columns="patient").to_parquet(HERE / "index.parquet")
    only_files = {"found": "", "frame": "-", "page": "-"}
    case("an index in Parquet", "index.parquet", **only_files)
    frame.set_index("patient").to_parquet(HERE / "index-named.parquet")
    case("an index that is named", "index-named.parquet", groups="patient", **only_files)
    assert len(patients) == N


def gaps_and_names() -> None:
    """Words for gaps, which are names of groups and folds, and classes of nobody."""
    base = plain()
    lost = "missing|NA|NaN|empty"  # a reader of frames has made gaps of the words
    region = ["EU" if label else "NA" for label in base["y"]]
    said = "'NA' in 16 rows, which stands for no value"
    row = "data row 9"
    table("a class called NA", base | {"y": region}, text=said, frame=lost, page=row)
    blank = ["ill" if label else "well" for label in base["y"]]
    blank[7] = ""
    said = "column 'y' is empty in data row 7"
    table("an empty truth", base | {"y": blank}, text=said, frame=lost, page="data row 8")
    sites = ["NA", "EU"] * (N // 2)
    of = {"folds": "", "groups": "site", "ignore": "fold", "page": "-"}
    write("sites.csv", base | {"site": sites})
    case("a site called NA", "sites.csv", frame=lost, **of)
    folds = ["NA", "b", "c", "d"] * (N // 4)
    write("folds.csv", base | {"fold": folds})
    case("a fold called NA", "folds.csv", frame=lost)
    folds = [*folds[:3], "", *folds[4:]]
    said = "column 'fold' is empty in data row 3"
    table("an empty fold", base | {"fold": folds}, text=said, frame=lost, page="data row 4")

    percent = [f"{100 * score:.1f}%" for score in base["b"]]
    ends = "end in %"
    table("percentages", base | {"b": percent}, text=ends, frame=ends)
    case("decimal commas in a frame", "german.csv", separator=";", found=",")
    CASES[-1]["frame"] = "text with decimal commas"
    folds_only = {f"fold{fold}": scores(fold + 2) for fold in (1, 2, 3, 4)}
    held = "hold scores of folds"
    table(
        "scores of folds", folds_only, truth="fold1", folds="", metric="r2", text=held, frame=held
    )
    text_only = base | {
        name: ["case" if p > 0.5 else "control" for p in base[name]] for name in "ab"
    }
    table("labels for scores", text_only, text="is text", frame="is text")


def main() -> None:
    """Write everything anew."""
    marks()
    headers()
    identifiers()
    classes()
    long_tables()
    joined_files()
    gaps_and_names()
    with (HERE / "cases.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(CASES)


if __name__ == "__main__":
    main()
