# Names of metrics as other packages use them: each is known, or refused with ours of the same definition
# first, or with the reason why there is none.

# Known by themselves ("="), by another name, or ("!") with a reason that names what to use instead.
elsewhere <- list(
  caret = c(
    Accuracy = "accuracy", Kappa = "kappa", ROC = "roc_auc", Sens = "sensitivity", Spec = "specificity",
    RMSE = "root_mean_squared_error", Rsquared = "squared_pearson", MAE = "mean_absolute_error",
    logLoss = "log_loss", AUC = "roc_auc", prAUC = "! average_precision", Precision = "precision",
    Recall = "recall", F = "f1", Mean_F1 = "f1_macro", Mean_Sensitivity = "recall_macro",
    Mean_Specificity = "! specificity", Mean_Pos_Pred_Value = "precision_macro",
    Mean_Neg_Pred_Value = "! negative_predictive_value", Mean_Precision = "precision_macro",
    Mean_Recall = "recall_macro", Mean_Detection_Rate = "! accuracy",
    Mean_Balanced_Accuracy = "! balanced_accuracy", "Balanced Accuracy" = "balanced_accuracy",
    "Pos Pred Value" = "precision", "Neg Pred Value" = "negative_predictive_value", F1 = "f1",
    Prevalence = "! accuracy", "Detection Rate" = "! sensitivity",
    "Detection Prevalence" = "detection_prevalence", Sensitivity = "sensitivity",
    Specificity = "specificity"
  ),
  MLmetrics = c(
    AUC = "roc_auc", Accuracy = "accuracy", Area_Under_Curve = "! roc_auc", F1_Score = "f1",
    FBeta_Score = "f_beta", Gini = "! roc_auc", KS_Stat = "! youden_index", LogLoss = "log_loss",
    MAE = "mean_absolute_error", MAPE = "mean_absolute_percentage_error",
    MedianAE = "! mean_absolute_error", MedianAPE = "! mean_absolute_error", MSE = "mean_squared_error",
    MultiLogLoss = "log_loss", NormalizedGini = "! roc_auc", PRAUC = "! pr_auc",
    Poisson_LogLoss = "poisson_log_loss", Precision = "precision", R2_Score = "r2",
    RAE = "! mean_absolute_error", Recall = "recall", RMSE = "root_mean_squared_error",
    RMSLE = "root_mean_squared_log_error", RMSPE = "! mean_absolute_percentage_error", RRSE = "! r2",
    Sensitivity = "sensitivity", Specificity = "specificity", ZeroOneLoss = "zero_one_loss"
  ),
  ModelMetrics = c(
    auc = "roc_auc", brier = "brier_score", ce = "zero_one_loss", f1Score = "f1", fScore = "f_beta",
    gini = "! roc_auc", kappa = "=", logLoss = "log_loss", mae = "=", mauc = "roc_auc_ovr", mcc = "=",
    mlogLoss = "log_loss", mse = "=", msle = "mean_squared_log_error", npv = "=", ppv = "=",
    precision = "=", recall = "=", rmse = "=", rmsle = "root_mean_squared_log_error", sensitivity = "=",
    specificity = "=", tnr = "specificity", tpr = "sensitivity"
  ),
  pROC = c(auc = "roc_auc", roc = "roc_auc", ci.auc = "roc_auc", multiclass.roc = "roc_auc_ovo",
           partial.auc = "! bbc_roc_curve"),
  mlr3 = c(
    classif.acc = "accuracy", classif.auc = "roc_auc", classif.bacc = "balanced_accuracy",
    classif.bbrier = "brier_score", classif.ce = "zero_one_loss", classif.costs = "! row_loss",
    classif.dor = "! youden_index", classif.fbeta = "f_beta", classif.fdr = "! precision",
    classif.fn = "! sensitivity", classif.fnr = "! sensitivity",
    classif.fomr = "! negative_predictive_value", classif.fp = "! specificity",
    classif.fpr = "! specificity", classif.logloss = "log_loss", classif.mauc_au1p = "! roc_auc_ovo",
    classif.mauc_au1u = "roc_auc_ovo", classif.mauc_aunp = "roc_auc_ovr_weighted",
    classif.mauc_aunu = "roc_auc_ovr", classif.mauc_mu = "! roc_auc_ovo",
    classif.mbrier = "brier_score", classif.mcc = "mcc", classif.npv = "negative_predictive_value",
    classif.ppv = "precision", classif.prauc = "! average_precision", classif.precision = "precision",
    classif.recall = "recall", classif.sensitivity = "sensitivity",
    classif.specificity = "specificity", classif.tn = "! specificity", classif.tnr = "specificity",
    classif.tp = "! sensitivity", classif.tpr = "sensitivity", regr.bias = "! mean_absolute_error",
    regr.ktau = "! spearman", regr.mae = "mean_absolute_error",
    regr.mape = "mean_absolute_percentage_error", regr.maxae = "! mean_absolute_error",
    regr.medae = "! mean_absolute_error", regr.medse = "! mean_absolute_error",
    regr.mse = "mean_squared_error", regr.msle = "mean_squared_log_error",
    regr.pbias = "! mean_absolute_error", regr.pinball = "pinball_loss",
    regr.rae = "! mean_absolute_error", regr.rmse = "root_mean_squared_error",
    regr.rmsle = "root_mean_squared_log_error", regr.rrse = "! r2", regr.rse = "! r2", regr.rsq = "r2",
    regr.sae = "! mean_absolute_error", regr.smape = "smape_percent", regr.srho = "spearman",
    regr.sse = "! mean_squared_error", surv.cindex = "concordance_index",
    surv.brier = "! integrated_brier_score", surv.graf = "! integrated_brier_score",
    surv.rcll = "! integrated_brier_score", surv.logloss = "! integrated_brier_score",
    surv.intlogloss = "! integrated_brier_score", surv.dcalib = "! bbc_survival_calibration",
    surv.calib_alpha = "! bbc_survival_calibration"
  ),
  scikit_learn = c(
    accuracy = "=", balanced_accuracy = "=", top_k_accuracy = "! log_loss", average_precision = "=",
    neg_brier_score = "=", f1 = "=", f1_micro = "=", f1_macro = "=", f1_weighted = "=",
    f1_samples = "! f1", neg_log_loss = "=", precision = "=", precision_macro = "=", recall = "=",
    jaccard = "=", roc_auc = "=", roc_auc_ovr = "=", roc_auc_ovo = "=", roc_auc_ovr_weighted = "=",
    roc_auc_ovo_weighted = "=", d2_log_loss_score = "! log_loss", d2_brier_score = "! brier_score",
    matthews_corrcoef = "=", positive_likelihood_ratio = "! youden_index",
    neg_negative_likelihood_ratio = "! youden_index", explained_variance = "=",
    neg_max_error = "! mean_absolute_error", neg_mean_absolute_error = "=",
    neg_mean_squared_error = "=", neg_root_mean_squared_error = "=", neg_mean_squared_log_error = "=",
    neg_median_absolute_error = "! mean_absolute_error", r2 = "=", neg_mean_poisson_deviance = "=",
    neg_mean_gamma_deviance = "=", neg_mean_absolute_percentage_error = "=",
    d2_absolute_error_score = "! mean_absolute_error", accuracy_score = "accuracy",
    roc_auc_score = "roc_auc", cohen_kappa_score = "kappa", f1_score = "f1", r2_score = "r2",
    brier_score_loss = "brier_score", jaccard_score = "jaccard", log_loss = "="
  ),
  glmnet = c(deviance = "! log_loss", class = "zero_one_loss", auc = "roc_auc", mse = "=", mae = "=",
             C = "concordance_index"),
  xgboost = c(logloss = "log_loss", error = "zero_one_loss", merror = "zero_one_loss",
              mlogloss = "log_loss", auc = "roc_auc", aucpr = "! average_precision", rmse = "=",
              rmsle = "root_mean_squared_log_error", mae = "=", mphe = "pseudo_huber_loss",
              ndcg = "! roc_auc", map = "! average_precision", "cox-nloglik" = "! concordance_index")
)

test_that("names of metrics of other packages are known, or answered with ours", {
  for (package in names(elsewhere)) {
    for (name in names(elsewhere[[package]])) {
      expected <- elsewhere[[package]][[name]]
      said <- tryCatch(bbc_metric(name)$name, bbc_error = conditionMessage)
      label <- paste(package, name)
      if (expected == "=") {
        expect_no_match(said, "`metric`", label = label)
      } else if (startsWith(expected, "!")) {
        expect_match(said, sprintf("\"%s\" is not taken: .*%s", name, sub("! ", "", expected)), label = label)
      } else {
        expect_match(said, sprintf("\"%s\"; did you mean %s( or|[?])", name, expected), label = label)
      }
    }
  }
})

test_that("what is offered in place of a name can be used", {
  for (ours in unique(bbcr:::same_elsewhere)) expect_s3_class(bbc_metric(ours), "bbc_metric")
  both <- c(names(bbcr:::same_elsewhere), names(bbcr:::reasons_elsewhere))
  expect_false(any(duplicated(both)))
  expect_false(any(both %in% bbc_metrics()$name))
})

set.seed(3)
n <- 90
y <- factor(sample(c("a", "b"), n, TRUE))
share <- plogis(1.5 * (y == "a") - 0.7 + rnorm(n))  # of the event "a"
called <- factor(ifelse(share > 0.5, "a", "b"))
three <- factor(sample(c("a", "b", "c"), n, TRUE, c(0.5, 0.3, 0.2)))
shares <- matrix(rexp(3 * n), n, dimnames = list(NULL, levels(three))) + diag(3)[as.integer(three), ]
shares <- shares / rowSums(shares)
called_three <- factor(levels(three)[max.col(shares)], levels(three))
counts <- rpois(n, 4) + 1
numbers <- pmax(counts + rnorm(n), 0.5)

ours <- function(metric, predictions, truth, ...) {
  suppressWarnings(bbc_correct(predictions, truth, metric, n_bootstraps = 40, seed = 1, ...))$apparent
}
of_labels <- function(metric) ours(metric, matrix(as.character(called)), y, event_level = "a")
of_share <- function(metric) ours(metric, matrix(share), y, event_level = "a")
of_shares <- function(metric) ours(metric, array(shares, c(n, 1, 3)), three)
of_numbers <- function(metric) ours(metric, matrix(numbers), counts)

test_that("the names of caret have the values of caret", {
  skip_if_not_installed("caret")
  two <- data.frame(obs = y, pred = called, a = share, b = 1 - share)
  confusion <- caret::confusionMatrix(called, y, mode = "everything")
  for (name in c("Sensitivity", "Specificity", "Pos Pred Value", "Neg Pred Value", "Precision", "Recall",
                 "F1", "Balanced Accuracy", "Detection Prevalence")) {
    metric <- sub("recall", "sensitivity", elsewhere$caret[[name]])
    expect_equal(of_labels(metric), confusion$byClass[[name]], label = name)
  }
  expect_equal(of_labels("kappa"), caret::postResample(called, y)[["Kappa"]])
  expect_equal(of_numbers("squared_pearson"), caret::postResample(numbers, counts)[["Rsquared"]])
  expect_gt(abs(of_numbers("r2") - caret::postResample(numbers, counts)[["Rsquared"]]), 0.01)
  expect_equal(of_numbers("root_mean_squared_error"), caret::RMSE(numbers, counts))
  expect_equal(of_labels("f1"), caret::F_meas(called, y, "a"))
  of_three <- function(metric) ours(metric, matrix(as.character(called_three)), three)
  means <- colMeans(caret::confusionMatrix(called_three, three, mode = "everything")$byClass)
  for (name in c("F1", "Sensitivity", "Pos Pred Value", "Precision", "Recall")) {
    metric <- elsewhere$caret[[paste0("Mean_", gsub(" ", "_", name))]]
    expect_equal(of_three(metric), means[[name]], label = name)
  }
  expect_equal(of_three("accuracy") / 3, means[["Detection Rate"]])
  skip_if_not_installed("ModelMetrics")
  expect_equal(of_share("log_loss"), caret::mnLogLoss(two, levels(y))[["logLoss"]])
  skip_if_not_installed("pROC")
  expect_equal(of_share("roc_auc"), caret::twoClassSummary(two, levels(y))[["ROC"]])
})

test_that("the names of ModelMetrics and pROC have their values", {
  skip_if_not_installed("ModelMetrics")
  event <- as.integer(y == "a")
  expect_equal(of_share("roc_auc"), ModelMetrics::auc(event, share))
  expect_equal(2 * of_share("roc_auc") - 1, ModelMetrics::gini(event, share))
  expect_equal(of_share("brier_score"), ModelMetrics::brier(event, share))
  expect_equal(of_shares("log_loss"), ModelMetrics::mlogLoss(three, shares))
  expect_equal(of_shares("roc_auc_ovr"), ModelMetrics::mauc(three, shares)$mauc)
  expect_equal(of_labels("zero_one_loss"), ModelMetrics::ce(y, called))
  expect_equal(of_labels("mcc"), ModelMetrics::mcc(event, share, 0.5))
  expect_equal(of_labels(bbc_metric("f_beta", beta = 2)), ModelMetrics::fScore(event, share, 0.5, beta = 2))
  expect_equal(of_numbers("mean_squared_log_error"), ModelMetrics::msle(counts, numbers))
  skip_if_not_installed("pROC")
  expect_equal(of_shares("roc_auc_ovo"), as.numeric(pROC::multiclass.roc(three, shares, quiet = TRUE)$auc))
})
