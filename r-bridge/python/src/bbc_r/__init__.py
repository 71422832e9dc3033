"""R learners in bbc's protocols."""

from .errors import RError, RNotAvailableError, RWarning
from .learners import RLearner
from .objects import RData, RObject, data
from .ready import caret, coxph, glm, glmnet, random_forest, ranger, svm

__version__ = "0.1.0"

__all__ = [
    "RData",
    "RError",
    "RLearner",
    "RNotAvailableError",
    "RObject",
    "RWarning",
    "caret",
    "coxph",
    "data",
    "glm",
    "glmnet",
    "random_forest",
    "ranger",
    "svm",
]
