"""What results that can be drawn have in common."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .plots._display import Display


class Drawable:
    """A result that has a picture, which `bbc.plots` draws."""

    def plot(self, *, ax: Any | None = None) -> "Display":
        """Draw the picture of this result.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        bbc.plots.Display
            The display, with `ax_` and `figure_`.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.

        Examples
        --------
        >>> import bbc
        >>> s = bbc.simulate.auc(80, 20, random_state=0)
        >>> c = bbc.correct(s.y, s.predictions, metric="roc_auc", random_state=1)
        >>> c.plot().ax_.get_xlabel()
        'AUC'
        >>> c.roc_curve().plot().ax_.get_ylabel()
        'sensitivity'
        """
        from .plots._kinds import display_of  # a layer above, which needs matplotlib

        return display_of(self).plot(ax=ax)
