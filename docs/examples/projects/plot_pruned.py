"""
A search that prunes
====================

Optuna tries 120 settings of four learners, and a pruner ends trials that look worse than others after a few
folds. How well does the best one predict?

The data are 200 of the 442 patients of scikit-learn's diabetes data, and the progression of the disease
after a year. The other 242 are kept aside, to see in the end what is true.
"""

import matplotlib.pyplot as plt
import optuna
from sklearn.datasets import load_diabetes
from sklearn.linear_model import ElasticNet
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

import bbc

optuna.logging.set_verbosity(optuna.logging.WARNING)
X, X_aside, y, y_aside = train_test_split(
    *load_diabetes(return_X_y=True), train_size=200, random_state=0
)


def build(trial):
    kinds = ["linear", "svm", "neighbours", "tree"]
    kind = trial.suggest_categorical("learner", kinds)
    if kind == "linear":
        learner = ElasticNet(
            alpha=trial.suggest_float("alpha", 1e-3, 10, log=True),
            l1_ratio=trial.suggest_float("l1_ratio", 0.05, 1),
        )
    elif kind == "svm":
        learner = SVR(
            C=trial.suggest_float("C", 1, 1000, log=True),
            gamma=trial.suggest_float("gamma", 1e-3, 1, log=True),
        )
    elif kind == "neighbours":
        learner = KNeighborsRegressor(trial.suggest_int("n_neighbors", 1, 50))
    else:
        learner = DecisionTreeRegressor(
            max_depth=trial.suggest_int("max_depth", 1, 8),
            min_samples_leaf=trial.suggest_int("min_samples_leaf", 1, 30),
            random_state=0,
        )
    return make_pipeline(StandardScaler(), learner)


# %%
# The objective trains a trial fold by fold, and keeps what each fold predicts before the pruner hears of its
# score. So the predictions of pruned trials stay, by which others survived.

objective = bbc.adapters.OptunaObjective(
    build, X, y, metric="mean_absolute_error", cv=10, random_state=0
)
study = optuna.create_study(
    direction="minimize",
    sampler=optuna.samplers.RandomSampler(seed=1),
    pruner=optuna.pruners.MedianPruner(n_warmup_steps=1),
)
study.optimize(objective, n_trials=120)
n_folds = sum(len(trial.intermediate_values) for trial in study.trials)
pruned = [trial for trial in study.trials if trial.state.name == "PRUNED"]
print(f"{n_folds} fits in the place of 1200; {len(pruned)} trials pruned")

# %%
# Where trials ended, and what their scores were:

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
for trial in study.trials:
    steps, scores = zip(*trial.intermediate_values.items(), strict=True)
    ended = trial in pruned
    ax.plot(
        [step + 1 for step in steps],
        scores,
        color="0.75" if ended else "#1b5e8a",
        linewidth=0.8,
        marker="." if ended else None,
        markevery=[-1],
        zorder=1 if ended else 2,
    )
ax.set_ylim(35, 75)
ax.set_xlabel("folds")
ax.set_ylabel("mean absolute error so far")
ax.spines[["top", "right"]].set_visible(False)

# %%
# The trials that are left were selected on rows that would score them. The predictions know what the study
# pruned: each row is scored once, by the trial that was the best before, rung by rung. A sampler that looks
# at scores, such as Optuna's default, would add a finding.

estimate = bbc.correct(objective.predictions(study), random_state=0)
print(estimate)
print(estimate.notes[0])

# %%
# Would a shorter search have done? Each point is the corrected and the apparent score of the best trial so far,
# with the interval of the corrected one; marks at the bottom are the trials that were pruned.

path = estimate.tuning_path()
print(path)
path.plot()
plt.show()

# %%
# The best trial, trained on all 200 patients, on those who were kept aside:

model = build(optuna.trial.FixedTrial(study.best_params)).fit(X, y)
print(f"{mean_absolute_error(y_aside, model.predict(X_aside)):.1f}")

# %%
# The page to publish:

# sphinx_gallery_capture_repr_block = ("_repr_html_",)
bbc.report(estimate)
