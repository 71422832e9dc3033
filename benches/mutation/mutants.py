"""Mutants: small changes of a source that a test should notice."""

import ast
import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Mutant(NamedTuple):
    """Bytes from start to end of a file become others."""

    file: str
    line: int
    mutation: str
    start: int
    end: int
    new: str

    def applied(self, source: bytes) -> bytes:
        """The changed source."""
        return source[: self.start] + self.new.encode() + source[self.end :]


_PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.Div),
    (ast.BitAnd, ast.BitOr),
    (ast.And, ast.Or),
)
_SWAPPED = {old: new for pair in _PAIRS for old, new in (pair, pair[::-1])}
_SWAPPED |= {ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult}
# Types are checked by mypy, and positions within f-strings are wrong before Python 3.12.
_LEFT_OUT = {"annotation", "returns"}


def of_python(file: Path, root: Path) -> Iterator[Mutant]:
    """Mutants from the syntax tree: operators, constants, conditions, statements, results."""
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for old, new in _changes(ast.parse(source), in_function=False):
        text = ast.unparse(new)
        if isinstance(new, ast.expr) and not isinstance(new, ast.Constant):
            text = f"({text})"
        yield Mutant(
            str(file.relative_to(root)),
            old.lineno,
            f"{_shown(old)} -> {_shown(new)}",
            starts[old.lineno - 1] + old.col_offset,
            starts[(old.end_lineno or 0) - 1] + (old.end_col_offset or 0),
            text,
        )


def _changes(node: ast.AST, in_function: bool) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    in_function |= isinstance(node, ast.FunctionDef)
    if in_function or not isinstance(getattr(node, "op", None), ast.BitOr):  # else a union of types
        yield from _changes_of(node)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in _LEFT_OUT:
                yield from _changes(child, in_function)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    match node:
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                changed = copy.deepcopy(node)
                changed.ops[index] = _SWAPPED[type(operator)]()  # type: ignore[assignment]
                yield node, changed
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign() if type(node.op) in _SWAPPED:
            changed = copy.deepcopy(node)
            changed.op = _SWAPPED[type(node.op)]()  # type: ignore[assignment]
            yield node, changed
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node, node.operand
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int(value)):
            yield node, ast.Constant(value + 1)
            yield node, ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield node, ast.Constant(value / 2 or 1.0)
        case ast.If() | ast.While() | ast.IfExp():
            if not isinstance(node.test, ast.Compare | ast.UnaryOp):  # these have mutants already
                yield node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.Return(value=ast.expr()):
            yield node, ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue():
            yield node, ast.Pass()


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:28]} ... {text[-28:]}"


_IN_BOTH = (
    *(
        (f" {old} ", f" {new} ")
        for old, new in (("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"))
    ),
    *((f" {old} ", f" {new} ") for old, new in (("==", "!="), ("!=", "=="), ("/", "*"))),
    *((r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / ")),
    *((rf"\b{old}\b", new) for old, new in (("true", "false"), ("false", "true"))),
    *((rf"\b{old}\b", new) for old, new in (("TRUE", "FALSE"), ("FALSE", "TRUE"))),
    (r"(?<=[ (])!(?=[a-z])", ""),
    *((rf"(?<=[ (\[]){old}(?=L?([ ;,)\]]|$))", new) for old, new in (("0", "1"), ("1", "2"))),
    (r"(?<=[ (\[{])\d+\.\d+(?=[ ;,)\]}]|$)", "0.75"),
)
_PATTERNS = {
    language: tuple((re.compile(pattern), new) for pattern, new in (*_IN_BOTH, *more))
    for language, more in {
        "C++": (
            (r" \+= ", " -= "),
            (r"^ +[\w.>-]+\([^{}]*\);$", ";"),
            (r"^ +throw [^{}]*;$", ";"),
        ),
        "R": (
            (r"(?<=if \()(?=[a-z])", "!"),
            (r"(?<=  )[\w.]+\(([^{}()]|\([^{}()]*\))*\)$", "NULL"),
            (r" %in% ", " != "),
        ),
    }.items()
}
_STRINGS = {"C++": r'"[^"]*"', "R": r""""[^"]*"|'[^']*'"""}
_COMMENTS = {"C++": r"//.*", "R": r"#.*"}


def of_lines(file: Path, root: Path) -> Iterator[Mutant]:
    """Mutants of the same kinds from the lines of C++ or R, outside comments and strings."""
    language = "R" if file.suffix == ".R" else "C++"
    start = 0
    for number, line in enumerate(file.read_text(encoding="latin-1").split("\n"), 1):
        code = re.sub(_STRINGS[language], lambda text: "_" * len(text[0]), line)
        code = re.sub(_COMMENTS[language], "", code)
        if not re.match(r"\s*(#|template|static_assert|using|namespace)", code):
            for pattern, new in _PATTERNS[language]:
                for found in pattern.finditer(code):
                    place = f"{line.strip()[:60]}: {found[0].strip()[:30]} -> {new.strip()}"
                    at = (start + found.start(), start + found.end())
                    yield Mutant(str(file.relative_to(root)), number, place, *at, new)
        start += len(line) + 1
