"""Commands and options of ``bbc``."""

import argparse
import textwrap
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

_Run = Callable[[argparse.Namespace], None]
SELECTIONS = "best, threshold, greedy, greedy:ROUNDS or top:K"

WELCOME = """\
bbc: honest performance of tuned models

  bbc demo                                                               what it does, on real data
  bbc correct predictions.csv --truth y --folds fold --metric roc_auc    the same of your table

The table has one row per row of the data and one column per configuration: predictions that were
made while the row was held out. See bbc --help for the commands."""
_EXAMPLES = """\
examples:
  bbc correct predictions.csv --truth y --metric roc_auc
  bbc compare svm.csv forest.csv --truth y --folds fold --metric accuracy
  bbc correct-search results.csv --metric roc_auc --rows data.csv --truth y
  bbc show run.bbc
"""
_CORRECT_EXAMPLES = """\
A wide table has one row per row of the data and one column per configuration: every column that no
option names. A column whose name (fold, patient_id, ...) or values (0 to n - 1, ...) say otherwise
is refused, unless --names lists the configurations. What was taken goes to standard error.
A long table (--long) has one row per prediction, with columns row, configuration and prediction.

examples:
  bbc correct predictions.csv --truth y --metric roc_auc
  bbc correct predictions.parquet --truth y --metric accuracy --groups patient --seed 1
  bbc correct predictions.csv --truth y --folds fold --metric roc_auc --method bbc-f
  bbc correct long.csv --long --truth y --folds fold --repeat repeat --metric neg_log_loss
  bbc correct predictions.csv --truth y --metric f1 --selection threshold
  bbc correct times.csv --truth event --truth time --metric concordance_index --ignore id
  cat predictions.csv | bbc correct - --truth y --metric f1 --json > result.json
"""
_COMPARE_EXAMPLES = """\
Families are tables, named by their files, or columns of one table, named by --family. Positive
differences favour the family named first, whatever the direction of the metric.

examples:
  bbc compare svm.csv forest.csv --truth y --folds fold --metric roc_auc
  bbc compare tuned.csv default.csv --truth y --folds fold --metric accuracy --reference default
  bbc compare all.csv --family 'svm=svm*' --family 'forest=rf*' --truth y --folds fold --metric f1
"""
_CORRECT_SEARCH_EXAMPLES = """\
examples:
  bbc correct-search results.csv
  bbc correct-search results.csv --metric roc_auc --rows data.csv --truth y --seed 1
  bbc correct-search results.csv --metric roc_auc --seed 1 --html report.html
  bbc correct-search results.csv --metric mine --n-repeats 5
  bbc correct-search scores.csv --long --fold id --configuration .config --score .estimate \\
      --metric roc_auc
"""
_SHOW_EXAMPLES = """\
examples:
  bbc show run.bbc
  bbc show run.bbc --metric roc_auc --json
  bbc show result.json --html report.html
"""


class _Option(NamedTuple):
    """A word of the command line: its flags, and what the parser is told of it."""

    flags: tuple[str, ...]
    settings: dict[str, Any]


class _Command(NamedTuple):
    """A command, and its options by group; of a list of options one may be given."""

    run: _Run
    summary: str
    description: str
    groups: tuple[tuple[str, Sequence[_Option | list[_Option]]], ...] = ()
    examples: str = ""


class _Once(argparse.Action):
    """An option that is given once: of two values one would be dropped in silence."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the value."""
        _note(self, namespace, option_string)
        setattr(namespace, self.dest, values)


class _OnceOrNot(argparse.BooleanOptionalAction):
    """The same of an option that says yes or no."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store the answer."""
        _note(self, namespace, option_string)
        super().__call__(parser, namespace, values, option_string)


def _note(action: argparse.Action, namespace: argparse.Namespace, word: str | None) -> None:
    """Note that an option was given; a second time is an error."""
    given = vars(namespace).setdefault("given_options", set())
    if word is not None and action.dest in given:
        raise argparse.ArgumentError(action, "is given twice, and has one value: leave one out")
    given.add(action.dest)


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands; each sets `run`."""
    from .. import __version__

    parser = argparse.ArgumentParser(
        prog="bbc",
        description="Honest performance of tuned models.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"bbc {__version__}",
        help="show the version and exit",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in _COMMANDS.items():
        subparser: argparse.ArgumentParser = commands.add_parser(
            name,
            help=command.summary,
            description=textwrap.fill(command.description, 80),
            epilog=command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        subparser.set_defaults(run=command.run, subparser=subparser)
        subparser.register("action", None, _Once)
        for title, options in command.groups:
            group = subparser.add_argument_group(title) if title else subparser
            for option in options:
                parts = group.add_mutually_exclusive_group() if type(option) is list else group
                for flags, settings in [option] if isinstance(option, _Option) else option:
                    parts.add_argument(*flags, **settings)
    return parser


def _option(flags: str, metavar: str | None, text: str, **settings: Any) -> _Option:
    return _Option(tuple(flags.split()), {"metavar": metavar, "help": text, **settings})


def _flag(flag: str, text: str, **settings: Any) -> _Option:
    return _Option((flag,), {"action": "store_true", "help": text, **settings})


def _block_length(text: str) -> int | str:
    """A number of rows; of other words the correction knows which will do."""
    return int(text) if text.lstrip("-").isdigit() else text


def _selection(word: str) -> Any:
    """The rule that a word of the command line stands for."""
    from ..selection import BEST, best_threshold, greedy_ensemble, top_k

    name, _, size = word.partition(":")
    plain = {"best": BEST, "threshold": best_threshold(), "greedy": greedy_ensemble()}
    sized: dict[str, Callable[[int], Any]] = {"greedy": greedy_ensemble, "top": top_k}
    if word in plain:
        return plain[word]
    if name not in sized or not (size.isascii() and size.isdigit()) or int(size) == 0:
        raise argparse.ArgumentTypeError(f"must be {SELECTIONS}, got {word!r}")
    return sized[name](int(size))


def _method(*words: str, text: str) -> _Option:
    return _option("--method", None, text, choices=words, default="bbc")


def _alternative(text: str) -> _Option:
    words = ("two-sided", "greater", "less")
    return _option("--alternative", None, text, choices=words, default="two-sided")


_FILE = "CSV, TSV or Parquet file; - reads CSV from standard input"
_BOUNDS = _alternative('"greater" gives a lower bound, "less" an upper bound')
_REPEAT = _option("--repeat", "COLUMN", "the partition, if there are several")
_JSON = _flag("--json", "write JSON instead of text")
_DYNAMIC = _flag(
    "--dynamic-search", "configurations were chosen given the scores of others: finding BBC007"
)

_COLUMNS = (
    _option(
        "--truth",
        "COLUMN",
        "the truth; twice for survival: event, then time",
        action="append",
        required=True,
    ),
    _option("--folds", "COLUMN", "the fold of each row"),
    _option("--groups", "COLUMN", "rows that are drawn together"),
    _option(
        "--stratified-by",
        "COLUMN",
        "the labels within which folds were drawn, if not the classes of the truth",
    ),
    _option("--sample-weight", "COLUMN", "weights of the rows"),
    _option(
        "--ignore",
        "COLUMN",
        "a column that is not a configuration; may be repeated",
        action="append",
        default=[],
    ),
    _option(
        "--names --only",
        "PATTERN",
        "the configurations, whatever they are called, such as 'c*'; may be repeated",
        action="append",
    ),
    _option(
        "--decimal", None, "the decimal mark, where the file leaves it open", choices=(".", ",")
    ),
    _option(
        "--na",
        "WORD",
        "a word that stands for no value, in the place of NA, NaN, None and null; may be "
        "repeated; '' for none but the empty cell",
        action="append",
    ),
    _flag(
        "--header",
        "the first line names the columns, or is a row (columns are 0, 1, 2, ...)",
        action=_OnceOrNot,
    ),
    _flag("--long", "the table is long, not wide"),
)
_COLUMNS_OF_LONG = (
    _option("--row", "COLUMN", "default: row", default="row"),
    _option("--configuration", "COLUMN", "default: configuration", default="configuration"),
    _option(
        "--prediction",
        "COLUMN",
        "default: prediction; for class scores CLASS=COLUMN, once per class",
        action="append",
    ),
    _REPEAT,
)
_REPLICATES = (
    _option("--n-bootstraps", "N", "default: 5000, of ensembles 1000", type=int),
    _option("--confidence-level", "P", "default: %(default)s", type=float, default=0.95),
    _option("--seed", "N", "of the replicates; shown if drawn", type=int),
    _option("--n-threads", "N", "default: all cores", type=int),
)
_ANALYSIS = (
    _option("--metric", "NAME", "what is estimated; `bbc metrics` lists the names", required=True),
    _option(
        "--pos-label",
        "LABEL",
        "positive class (default: the larger number; to be named if classes are text)",
    ),
    *_REPLICATES,
)
_DRAWS = (
    _flag("--stratify-bootstrap", "draw within classes"),
    _option(
        "--class-counts",
        None,
        "whether the shares of the classes are a sample's, or fixed by the design as in a "
        "case-control study (default: sampled)",
        choices=("sampled", "fixed"),
        default="sampled",
    ),
    _option(
        "--block-length",
        "ROWS",
        "rows are in order of time: draw blocks of so many, or 'auto'",
        type=_block_length,
    ),
    _flag(
        "--no-size-correction",
        "Algorithm 5 as published, for metrics that depend on the number of rows",
    ),
    _option(
        "--missing",
        None,
        "what to do with predictions missing in some configurations only (default: raise); "
        "rungs: those of a search that dropped configurations on the way",
        choices=("raise", "drop-rows", "drop-configurations", "rungs"),
        default="raise",
    ),
)
_SCORING = (
    _option(
        "--secondary",
        "NAME",
        "a further metric of the same winners; once for each",
        action="append",
    ),
    _option(
        "--pooling",
        None,
        "the metric of all rows, the mean of the folds' metrics, or pairs within rungs "
        "(default: pooled)",
        choices=("pooled", "fold", "rung"),
        default="pooled",
    ),
)
_MORE_OF_CORRECT = (
    _method(
        *("bbc", "bbc-two-level", "bbc-f"),
        text="draw rows (or groups), folds and rows within them, or whole folds (default: bbc)",
    ),
    *_SCORING,
    _BOUNDS,
    *_DRAWS,
    _option(
        "--selection",
        "RULE",
        f"{SELECTIONS}: the best configuration, one with a cut-off of its scores, an ensemble "
        "built in rounds (25), or the average of the K best (default: best)",
        type=_selection,
        default="best",
    ),
    _DYNAMIC,
)
_MORE_OF_COMPARE = (
    _method(*("bbc", "bbc-two-level"), text="draw rows (or groups), or folds and rows within them"),
    *_SCORING,
    _alternative('"greater": the family named first is better; also the side of all intervals'),
    *_DRAWS,
    _option("--reference", "NAME", "compare only with this family"),
    _option(
        "--family",
        "NAME=PATTERN",
        "the configurations of one table whose names fit, such as 'svm=svm*'",
        action="append",
        default=[],
    ),
)
_SCORES = (
    _option("file", "FILE", "CSV, TSV or Parquet file of cv_results_, or a long table"),
    _option("--metric", "NAME", "one of several scores, or what a single one is"),
    [
        _flag(
            "--greater-is-better",
            "larger scores are better (default: as the name of the metric says)",
            action="store_const",
            const=True,
        ),
        _flag(
            "--loss",
            "smaller scores are better",
            dest="greater_is_better",
            action="store_const",
            const=False,
        ),
    ],
    _flag(
        "--reselect",
        "correct the selection of the best mean over folds, whatever was selected by",
    ),
    _option("--n-repeats", "N", "partitions that the folds are of", type=int),
    _flag("--long", "the table has a line per configuration and fold"),
)
_SCORES_OF_LONG = (
    _option("--fold", "COLUMN", "default: fold"),
    _option("--configuration", "COLUMN", "default: configuration"),
    _option("--score", "COLUMN", "default: score"),
    _REPEAT,
)
_ROWS = (
    _option(
        "--rows",
        "FILE",
        "CSV, TSV or Parquet file with their truth, without which the interval is too short "
        "where folds keep the shares of classes",
    ),
    _option("--truth", "COLUMN", "their truth, in that file"),
    _option("--groups", "COLUMN", "their groups, in that file"),
)
_SAVED = (
    _option("file", "FILE", "a store (run.bbc) or a result (result.json)"),
    _option("--metric", "NAME", "for a store; by default the selection metric"),
)
_PLOT = _option("--plot", "FILE", "write the picture as well; needs matplotlib", type=Path)
_OF_TABLES = (
    ("columns", _COLUMNS),
    ("columns of a long table", _COLUMNS_OF_LONG),
    ("analysis", _ANALYSIS),
)
_OUTPUT = (
    "output",
    (_JSON, _option("--html", "FILE", "write a report as well", type=Path)),
)


def _later(module: str, name: str) -> _Run:
    """A command, whose module is imported when it runs."""

    def run(arguments: argparse.Namespace) -> None:
        getattr(import_module(f".{module}", __package__), name)(arguments)

    return run


_COMMANDS = {
    "correct": _Command(
        _later("_commands", "run_correct"),
        "correct the winner's score for having been selected",
        "Corrects the winner's performance in a table of out-of-sample predictions for having "
        "been selected, with a confidence interval. No model is trained.",
        (
            ("", (_option("file", "FILE", _FILE),)),
            *_OF_TABLES,
            ("more about the analysis", _MORE_OF_CORRECT),
            _OUTPUT,
        ),
        _CORRECT_EXAMPLES,
    ),
    "correct-search": _Command(
        _later("_commands", "run_correct_search"),
        "correct a finished search from its scores by fold",
        "Corrects the winner's score in scores by fold: cv_results_ of scikit-learn, with a row "
        "per configuration and a column per fold, or with --long a table with a row per "
        "configuration and fold. Whole folds are drawn.",
        (
            ("", _SCORES),
            ("columns of a long table", _SCORES_OF_LONG),
            ("the rows that were scored", _ROWS),
            ("", (_DYNAMIC, _BOUNDS, *_REPLICATES)),
            _OUTPUT,
        ),
        _CORRECT_SEARCH_EXAMPLES,
    ),
    "compare": _Command(
        _later("_commands", "run_compare"),
        "families of configurations, each by its own winner",
        "Corrects the performance of each family's winner, and shows for each pair of families "
        "the difference on the same draws, with interval and p-value.",
        (
            ("", (_option("file", "FILE", f"{_FILE}; a family each", nargs="+"),)),
            *_OF_TABLES,
            ("more about the analysis", _MORE_OF_COMPARE),
            ("", (_JSON,)),
        ),
        _COMPARE_EXAMPLES,
    ),
    "protocols": _Command(
        _later("_lists", "run_protocols"),
        "what the protocols do and cost",
        "Lists the protocols, the models that each trains (C configurations, K folds, R repeats), "
        "and whether it gives an interval.",
    ),
    "metrics": _Command(
        _later("_lists", "run_metrics"),
        "the metrics that have a name",
        "Lists the metrics with their direction and the predictions that they take.",
        (("", (_JSON,)),),
    ),
    "demo": _Command(
        _later("_demo", "run_demo"),
        "tune on ten splits of real data and show how honest the result is",
        "Tunes a decision tree on 60 rows of the breast-cancer data, corrects the winner's score, "
        "and compares both with the accuracy on the other 509 rows: ten times, seeds 0 to 9.",
        (("", (_PLOT,)),),
    ),
    "show": _Command(
        _later("_commands", "run_show"),
        "what a store or a saved result holds",
        "Shows the run that a store holds, finished or not, with the corrected performance of "
        "the configurations that have finished; or a result that was written with --json.",
        (("", _SAVED), _OUTPUT),
        _SHOW_EXAMPLES,
    ),
}
