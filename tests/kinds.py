"""BBC of folds beside the protocols that are classes of their own."""

import bbc


def of_folds(estimator, param_grid=None, **options):
    """`bbc.BBC` whose replicates draw folds."""
    return bbc.BBC(estimator, param_grid, method="bbc-f", **options)


of_folds.__name__ = "BBC"


def draws(kind):
    """Whether a protocol draws replicates."""
    return kind is of_folds or issubclass(kind, bbc.BBC)
