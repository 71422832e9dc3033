"""Commands and options of ``bbc``."""

import argparse
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

_Run = Callable[[argparse.Namespace], None]
_REPLICATES = "default: 5000, of ensembles 1000"
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


@dataclass(frozen=True)
class _Command:
    """A command, and the functions that add its arguments."""

    run: _Run
    summary: str
    description: str
    arguments: tuple[Callable[[argparse.ArgumentParser], None], ...] = ()
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
        for add_arguments in command.arguments:
            add_arguments(subparser)
    return parser


_FILE = "CSV, TSV or Parquet file; - reads CSV from standard input"


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="+", help=f"{_FILE}; a family each")


def _add_columns(parser: argparse.ArgumentParser) -> None:
    """The role of each column."""
    add = parser.add_argument_group("columns").add_argument
    several = partial(add, action="append", metavar="COLUMN")
    several("--truth", required=True, help="the truth; twice for survival: event, then time")
    add("--folds", metavar="COLUMN", help="the fold of each row")
    add("--groups", metavar="COLUMN", help="rows that are drawn together")
    add(
        "--stratified-by",
        metavar="COLUMN",
        help="the labels within which folds were drawn, if not the classes of the truth",
    )
    add("--sample-weight", metavar="COLUMN", help="weights of the rows")
    several("--ignore", default=[], help="a column that is not a configuration; may be repeated")
    add(
        "--names",
        "--only",
        action="append",
        metavar="PATTERN",
        help="the configurations, whatever they are called, such as 'c*'; may be repeated",
    )
    add("--decimal", choices=(".", ","), help="the decimal mark, where the file leaves it open")
    add(
        "--na",
        action="append",
        metavar="WORD",
        help="a word that stands for no value, in the place of NA, NaN, None and null; may be "
        "repeated; '' for none but the empty cell",
    )
    add(
        "--header",
        action=_OnceOrNot,
        help="the first line names the columns, or is a row (columns are 0, 1, 2, ...)",
    )
    add("--long", action="store_true", help="the table is long, not wide")
    add = parser.add_argument_group("columns of a long table").add_argument
    add("--row", default="row", metavar="COLUMN", help="default: row")
    add("--configuration", default="configuration", metavar="COLUMN", help="default: configuration")
    several = partial(add, action="append", metavar="COLUMN")
    several(
        "--prediction", help="default: prediction; for class scores CLASS=COLUMN, once per class"
    )
    add("--repeat", metavar="COLUMN", help="the partition, if there are several")


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    """Options that `correct` and `compare` share."""
    add = parser.add_argument_group("analysis").add_argument
    add(
        "--metric",
        required=True,
        metavar="NAME",
        help="what is estimated; `bbc metrics` lists the names",
    )
    add(
        "--pos-label",
        metavar="LABEL",
        help="positive class (default: the larger number; to be named if classes are text)",
    )
    default = "default: %(default)s"
    add("--n-bootstraps", type=int, metavar="N", help=_REPLICATES)
    add("--confidence-level", type=float, default=0.95, metavar="P", help=default)
    add("--seed", type=int, metavar="N", help="of the replicates; shown if drawn")
    add("--n-threads", type=int, metavar="N", help="default: all cores")


def _add_method(parser: argparse.ArgumentParser) -> None:
    """Options of `correct` only."""
    group = _add_shared_options(
        parser,
        "bbc",
        ("bbc", "bbc-two-level", "bbc-f"),
        "draw rows (or groups), folds and rows within them, or whole folds (default: bbc)",
        '"greater" gives a lower bound, "less" an upper bound',
    )
    group.add_argument(
        "--selection",
        type=_selection,
        default="best",
        metavar="RULE",
        help=f"{SELECTIONS}: the best configuration, one with a cut-off of its scores, an ensemble "
        "built in rounds (25), or the average of the K best (default: best)",
    )
    group.add_argument(
        "--dynamic-search",
        action="store_true",
        help="configurations were chosen given the scores of others: finding BBC007",
    )


def _add_scores(parser: argparse.ArgumentParser) -> None:
    """Arguments of `correct-search`."""
    add = parser.add_argument
    add("file", metavar="FILE", help="CSV, TSV or Parquet file of cv_results_, or a long table")
    add("--metric", metavar="NAME", help="one of several scores, or what a single one is")
    side = parser.add_mutually_exclusive_group().add_argument
    side(
        "--greater-is-better",
        action="store_const",
        const=True,
        help="larger scores are better (default: as the name of the metric says)",
    )
    side(
        "--loss",
        dest="greater_is_better",
        action="store_const",
        const=False,
        help="smaller scores are better",
    )
    add(
        "--reselect",
        action="store_true",
        help="correct the selection of the best mean over folds, whatever was selected by",
    )
    add("--n-repeats", type=int, metavar="N", help="partitions that the folds are of")
    add("--long", action="store_true", help="the table has a line per configuration and fold")
    of_long = parser.add_argument_group("columns of a long table").add_argument
    of_long("--fold", metavar="COLUMN", help="default: fold")
    of_long("--configuration", metavar="COLUMN", help="default: configuration")
    of_long("--score", metavar="COLUMN", help="default: score")
    of_long("--repeat", metavar="COLUMN", help="the partition, if there are several")
    of_rows = parser.add_argument_group("the rows that were scored").add_argument
    of_rows(
        "--rows",
        metavar="FILE",
        help="CSV, TSV or Parquet file with their truth, without which the interval is too short "
        "where folds keep the shares of classes",
    )
    of_rows("--truth", metavar="COLUMN", help="their truth, in that file")
    of_rows("--groups", metavar="COLUMN", help="their groups, in that file")
    add(
        "--dynamic-search",
        action="store_true",
        help="configurations were chosen given the scores of others: finding BBC007",
    )
    add(
        "--alternative",
        choices=("two-sided", "greater", "less"),
        default="two-sided",
        help='"greater" gives a lower bound, "less" an upper bound',
    )
    default = "default: %(default)s"
    add("--n-bootstraps", type=int, metavar="N", help=_REPLICATES)
    add("--confidence-level", type=float, default=0.95, metavar="P", help=default)
    add("--seed", type=int, metavar="N", help="of the replicates; shown if drawn")
    add("--n-threads", type=int, metavar="N", help="default: all cores")


def _add_families(parser: argparse.ArgumentParser) -> None:
    """Options of `compare` only."""
    group = _add_shared_options(
        parser,
        "bbc",
        ("bbc", "bbc-two-level"),
        "draw rows (or groups), or folds and rows within them",
        '"greater": the family named first is better; also the side of all intervals',
    )
    group.add_argument("--reference", metavar="NAME", help="compare only with this family")
    group.add_argument(
        "--family",
        action="append",
        default=[],
        metavar="NAME=PATTERN",
        help="the configurations of one table whose names fit, such as 'svm=svm*'",
    )


def _add_shared_options(
    parser: argparse.ArgumentParser,
    default: str,
    methods: tuple[str, ...],
    draws: str,
    sides: str,
) -> Any:
    """More options of the analysis."""
    group = parser.add_argument_group("more about the analysis")
    add = group.add_argument
    add("--method", choices=methods, default=default, help=draws)
    add(
        "--secondary",
        action="append",
        metavar="NAME",
        help="a further metric of the same winners; once for each",
    )
    add(
        "--pooling",
        choices=("pooled", "fold", "rung"),
        default="pooled",
        help="the metric of all rows, the mean of the folds' metrics, or pairs within rungs "
        "(default: pooled)",
    )
    add(
        "--alternative",
        choices=("two-sided", "greater", "less"),
        default="two-sided",
        help=sides,
    )
    add("--stratify-bootstrap", action="store_true", help="draw within classes")
    add(
        "--class-counts",
        choices=("sampled", "fixed"),
        default="sampled",
        help="whether the shares of the classes are a sample's, or fixed by the design as in a "
        "case-control study (default: sampled)",
    )
    add(
        "--block-length",
        type=_block_length,
        metavar="ROWS",
        help="rows are in order of time: draw blocks of so many, or 'auto'",
    )
    add(
        "--no-size-correction",
        action="store_true",
        help="Algorithm 5 as published, for metrics that depend on the number of rows",
    )
    add(
        "--missing",
        choices=("raise", "drop-rows", "drop-configurations", "rungs"),
        default="raise",
        help="what to do with predictions missing in some configurations only (default: raise); "
        "rungs: those of a search that dropped configurations on the way",
    )
    return group


def _block_length(text: str) -> int | str:
    """A number of rows; of other words the correction knows which will do."""
    return int(text) if text.lstrip("-").isdigit() else text


def _add_plot(parser: argparse.ArgumentParser) -> None:
    """The option of `demo`."""
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="write the picture as well; needs matplotlib",
    )


def _add_saved(parser: argparse.ArgumentParser) -> None:
    """Arguments of `show`."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a store (run.bbc) or a result (result.json)")
    add("--metric", metavar="NAME", help="for a store; by default the selection metric")


def _add_output(parser: argparse.ArgumentParser) -> None:
    """JSON and a report."""
    output = parser.add_argument_group("output")
    _add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a report as well")


def _add_json(parser: Any) -> None:
    """JSON alone."""
    parser.add_argument("--json", action="store_true", help="write JSON instead of text")


def _later(module: str, name: str) -> _Run:
    """A command, whose module is imported when it runs."""

    def run(arguments: argparse.Namespace) -> None:
        getattr(import_module(f".{module}", __package__), name)(arguments)

    return run


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


_COMMANDS = {
    "correct": _Command(
        _later("_correct", "run_correct"),
        "correct the winner's score for having been selected",
        "Corrects the winner's performance in a table of out-of-sample predictions for having "
        "been selected, with a confidence interval. No model is trained.",
        (_add_file, _add_columns, _add_analysis, _add_method, _add_output),
        _CORRECT_EXAMPLES,
    ),
    "correct-search": _Command(
        _later("_correct_search", "run_correct_search"),
        "correct a finished search from its scores by fold",
        "Corrects the winner's score in scores by fold: cv_results_ of scikit-learn, with a row "
        "per configuration and a column per fold, or with --long a table with a row per "
        "configuration and fold. Whole folds are drawn.",
        (_add_scores, _add_output),
        _CORRECT_SEARCH_EXAMPLES,
    ),
    "compare": _Command(
        _later("_compare", "run_compare"),
        "families of configurations, each by its own winner",
        "Corrects the performance of each family's winner, and shows for each pair of families "
        "the difference on the same draws, with interval and p-value.",
        (_add_files, _add_columns, _add_analysis, _add_families, _add_json),
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
        (_add_json,),
    ),
    "demo": _Command(
        _later("_demo", "run_demo"),
        "tune on ten splits of real data and show how honest the result is",
        "Tunes a decision tree on 60 rows of the breast-cancer data, corrects the winner's score, "
        "and compares both with the accuracy on the other 509 rows: ten times, seeds 0 to 9.",
        (_add_plot,),
    ),
    "show": _Command(
        _later("_show", "run_show"),
        "what a store or a saved result holds",
        "Shows the run that a store holds, finished or not, with the corrected performance of "
        "the configurations that have finished; or a result that was written with --json.",
        (_add_saved, _add_output),
        _SHOW_EXAMPLES,
    ),
}
