"""Training: configurations x folds to predictions, for searches and for single learners."""
