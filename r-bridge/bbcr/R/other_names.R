# What packages of R and scikit-learn call metrics, beyond what the kernel's table knows of others. Names are
# in lower case, with "_" for spaces; those of mlr3 without what they begin with.

# Metrics of the same definition.
same_elsewhere <- c(
  f = "f1", mean_f1 = "f1_macro", mean_sensitivity = "recall_macro", mean_recall = "recall_macro",
  mean_precision = "precision_macro", mean_pos_pred_value = "precision_macro",
  pos_pred_value = "precision", neg_pred_value = "negative_predictive_value",
  detection_prevalence = "detection_prevalence", f1score = "f1", fbeta_score = "f_beta",
  fscore = "f_beta", multilogloss = "log_loss", mlogloss = "log_loss", zerooneloss = "zero_one_loss",
  error = "zero_one_loss", merror = "zero_one_loss", class = "zero_one_loss", r2_score = "r2",
  poisson_logloss = "poisson_log_loss", ci.auc = "roc_auc", multiclass.roc = "roc_auc_ovo",
  mauc = "roc_auc_ovr", mauc_aunu = "roc_auc_ovr", mauc_aunp = "roc_auc_ovr_weighted",
  mauc_au1u = "roc_auc_ovo", c = "concordance_index", "c-index" = "concordance_index", mphe = "pseudo_huber_loss",
  accuracy_score = "accuracy", roc_auc_score = "roc_auc", cohen_kappa_score = "kappa",
  balanced_accuracy_score = "balanced_accuracy", precision_score = "precision",
  recall_score = "recall", jaccard_score = "jaccard", brier_score_loss = "brier_score",
  average_precision_score = "average_precision", explained_variance_score = "explained_variance",
  mean_pinball_loss = "pinball_loss", mean_poisson_deviance = "poisson_deviance",
  mean_gamma_deviance = "gamma_deviance"
)

# Why others are no metric here, and what to do instead.
a_count <- "it counts rows, and so depends on how many are drawn: sensitivity, specificity or precision"
no_middle <- "a quantile of the rows' errors is no metric here: bbc_custom_metric(), or mean_absolute_error"
at_zero <- "its best value is 0, between bad ones, so it cannot select: mean_absolute_error"
by_class <- "its mean over classes is no metric here: of two classes %s, of more bbc_custom_metric()"
other_censoring <- paste("mlr3 weighs rows for censoring by the rows of training, and bbcr by Kaplan-Meier on",
                         "all rows: bbc_metric(\"%s\", %s = ...)")
reasons_elsewhere <- c(
  prauc = paste("its curve is interpolated otherwise: pr_auc, which interpolates linearly, or",
                "average_precision, which does not"),
  aucpr = paste("its curve is interpolated otherwise: pr_auc, which interpolates linearly, or",
                "average_precision, which does not"),
  mean_specificity = sprintf(by_class, "specificity"),
  mean_neg_pred_value = sprintf(by_class, "negative_predictive_value"),
  mean_balanced_accuracy = sprintf(by_class, "balanced_accuracy"),
  mean_detection_rate = "the accuracy, divided by the number of classes: accuracy",
  detection_rate = "it is at most the share of the event, whatever is called: sensitivity",
  prevalence = "it does not depend on predictions: accuracy",
  gini = "of two classes it is 2 roc_auc - 1: roc_auc",
  normalizedgini = "of two classes it is 2 roc_auc - 1: roc_auc",
  ks_stat = paste("100 times Youden's index at the best cut-off: youden_index with",
                  "selection = bbc_best_threshold()"),
  area_under_curve = "the area under any curve: roc_auc or average_precision",
  partial.auc = "a part of the curve: bbc_roc_curve(fit, partial = )",
  medianae = no_middle, medianape = no_middle, medae = no_middle, medse = no_middle,
  maxae = no_middle, neg_max_error = no_middle, max_error = no_middle,
  neg_median_absolute_error = no_middle, median_absolute_error = no_middle,
  rae = paste("mean_absolute_error, divided by that of the mean of the truth, which varies between",
              "draws: mean_absolute_error"),
  rrse = "the root of 1 - r2: r2", rse = "1 - r2: r2",
  rmspe = "mean squares of relative errors are no metric here: mean_absolute_percentage_error",
  bias = at_zero, pbias = at_zero,
  sae = "a sum over rows: mean_absolute_error", sse = "a sum over rows: mean_squared_error",
  ktau = "of correlations of ranks there is one: spearman",
  costs = paste("it needs your costs: give the cost of each row as predictions, and metric",
                "\"row_loss\""),
  dor = "the odds of two other metrics, which has no limits: youden_index",
  fdr = "1 - precision: precision", fomr = "1 - negative_predictive_value: negative_predictive_value",
  fnr = "1 - sensitivity: sensitivity", fpr = "1 - specificity: specificity",
  tp = a_count, tn = a_count, fp = a_count, fn = a_count,
  mauc_au1p = "its pairs of classes are weighted otherwise: roc_auc_ovo or roc_auc_ovo_weighted",
  mauc_mu = "its pairs of classes are counted otherwise: roc_auc_ovo",
  surv.brier = sprintf(other_censoring, "integrated_brier_score", "times"),
  surv.graf = sprintf(other_censoring, "integrated_brier_score", "times"),
  surv.logloss = "of densities there is no metric: integrated_brier_score",
  surv.intlogloss = "of survival probabilities there is another loss: integrated_brier_score",
  surv.rcll = "of densities there is no metric: integrated_brier_score",
  surv.dcalib = "calibration does not select: bbc_survival_calibration()",
  surv.calib_alpha = "calibration does not select: bbc_survival_calibration()",
  "cox-nloglik" = "a partial likelihood of all rows together: concordance_index",
  ndcg = "it ranks within queries: roc_auc or average_precision",
  map = "it ranks within queries: average_precision",
  deviance = paste("of classes it is twice log_loss, of counts poisson_deviance, and of numbers",
                   "mean_squared_error"),
  top_k_accuracy = "of several guesses there is no metric: log_loss, or bbc_custom_metric()",
  f1_samples = "it is for several labels of a row: each label in a call of its own, by f1",
  d2_log_loss_score = "1 - log_loss, divided by that of the shares of classes: log_loss",
  d2_brier_score = "1 - brier_score, divided by that of the shares of classes: brier_score",
  d2_absolute_error_score = "1 - mean_absolute_error, divided by that of the median: mean_absolute_error",
  positive_likelihood_ratio = "a quotient without limits: youden_index",
  neg_negative_likelihood_ratio = "a quotient without limits: youden_index"
)

# The name as it stands in these tables.
plain_name <- function(name) gsub("[[:space:]]+", "_", sub("^(classif|regr)[.]", "", lower(name)))

# Why a metric of another package is not taken; NULL if nothing is known of it.
reason_elsewhere <- function(name) {
  if (name %in% names(yardstick_reasons)) return(yardstick_reasons[[name]])
  plain <- plain_name(name)
  if (plain %in% names(reasons_elsewhere)) reasons_elsewhere[[plain]]
}
