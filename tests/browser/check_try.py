"""The page that corrects in the browser, against Python: run by `make browser`."""

import contextlib
import io
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from check_report import check
from chromium import Chromium
from try_cases import Case, Specified, defects, metrics, particulars, specified, table

import bbc
from bbc import PerformanceEstimate
from bbc.reporting import _words

MOST_BYTES = 800_000
WIDTHS = {"wide": 1000, "phone": 375}
TAB, ENTER, DOWN = ("Tab", 9), ("Enter", 13), ("ArrowDown", 40)


def choose(browser: Chromium, choices: dict[str, str]) -> None:
    """Make choices, by what the lists show, and wait for the answer."""
    order = (
        "header",
        "decimal",
        "truth",
        "folds",
        "metric",
        "method",
        "positive",
        "replicates",
        "seed",
        "level",
    )
    for name in order:
        if name not in choices:
            continue
        said = json.dumps([name, choices[name]])
        browser.value(f"""(([id, text]) => {{
            const field = at(id);
            const option = [...field.options ?? []].find((one) =>
                one.textContent === text || one.value === text);
            if (field.options && !option) field.add(new Option(text, text));
            field.value = option ? option.value : text;
            field.dispatchEvent(new Event("change", {{ bubbles: true }}));
        }})({said})""")
        settle(browser)


def settle(browser: Chromium) -> None:
    """Wait until nothing is computed."""
    browser.until("!busy && !again && waiting.size === 0")


def give(browser: Chromium, case: Case, folder: Path) -> None:
    """Load the file of a case and make its choices."""
    file = folder / "table.csv"
    file.write_bytes(case.text.encode(case.encoding))
    browser.value("at('file').value = ''; at('loaded').textContent = ''; refuse('')")
    browser.choose_file("#file", file)
    loaded = "/rows?,/.test(at('loaded').textContent) || !at('refusal').hidden"
    browser.until(loaded)
    settle(browser)
    for name in {"header", "decimal"} & set(case.choices):
        browser.value("at('loaded').textContent = ''; refuse('')")
        choose(browser, {name: case.choices[name]})
        browser.until(loaded)
        settle(browser)
    if browser.value("table !== null"):
        given = {"folds": "none", "method": "bbc", "seed": "0", "replicates": "1000"}
        read = {"header", "decimal"}
        rest = {name: choice for name, choice in case.choices.items() if name not in read}
        choose(browser, given | {"level": "0.95"} | rest)
        for name in case.ticked:
            place = f"table.columns.findIndex((column) => column.name === {json.dumps(name)})"
            browser.value(f"at(`column-${{{place}}}`).click()")
            settle(browser)


def agrees(browser: Chromium, case: Case, folder: Path) -> str:
    """The page's result is Python's, to the bit, and so are its sentences; the codes found."""
    give(browser, case, folder)
    assert browser.value("at('refusal').textContent") == "", case.name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = case.estimate()
    found = json.loads(browser.value("JSON.stringify(result)"))
    wanted = json.loads(expected.to_json())
    for name in wanted:
        assert found[name] == wanted[name], (case.name, name, found[name], wanted[name])
    assert list(found) == list(wanted), case.name
    sentences = ("headline", "uncorrected", "methods")
    for name in sentences:
        wanted_text = getattr(_words, name)(expected)
        assert browser.value(f"{name}(result)") == wanted_text, (case.name, name)
    findings = [[each.code, each.detail] for each in expected.findings]
    assert browser.value("findingsOf(result)") == findings, case.name
    shown = browser.value("at('limitations').textContent")
    told = [each.kind for each in expected.findings if each.kind.level != "record"]
    assert all(kind.advice in shown for kind in told), case.name
    assert browser.value("at('headline').textContent") == _words.headline(expected)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_code(browser, folder)
    return " ".join(code for code, _ in findings)


def refuses(browser: Chromium, case: Case, said: str, folder: Path) -> None:
    """Python refuses a table, and the page does in words, without a result."""
    give(browser, case, folder)
    shown = browser.value("at('refusal').textContent")
    assert said in shown, (case.name, shown)
    assert browser.value("at('result').hidden && !at('refusal').hidden"), case.name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            case.estimate()
        except (ValueError, TypeError):
            return
    raise AssertionError(f"{case.name}: Python accepts it")


def specification(browser: Chromium, one: Specified, folder: Path) -> None:
    """A table is taken or refused as the specification says; what was taken is said.

    What no configuration is by its name or values is left out, and its box says why.
    """
    give(browser, one.case, folder)
    refusal = browser.value("at('refusal').textContent")
    if one.said:
        boxes = browser.value("table ? at('configurations').textContent : ''")
        assert one.said.lower() in (refusal + boxes).lower(), (one.case.name, refusal, boxes)
        return
    assert refusal == "", (one.case.name, refusal)
    assert tuple(browser.value("result.names")) == one.taken, one.case.name
    assert browser.value("table.decimal") == one.decimal, one.case.name
    said = browser.value("at('taken').textContent")
    assert said.startswith(f"Truth {one.case.choices['truth']}"), (one.case.name, said)
    mark = {",": "decimal comma.", ".": "decimal point.", "": ")."}[one.decimal]
    assert said.endswith(mark), (one.case.name, said)
    assert f"{len(one.taken)} configurations ({', '.join(one.taken)})" in said, one.case.name
    positive = one.case.choices.get("positive")
    assert positive is None or f"positive class {positive} (" in said, (one.case.name, said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_code(browser, folder)


def check_numbers(browser: Chromium) -> None:
    """Numbers are written as Python writes them."""
    rng = np.random.default_rng(0)
    values = [
        *rng.random(500),
        *rng.integers(0, 4096, 500) / 4096,
        *rng.integers(0, 2000, 500) / 2000,
    ]
    values += [*(rng.normal(size=500) * 10.0 ** rng.integers(-12, 12, 500)), 0.0, -0.0, 999.5, 1e22]
    plain = [float(value) for value in values]
    found = browser.value(
        f"{json.dumps(plain)}.map((v) => [general(v, 3), fixed(v, 3), general(v), general(v, 2)])"
    )
    for value, texts in zip(plain, found, strict=True):
        assert texts == [f"{value:.3g}", f"{value:.3f}", f"{value:.6g}", f"{value:.2g}"], value


def check_keyboard(browser: Chromium, page: Path) -> None:
    """From the top of the page to a result, and to another metric, without a mouse."""
    browser.open(page)
    reach(browser, "example")
    browser.press(*ENTER, text="\r")
    browser.until("result !== null")
    assert browser.value("result.metric") == "roc_auc"
    assert browser.value("result.n_folds") == 5
    reach(browser, "metric")
    browser.press(*DOWN)
    settle(browser)
    browser.until("result.metric === 'average_precision'")
    passed = reach(browser, "csv")
    assert {"positive", "method", "copy", "json"} <= set(passed), passed
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        role = node.get("role", {}).get("value")
        if properties.get("focusable") and role not in ("RootWebArea", "MenuListPopup", "option"):
            assert node.get("name", {}).get("value"), node
    roles = {
        name: browser.value(f"document.querySelectorAll({json.dumps(selector)}).length")
        for name, selector in (
            ("said aloud", "[role=status], [role=alert]"),
            ("pictures with words", "svg[role=img][aria-label]"),
            ("fields without label", "select:not([id]), input:not([id])"),
        )
    }
    assert roles == {"said aloud": 4, "pictures with words": 1, "fields without label": 0}, roles


def reach(browser: Chromium, wanted: str) -> list[str]:
    """Press the tabulator until an element has the focus; what had it on the way."""
    passed: list[str] = []
    while not passed or passed[-1] != wanted:
        assert len(passed) < 40, (wanted, passed)
        browser.press(*TAB)
        passed.append(browser.value("document.activeElement.id"))
    return passed


def check_code(browser: Chromium, folder: Path) -> PerformanceEstimate:
    """The code that the page shows gives the result that it shows."""
    code = browser.value("at('python').textContent")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(folder):
        exec(code, names)
    text = browser.value("JSON.stringify(result)")
    assert json.loads(names["result"].to_json()) == json.loads(text), code
    assert PerformanceEstimate.from_json(text) == names["result"]
    return names["result"]


def check_python(browser: Chromium, folder: Path) -> None:
    """The example, and what is saved of it."""
    browser.value("at('example').click()")
    settle(browser)
    choose(browser, {"metric": "average_precision", "positive": "benign", "seed": "3"})
    example = browser.value("at('example-table').textContent.trimStart()")
    (folder / "example.csv").write_text(example, encoding="utf-8")
    result = check_code(browser, folder)
    header, row = browser.value("csvOf(result)").splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert float(cells["estimate"]) == result.estimate


def check_downloads(browser: Chromium, folder: Path) -> None:
    """Files that the page saves."""
    browser.call(
        "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve())
    )
    for name in ("json", "csv"):
        (folder / f"bbc.{name}").unlink(missing_ok=True)
        browser.value(f"at('{name}').click()")
    browser.value("new Promise((resolve) => setTimeout(resolve, 700))")
    saved = bbc.PerformanceEstimate.from_json((folder / "bbc.json").read_text(encoding="utf-8"))
    assert saved.estimate == browser.value("result.estimate")
    assert (folder / "bbc.csv").read_text(encoding="utf-8") == browser.value("csvOf(result)")


def check_silence(browser: Chromium) -> None:
    """The policy allows no connection, from the page or from its worker."""
    tried = "fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => String(error))"
    before = len(browser.events)
    assert "Failed to fetch" in browser.value(tried)
    blocked = browser.value(
        "document.querySelector('meta[http-equiv=Content-Security-Policy]').content"
    )
    assert "default-src 'none'" in blocked
    assert "connect-src" not in blocked
    browser.value("0")
    refused = [str(event) for event in browser.events[before:]]
    assert any("Content Security Policy" in event for event in refused), refused
    del browser.events[before:]


def check_stop(browser: Chromium, folder: Path) -> None:
    """Long work shows its progress, and stops."""
    give(browser, large(), folder)
    browser.value("at('replicates').value = 100000; correct(); null")
    browser.until("!at('working').hidden && at('progress').value > 0")
    browser.value("at('stop').click()")
    browser.until("at('refusal').textContent.startsWith('Stopped')")
    choose(browser, {"replicates": "1000"})
    assert browser.value("result.replicates.length") == 1000


def large() -> Case:
    """500 rows, 500 configurations."""
    simulated = bbc.simulate.auc(500, 500, random_state=0)
    columns: dict[str, Any] = {"y": simulated.y.tolist()}
    columns |= {f"c{j}": simulated.predictions[:, j].tolist() for j in range(500)}
    return Case("large", table(columns), {"truth": "y", "metric": "roc_auc"})


def main(page: Path, folder: Path) -> None:
    """Every check; pictures stay in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    size = page.stat().st_size
    assert size < MOST_BYTES, f"{page} has {size} bytes"
    with Chromium() as browser:
        browser.open(page)
        check_numbers(browser)
        codes: set[str] = set()
        cases = [*metrics(), *particulars()]
        for case in cases:
            codes |= set(agrees(browser, case, folder).split())
        refused = [refuses(browser, case, said, folder) for case, said in defects()]
        tables = [specification(browser, one, folder) for one in specified()]
        check_python(browser, folder)
        check_downloads(browser, folder)
        agrees(browser, large(), folder)
        milliseconds = min(_time(browser) for _ in range(5))
        check_stop(browser, folder)
        check_keyboard(browser, page)
        check_silence(browser)
        for dark in (False, True):
            for name, width in WIDTHS.items():
                picture = folder / f"try-{name}{'-dark' if dark else ''}.png"
                browser.shot(picture, width=width, dark=dark)
                check(picture, dark=dark)
        assert browser.complaints() == []
    print(
        f"{page}: {size / 1000:.0f} KB; {len(cases)} results with Python's bits, {len(refused)} "
        f"refusals, {len(tables)} specified tables, findings {', '.join(sorted(codes))}; "
        f"AUC of 500 x 500 in {milliseconds:.0f} ms"
    )


def _time(browser: Chromium) -> float:
    """Milliseconds of another correction, in the worker."""
    browser.value("correct()")
    settle(browser)
    return float(browser.value("at('result').dataset.milliseconds"))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
