"""Oracle of bbc: slow, clear formulas straight from the papers, sharing no code with bbc.

Only ``numpy`` (and ``scipy`` for normal and t quantiles) is used. Where the texts are silent, each
module's docstring lists the reading that was chosen.
"""
