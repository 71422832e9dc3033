# Written by r-bridge/sentences.py from python/bbc/_sentences/sentences.toml: change that file, and
# run `python r-bridge/sentences.py`. wording.R reads it.

given_facts <- list(
  data = c(
    "n_units", "units", "needs_classes", "skewed", "survival", "n_of_rarest", "rarest",
    "n_of_counted", "counted", "n_split_groups", "n_groups", "block_groups", "time_ordered"),
  draws = c("redrawn_share", "n_redrawn", "n_bootstraps", "metric"),
  limits = c("limits_count_events", "replicates_low", "replicates_high"),
  luck = c("luck_matters", "luck_bias", "luck_p"),
  winner = c(
    "n_rows", "row_share", "row_dominates", "ranks_labels", "ranks_worse_than_chance",
    "in_folds", "auc", "worse_than_curve", "score", "curve_score", "equals_truth"),
  origin = c(
    "dynamic_search", "time_ordered", "block_draws", "first_mixed", "n_mixed", "n_more_mixed"),
  search = c("n_trials", "n_last_halving", "n_searched", "time_ordered_folds"),
  scorers = c("score_difference"),
  small_folds = c("single_row_fold"),
  dropping = c("n_predictions_at_drop"),
  result = c(
    "method", "n_configurations", "winner_share", "single_hold_out", "n_folds", "estimate",
    "lowest", "highest", "effective_sample_size", "width", "width_share", "at_best"),
  bound = c("effective_sample_size"),
  path = c(
    "n_at_peak", "n_configurations", "fall", "fall_low", "apparent_rise"))

finding_kinds <- list(
  BBC001 = list(
    title = "apparent score not corrected for selection", level = "note",
    why = "The best cross-validation score among many configurations is optimistically biased.",
    advice = "report a corrected estimate: BBC() in the protocol's place, or bbc_correct()",
    cases = list(
      list(
        when = list(c("method", "==", "cvt"), list("n_configurations", ">", 1)),
        text = "the best of {n_configurations} configurations"))),
  BBC002 = list(
    title = "few rows for this metric", level = "note", why = paste0(
      "With few rows, or few rows of a class, the metric takes few distinct values in the ",
      "replicates, and intervals are wide and coarse."),
    advice = "report the interval with the estimate; collect more rows if possible",
    cases = list(
      list(
        when = list(list("n_units", "<", 20)), text = "{n_units:.3g} {units}"), list(
        when = list(
          list("needs_classes", "is", NULL), list("n_of_rarest", "<", 10),
          list("skewed", "not", NULL)), text = "{n_of_rarest:.3g} {units} {of_rarest}"), list(
        when = list(
          list("needs_classes", "is", NULL), list("n_of_rarest", "<", 10),
          list("n_of_counted", ">=", 10)), text = "{n_of_rarest:.3g} {units} {of_rarest}"))),
  BBC003 = list(
    title = "winner unstable", level = "note", why = paste0(
      "Other samples would have selected another configuration. The estimate remains valid: it ",
      "is the expected performance of selection followed by training, over samples. The share ",
      "of the replicates that a configuration won is not its probability of being the best."),
    advice = paste0(
      "do not interpret which configuration won; bbc_possible_winners() finds those that could ",
      "be the best"), cases = list(
      list(
        when = list(
          list("n_configurations", ">", 1), list("winner_share", "<", 0.5)),
        text = "chosen in {winner_share:percent} of the replicates"))),
  BBC004 = list(
    title = "TT outside its range", level = "warning", why = paste0(
      "The correction of Tibshirani and Tibshirani averages differences between scores of ",
      "single folds. With small folds it can leave the metric's range."),
    advice = "use bbc_correct(), or larger folds", cases = list(
      list(
        when = list(list("single_row_fold", "is", NULL)), text = "a fold has a single row"),
      list(
        when = list(
          c("method", "==", "tt"), list("estimate", "<", list(fact = "lowest"))),
        text = "{estimate:g} is not within [{lowest:g}, {highest:g}]"), list(
        when = list(
          c("method", "==", "tt"), list("estimate", ">", list(fact = "highest"))),
        text = "{estimate:g} is not within [{lowest:g}, {highest:g}]"))),
  BBC005 = list(
    title = "pooled decision values", level = "warning", why = paste0(
      "Decision values of models from different folds need not share a scale, but pooling ",
      "ranks them together, and so does a cut-off that is chosen for all folds."),
    advice = "use probabilities, or pooling = \"fold\" (which does not help a chosen cut-off)",
    cases = list(
      list(
        when = list(list("n_mixed", "==", 1)), text = "{first_mixed}"), list(
        when = list(list("n_mixed", "==", 2)), text = "{first_mixed} and 1 other"), list(
        when = list(list("n_mixed", ">", 2)), text = "{first_mixed} and {n_more_mixed} others"))),
  BBC006 = list(
    title = "many redraws", level = "warning", why = paste0(
      "Replicates that leave the metric undefined are redrawn. If many are, the sample is too ",
      "small for this metric."), advice = "consider stratify_bootstrap = TRUE", cases = list(
      list(
        when = list(list("redrawn_share", ">", 0.1)),
        text = "{n_redrawn} draws for {n_bootstraps} replicates left '{metric}' undefined"))),
  BBC007 = list(
    title = "dynamic search", level = "warning", why = paste0(
      "The search chose configurations depending on the scores of earlier ones. The theory of ",
      "the correction assumes configurations that are fixed in advance."),
    advice = "treat the estimate as approximate, or re-evaluate a fixed list of configurations",
    cases = list(
      list(
        when = list(list("n_trials", "known", NULL)),
        text = "an Optuna search of {n_trials} trials, each chosen seeing scores"), list(
        when = list(list("n_last_halving", "known", NULL)),
        text = "a halving search; its last iteration has {n_last_halving:count configuration}"),
      list(
        when = list(list("n_searched", "known", NULL)),
        text = "of {n_searched:count configuration}"), list(
        when = list(list("dynamic_search", "is", NULL)),
        text = "configurations were chosen by earlier scores"))),
  BBC008 = list(
    title = "interval uninformative", level = "note", why = paste0(
      "An interval that spans half of the metric's range says little about the performance. ",
      "One of zero width means that the replicates do not vary, not that the performance is ",
      "known."), advice = paste0(
      "check for leakage if the scores are perfect; otherwise collect more rows, or report ",
      "that the data are inconclusive"), cases = list(
      list(
        when = list(list("width", "==", 0), list("at_best", "is", NULL)),
        text = "it has no width, at the best possible score"), list(
        when = list(list("width", "==", 0)), text = "it has no width"), list(
        when = list(list("width_share", ">=", 0.5)),
        text = "it spans {width_share:percent} of the metric's range"))),
  BBC009 = list(
    title = "dropping began too early", level = "note", why = paste0(
      "With fewer than 50 predictions per configuration, a good configuration can be dropped ",
      "by chance."), advice = "raise min_predictions", cases = list(
      list(
        when = list(list("n_predictions_at_drop", "<", 50)),
        text = "after {n_predictions_at_drop} predictions per configuration"))),
  BBC010 = list(
    title = "groups ignored", level = "warning", why = paste0(
      "Rows of a group are dependent. If folds or replicates treat them as independent, the ",
      "estimate is optimistically biased and its interval too short."),
    advice = "train with folds that keep each group together", cases = list(
      list(
        when = list(
          list("n_split_groups", ">", 0), list("time_ordered", "not", NULL)),
        text = "{split_groups}"), list(
        when = list(
          list("n_split_groups", ">", 0), list("block_groups", "not", NULL)),
        text = "{split_groups}"))),
  BBC011 = list(
    title = "fitted models differ", level = "warning", why = paste0(
      "A configuration is scored through the few models fitted for it, and some are lucky in ",
      "their initial values, sampled features or training rows. Selection favours lucky ",
      "models. A bootstrap of rows does not remove this bias, and the model trained on all ",
      "rows does not inherit the luck."), advice = paste0(
      "use method = \"bbc-two-level\", give each configuration one seed for its folds and its ",
      "refit, or use more folds or repeats"), cases = list(
      list(
        when = list(list("luck_matters", "is", NULL)),
        text = "the estimate is predicted to be too good by {luck_bias:.2g} (p = {luck_p:.2g})"),
      list(
        when = list(list("single_hold_out", "is", NULL)),
        text = "a single hold-out cannot show whether they do"))),
  BBC012 = list(
    title = "uneven importance weights", level = "note", why = paste0(
      "Bootstrap tilting weights the replicates. With an effective sample size below 100, a ",
      "few of them determine the bound: it varies with the seed and, for a rare class, is ",
      "often too high."), advice = "use bbc_bound(..., method = \"bbc\")", cases = list(
      list(
        when = list(list("effective_sample_size", "<", 100)),
        text = "an effective sample size of {effective_sample_size:.3g}"))),
  BBC013 = list(
    title = "one row dominates the loss", level = "note", why = paste0(
      "A mean loss with outliers depends on how many of them the sample happens to contain. ",
      "Intervals are then too short, and often miss the expected loss."), advice = paste0(
      "inspect that row, and also report a metric that is less sensitive to outliers, such as ",
      "mean_absolute_error"), cases = list(
      list(
        when = list(list("row_dominates", "is", NULL)),
        text = "{row_share:percent} of the winner's loss is that of one row of {n_rows}"))),
  BBC014 = list(
    title = "few rows of a class for this metric", level = "note", why = paste0(
      "With few rows of a class, the expectation of average precision is far above its ",
      "population value. F1, MCC, balanced accuracy and similar metrics depend on a handful of ",
      "rows: their intervals span most of the range, or miss the population value."),
    advice = "also report roc_auc, or collect more rows of that class", cases = list(
      list(
        when = list(list("skewed", "is", NULL), list("n_of_counted", "<", 10)),
        text = "{n_of_counted:.3g} {units} {of_counted}"))),
  BBC015 = list(
    title = "few folds to draw from", level = "note", why = paste0(
      "Two folds allow two distinct replicates, three allow nine, and four allow 34. Intervals ",
      "from two folds cover the expected performance about half of the time; with fewer than ",
      "four folds there is an estimate but no interval."),
    advice = "use five folds or more, or draw rows: method = \"bbc\"", cases = list(
      list(
        when = list(
          list("method", "in", c("bbc-f", "bbc-two-level")), list("n_folds", ">", 0),
          list("n_folds", "<", 5)), text = "{n_folds:count fold}"))),
  BBC016 = list(
    title = "labels ranked as scores", level = "warning", why = paste0(
      "Labels have a single threshold. Their AUC is the mean of sensitivity and specificity, ",
      "which is lower than the AUC of the scores behind them."),
    advice = "pass probabilities or decision values of the event", cases = list(
      list(
        when = list(list("ranks_labels", "is", NULL)),
        text = "the winner's predictions are labels"))),
  BBC017 = list(
    title = "winner equals the truth", level = "warning", why = paste0(
      "Some data are perfectly separable. More often, predictions that equal the truth in ",
      "every row are the truth itself, or come from a feature that contains it."),
    advice = "check where these predictions come from", cases = list(
      list(
        when = list(list("equals_truth", "is", NULL)),
        text = "its predictions are the truth in all {n_rows} rows"))),
  BBC018 = list(
    title = "time-ordered splitter", level = "warning", why = paste0(
      "The bootstrap assumes exchangeable rows. Where neighbouring rows are dependent, as in a ",
      "time series, intervals are too short and the estimate is optimistically biased. The ",
      "models of early folds were trained on fewer rows than the final model."),
    advice = "draw blocks of neighbouring rows: bbc_correct(..., groups = ...)", cases = list(
      list(
        when = list(
          list("time_ordered", "is", NULL), list("block_draws", "not", NULL)),
        text = "each row was predicted by models of earlier rows"), list(
        when = list(list("time_ordered_folds", "is", NULL)),
        text = "each fold was predicted by models of earlier rows"))),
  BBC019 = list(
    title = "overtuned", level = "note", why = paste0(
      "The apparent score can only rise with the number of configurations. Where the corrected ",
      "one falls, later configurations are selected for their luck, in the place of better ",
      "ones."),
    advice = "stop the search earlier, or repeat the cross-validation so that its scores vary less",
    cases = list(
      list(
        when = list(list("apparent_rise", ">", 0), list("fall_low", ">", 0)), text = paste0(
          "from {n_at_peak} to {n_configurations} configurations the corrected performance ",
          "worsens by {fall:.2g} (at least {fall_low:.2g}), while the apparent one improves by ",
          "{apparent_rise:.2g}")))),
  BBC020 = list(
    title = "winner ranks worse than chance", level = "warning", why = paste0(
      "The best of the configurations puts rows of the negative class above those of the ",
      "positive one, more often than chance explains (one-sided test of the AUC of rows of one ",
      "fold, at the level .001, which allows for training rows that folds share). Mostly the ",
      "scores are those of the other class. Pooled scores of leave-one-out fall below one half ",
      "on noise; with folds they are not tested."), advice = paste0(
      "check which class the scores are of (event_level), and pass folds if each left out few ",
      "rows"), cases = list(
      list(
        when = list(
          list("ranks_worse_than_chance", "is", NULL), list("in_folds", "is", NULL)),
        text = "its AUC within folds is {auc:.3g}"), list(
        when = list(list("ranks_worse_than_chance", "is", NULL)), text = "its AUC is {auc:.3g}"))),
  BBC021 = list(
    title = "few events or errors", level = "note", why = paste0(
      "Replicates of few events, or with few errors among them, vary less than scores of as ",
      "many rows or groups do. The limits are those of a score interval, which counts them."),
    advice = "nothing, the interval allows for it; more rows of the rarer class make it shorter",
    cases = list(
      list(
        when = list(list("limits_count_events", "is", NULL)),
        text = "the replicates alone give [{replicates_low:.3g}, {replicates_high:.3g}]"))),
  BBC022 = list(
    title = "scores differ from the scorer's", level = "warning", why = paste0(
      "Scikit-learn's scorer gives a fitted model another score than the correction computes ",
      "from its predictions: they read another class, response, order of rows, or weights."),
    advice = "find out which of the two is meant before the result is used", cases = list(
      list(
        when = list(list("score_difference", "is", NULL)), text = "{score_difference}"))),
  BBC023 = list(
    title = "winner worse than the Kaplan-Meier curve", level = "warning", why = paste0(
      "The Kaplan-Meier curve of the rows, which gives all of them the same probability of ",
      "surviving a time, predicts better than the best of the configurations, by more than ",
      "chance explains (one-sided test of row losses at the level .01, which allows for ",
      "training rows that folds share, and for the curve being estimated from the rows that it ",
      "predicts). Mostly the predictions are probabilities of the event (1 - S), or of ",
      "surviving another time; else the models fit noise."), advice = paste0(
      "check that the predictions are probabilities of surviving the metric's time, on the ",
      "scale of 0 to 1"), cases = list(
      list(
        when = list(list("worse_than_curve", "is", NULL)),
        text = "its score is {score:.3g}, that of the curve {curve_score:.3g}"))))

sentences <- list(
  split_groups = list(
    list(
      when = list(),
      text = "the folds put rows of {n_split_groups} of {n_groups} groups into several folds")),
  corrected = list(
    list(
      when = list(
        list("method", "in", c("bbc", "bbc-two-level", "bbc-f", "bbcd"))), text = "yes")),
  of_winner = list(
    list(
      when = list(
        list("method", "in", c("hybrid", "conditional", "projection"))), text = "yes")),
  expected = list(
    list(when = list(list("corrected", "is", NULL)), text = "expected"),
    list(when = list(), text = "estimated")),
  model = list(
    list(
      when = list(list("of_winner", "is", NULL)), text = "selected configuration"), list(
      when = list(list("n_configurations", ">", 1)), text = "tuned model"),
    list(when = list(), text = "model")),
  interval = list(
    list(
      when = list(c("alternative", "==", "greater")),
      text = "{level:g} % lower bound {low:rounded}"), list(
      when = list(c("alternative", "==", "less")),
      text = "{level:g} % upper bound {high:rounded}"), list(
      when = list(list("level", "known", NULL)),
      text = "{level:g} % CI {low:rounded} to {high:rounded}")),
  interval_or_none = list(
    list(when = list(list("interval", "is", NULL)), text = "{interval}"),
    list(when = list(), text = "no interval from this method")),
  in_brackets = list(
    list(
      when = list(list("interval", "is", NULL)), text = " ({interval})")),
  report_title = list(list(when = list(), text = "Performance of a {model}: {title}")),
  headline = list(
    list(
      when = list(),
      text = "The {expected} {title} of the {model} on new rows is {estimate:rounded}{in_brackets}.")),
  direction = list(
    list(when = list(list("optimism", ">=", 0)), text = "optimistic"),
    list(when = list(), text = "pessimistic")),
  chosen = list(
    list(when = list(list("n_members", ">", 0)), text = "ensemble"),
    list(when = list(), text = "configuration")),
  chosen_with = list(
    list(
      when = list(list("threshold", "known", NULL)), text = "configuration, with its cut-off,"),
    list(when = list(), text = "{chosen}")),
  uncorrected = list(
    list(when = list(list("apparent", "unknown", NULL)), text = ""),
    list(when = list(list("optimism", "unknown", NULL)), text = ""), list(
      when = list(c("method", "==", "cvt")),
      text = "This is the apparent score of the winner, not corrected for selection."), list(
      when = list(list("selects", "not", NULL)),
      text = "The apparent score is {apparent:rounded}."), list(
      when = list(), text = paste0(
        "The apparent score of the selected {chosen}, {apparent:rounded}, is estimated to be ",
        "{direction} by {optimism_size:rounded}."))),
  no_interval = list(
    list(
      when = list(list("infeasible", "is", NULL)), text = "There is no interval: {infeasible}")),
  several_metrics = list(
    list(
      when = list(list("selects", "not", NULL)),
      text = "All metrics are of the one configuration."), list(
      when = list(),
      text = "All metrics are of the one configuration that was selected by {selecting_title}.")),
  replicates_caption = list(
    list(
      when = list(list("selects", "not", NULL)),
      text = "Each replicate scores the configuration out of bag."), list(
      when = list(),
      text = "Each replicate repeats the selection and scores the selected {chosen_with} out of bag.")),
  several_results = list(
    list(
      when = list(), text = "Each section is one result, with its own data and selection.")),
  in_groups = list(
    list(
      when = list(list("n_groups", "known", NULL)), text = " in {n_groups:count group}")),
  other_rows = list(
    list(
      when = list(list("n_others", ">", 0)),
      text = " (of {n_rows}; the others lack predictions)")),
  scored_rows = list(
    list(
      when = list(list("n_scored", "known", NULL)),
      text = "{n_scored:count row}{other_rows}{in_groups}"), list(
      when = list(list("n_rows", ">", 0)), text = "{n_rows:count row}"),
    list(when = list(), text = "an unknown number of rows")),
  event_groups = list(
    list(
      when = list(list("n_groups_with_event", "known", NULL)),
      text = " in {n_groups_with_event:count group}")),
  events = list(
    list(
      when = list(list("n_events", "known", NULL)),
      text = "{n_events:count event}{event_groups}"),
    list(when = list(), text = "{class_counts}")),
  of_class = list(list(when = list(), text = "{n_of_class} of class {label}")),
  of_rarest = list(
    list(
      when = list(list("survival", "is", NULL)), text = "with an event"),
    list(when = list(), text = "of class {rarest}")),
  of_counted = list(list(when = list(), text = "of class {counted}")),
  sample_size = list(list(when = list(), text = c("; ", "{scored_rows}", "{events}"))),
  cross_validated = list(
    list(
      when = list(
        list(
          "method", "in", c(
            "bbc", "bbc-two-level", "bbc-f", "bbcd", "hybrid", "conditional", "projection",
            "cv", "cvt", "cvm-cv", "ncv", "tt"))), text = "yes")),
  stratified_folds = list(
    list(
      when = list(list("stratified", "is", NULL)), text = "stratified ")),
  number_of_folds = list(
    list(when = list(list("n_folds", ">", 0)), text = "{n_folds}-fold ")),
  grouped_folds = list(
    list(
      when = list(list("grouped", "is", NULL)), text = " that keeps groups together")),
  folds_in_time = list(
    list(
      when = list(list("time_ordered", "is", NULL)), text = " in order of time")),
  repeats = list(
    list(
      when = list(list("n_repeats", ">", 1)), text = " with {n_repeats} repeats")),
  folds = list(
    list(
      when = list(list("n_folds", "==", 1), list("n_repeats", "==", 1)), text = "a hold-out"),
    list(
      when = list(list("n_folds", "==", 1)), text = "{n_repeats} hold-outs"), list(
      when = list(), text = paste0(
        "{stratified_folds}{number_of_folds}cross-validation{grouped_folds}{folds_in_time}{repe",
        "ats}"))),
  evaluation = list(
    list(
      when = list(list("cross_validated", "is", NULL), list("n_folds", ">", 0)),
      text = "{folds}"), list(
      when = list(c("method", "==", "bbc")), text = "held-out predictions"), list(
      when = list(list("of_winner", "is", NULL)), text = "held-out predictions"), list(
      when = list(list("cross_validated", "is", NULL)), text = "{folds}"),
    list(when = list(c("method", "==", "holdout")), text = "a hold-out"), list(
      when = list(c("method", "==", "loo")), text = "leave-one-out cross-validation"), list(
      when = list(c("method", "==", "subsampling")), text = "subsampling"), list(
      when = list(c("method", "==", "oob")), text = "the out-of-bag bootstrap"), list(
      when = list(c("method", "==", "632")), text = "the .632 bootstrap"), list(
      when = list(c("method", "==", "632+")), text = "the .632+ bootstrap"), list(
      when = list(c("method", "==", "632-per-bag")), text = "the .632 bootstrap by sample"),
    list(
      when = list(c("method", "==", "632+-per-bag")), text = "the .632+ bootstrap by sample"),
    list(
      when = list(c("method", "==", "bcv")), text = "bootstrap cross-validation"), list(
      when = list(c("method", "==", "bcv-distinct")),
      text = "bootstrap cross-validation without rows on both sides"), list(
      when = list(c("method", "==", "direct")), text = "a bootstrap of its whole training"),
    list(when = list(), text = "held-out predictions")),
  scheme = list(list(when = list(), text = "{evaluation} on {scored_rows}")),
  dropped = list(
    list(
      when = list(list("n_dropped", "==", 1)),
      text = "1 was dropped after {dropped_first:count fold}"), list(
      when = list(
        list("n_dropped", ">", 0), list("dropped_first", "==", list(fact = "dropped_last"))),
      text = "{n_dropped} were dropped after {dropped_first:count fold}"), list(
      when = list(list("n_dropped", ">", 0)),
      text = "{n_dropped} were dropped after {dropped_first} to {dropped_last} folds")),
  failed = list(
    list(
      when = list(list("n_failed", "==", 1)), text = "1 was left out because a fit failed"),
    list(
      when = list(list("n_failed", ">", 1)),
      text = "{n_failed} were left out because a fit failed")),
  incomplete = list(
    list(
      when = list(list("n_incomplete", "==", 1)),
      text = "1 was left out because predictions were missing"), list(
      when = list(list("n_incomplete", ">", 1)),
      text = "{n_incomplete} were left out because predictions were missing")),
  gone = list(
    list(
      when = list(), text = c(" and ", "{dropped}", "{failed}", "{incomplete}"))),
  left_out = list(list(when = list(list("gone", "is", NULL)), text = "; {gone}")),
  pooled = list(
    list(
      when = list(list("method", "in", c("bbc-f", "ncv", "tt"))), text = ""),
    list(when = list(list("decided_by", "is", NULL)), text = ""), list(
      when = list(c("pooling", "==", "fold")), text = ", averaged over the folds"),
    list(when = list(), text = " on all rows together")),
  selected = list(
    list(
      when = list(list("n_members", ">", 0)), text = paste0(
        "an ensemble of {n_members:count configuration} was selected by ",
        "{selecting_title}{pooled}")), list(
      when = list(list("threshold", "known", NULL)), text = paste0(
        "one was selected by {selecting_title}{pooled}, with a cut-off of {threshold:rounded} ",
        "for its scores")), list(
      when = list(c("rule", "==", "one_standard_error")),
      text = "the least complex within one standard error of the best {selecting_title} was selected"),
    list(
      when = list(c("rule", "==", "callable")),
      text = "one was selected from their values of {selecting_title} by a rule of the authors"),
    list(
      when = list(), text = "one was selected by {selecting_title}{pooled}")),
  compared = list(
    list(
      when = list(list("n_configurations", ">", 1)),
      text = "{n_configurations} configurations were compared by {scheme}{left_out}; {selected}."),
    list(
      when = list(), text = "One configuration was evaluated by {scheme}.")),
  not_seen = list(
    list(
      when = list(), text = "predictions were supplied; {package} did not see the training")),
  training_unseen = list(
    list(
      when = list(c("training", "==", "unknown"), c("method", "==", "tt")),
      text = "Predictions were supplied; {package} did not see the training."), list(
      when = list(
        c("training", "==", "unknown"), list("corrected", "is", NULL)),
      text = "Predictions were supplied; {package} did not see the training."), list(
      when = list(
        c("training", "==", "unknown"), list("of_winner", "is", NULL)),
      text = "Predictions were supplied; {package} did not see the training.")),
  training_seen = list(
    list(
      when = list(c("training", "==", "observed")),
      text = "every scored row was predicted by models that were trained without it"), list(
      when = list(c("training", "==", "reported")),
      text = "scores of held-out folds as the search reports them"),
    list(when = list(), text = "{not_seen}")),
  drawn_units = list(
    list(
      when = list(
        list("block_draws", "is", NULL), list("time_ordered", "is", NULL)),
      text = "blocks of consecutive rows"), list(when = list(), text = "{unit}s")),
  within_classes = list(
    list(
      when = list(list("stratified_draws", "is", NULL)), text = " within classes")),
  drawn = list(
    list(
      when = list(c("method", "==", "bbc-two-level")),
      text = "folds and, in them, {drawn_units}{within_classes}"),
    list(when = list(), text = "{drawn_units}{within_classes}")),
  resampled = list(
    list(
      when = list(list("corrected", "is", NULL)), text = "replicates draw {drawn}"), list(
      when = list(list("naive_bootstrap", "is", NULL)), text = "replicates draw {drawn}"),
    list(when = list(), text = "not resampled")),
  draws = list(
    list(when = list(list("seed", "known", NULL)), text = "seed {seed}"),
    list(when = list(), text = "draws as given")),
  method_name = list(
    list(
      when = list(c("method", "==", "bbc-two-level")),
      text = "two-level bootstrap bias correction, which extends BBC [1] to folds,"),
    list(when = list(c("method", "==", "bbc-f")), text = "BBC-F [1]"),
    list(when = list(), text = "bootstrap bias correction (BBC) [1]")),
  out_of_bag = list(
    list(
      when = list(c("method", "==", "bbc-two-level")), text = "folds"),
    list(when = list(), text = "{unit}s")),
  cited = list(list(when = list(list("citation", "is", NULL)), text = " [1]")),
  weights = list(
    list(
      when = list(list("weighted", "is", NULL)), text = "Rows are weighted.")),
  selects = list(
    list(when = list(list("n_configurations", ">", 1)), text = "yes"),
    list(when = list(list("threshold", "known", NULL)), text = "yes")),
  how = list(
    list(
      when = list(list("corrected", "is", NULL), list("selects", "not", NULL)), text = paste0(
        "Its performance was estimated by {method_name} with {n_bootstraps} replicates that ",
        "draw {drawn} ({draws}; {package} {version}), of which each scores the configuration ",
        "on the {out_of_bag} out of bag.")), list(
      when = list(list("corrected", "is", NULL)), text = paste0(
        "Its performance was corrected for this selection by {method_name} with {n_bootstraps} ",
        "replicates that draw {drawn} ({draws}; {package} {version}): each repeats the ",
        "selection, and scores the selected {chosen_with} on the {out_of_bag} out of bag.")),
    list(
      when = list(list("of_winner", "is", NULL)), text = paste0(
        "The {method} interval for the selected configuration allows for its selection [1] ",
        "({draws}; {package} {version}).")), list(
      when = list(),
      text = "Its performance was estimated by {method_capitals}{cited} ({package} {version}).")),
  estimand = list(
    list(
      when = list(list("corrected", "is", NULL), list("selects", "not", NULL)), text = paste0(
        "The estimate is the expected performance of this training on samples of this size, ",
        "rather than that of the one model trained in the end.")), list(
      when = list(list("corrected", "is", NULL)), text = paste0(
        "The estimate is the expected performance of this procedure, selection and training, ",
        "on samples of this size, rather than that of the one model trained in the end."))),
  interval_kind = list(
    list(when = list(list("corrected", "not", NULL)), text = ""), list(
      when = list(c("interval_by", "==", "order-statistics")), text = paste0(
        "; limits are order statistics of the replicates, or those of a score interval where ",
        "it is wider")), list(
      when = list(c("interval_by", "==", "calibrated")),
      text = "; limits are calibrated for the variance between fitted models")),
  interval_found = list(
    list(
      when = list(list("interval", "is", NULL)), text = " ({interval}{interval_kind})")),
  stated = list(
    list(
      when = list(), text = "The estimate of {title} is {estimate:rounded}{interval_found}.")),
  dynamic = list(
    list(
      when = list(list("dynamic_search", "is", NULL)), text = paste0(
        "The search chose configurations by the scores of earlier ones, which the correction ",
        "does not cover."))),
  methods = list(
    list(
      when = list(), text = c(
        " ", "{compared}", "{training_unseen}", "{weights}", "{how}", "{estimand}", "{stated}",
        "{dynamic}"))),
  others_on_same_rows = list(
    list(
      when = list(list("selects", "not", NULL)),
      text = "All other measures and curves were computed on the same out-of-bag rows."), list(
      when = list(), text = paste0(
        "All other measures and curves were computed on the same out-of-bag rows of the ",
        "configuration that each replicate selected."))),
  citation = list(
    list(
      when = list(list("method", "in", c("bbc", "bbcd", "bbc-two-level"))), text = paste0(
        "I. Tsamardinos, E. Greasidou, G. Borboudakis, Bootstrapping the out-of-sample ",
        "predictions for efficient and accurate cross-validation, Machine Learning 107 (2018) ",
        "1895-1922, doi:10.1007/s10994-018-5714-4")), list(
      when = list(c("method", "==", "bbc-f")), text = paste0(
        "K. Paraschakis et al., Confidence interval estimation of predictive performance in ",
        "the context of AutoML, AutoML 2024")), list(
      when = list(list("of_winner", "is", NULL)), text = paste0(
        "I. Andrews, T. Kitagawa, A. McCloskey, Inference on winners, Quarterly Journal of ",
        "Economics 139 (2024) 305-358")), list(
      when = list(c("method", "==", "tt")), text = paste0(
        "R. J. Tibshirani, R. Tibshirani, A bias correction for the minimum error rate in ",
        "cross-validation, Annals of Applied Statistics 3 (2009) 822-829"))),
  slope_limits = list(
    list(
      when = list(), text = " ({level:g} % CI {slope_low:rounded} to {slope_high:rounded})")),
  calibration_slope = list(
    list(when = list(list("slope", "unknown", NULL)), text = ""), list(
      when = list(list("slope_low", "unknown", NULL)),
      text = "The calibration slope is {slope:rounded}; it has no interval on these data."),
    list(
      when = list(list("slope_high", "<", 1)),
      text = "The calibration slope is {slope:rounded}{slope_limits}: risks are too extreme."),
    list(
      when = list(list("slope_low", ">", 1)),
      text = "The calibration slope is {slope:rounded}{slope_limits}: risks are not extreme enough."),
    list(
      when = list(), text = paste0(
        "The calibration slope is {slope:rounded}{slope_limits}: these data do not show that ",
        "risks are too extreme, or too moderate."))),
  adjusted = list(
    list(
      when = list(list("n_compared", ">", 1)),
      text = ", adjusted for {n_compared} comparisons (Bonferroni)")),
  differing_pair = list(
    list(
      when = list(), text = "{first} and {second} (p = {p_value:.2g})")),
  subgroup_differences = list(
    list(
      when = list(list("n_compared", "==", 0)),
      text = "The subgroups are too small, or too few, to be compared."), list(
      when = list(list("differing_pairs", "is", NULL)),
      text = "The performance differs between {differing_pairs} at {alpha:g}{adjusted}."), list(
      when = list(), text = paste0(
        "These data do not show a difference between subgroups at {alpha:g}{adjusted}; that is ",
        "no evidence that there is none: the intervals of the differences say how large it may ",
        "be."))),
  clinical_title = list(
    list(
      when = list(), text = "Performance of a tuned prediction model")),
  were_compared = list(
    list(
      when = list(list("n_configurations", "==", 1)), text = "one configuration was given"),
    list(
      when = list(), text = "{n_configurations} configurations were compared by {title}")),
  in_short = list(
    list(
      when = list(), text = c(
        " ", "{scored_rows} with {events}; {were_compared}.", "{calibration_slope}"))),
  left_undefined = list(
    list(
      when = list(list("n_undefined", ">", 0)), text = paste0(
        "{quantity:capital} is undefined in {n_undefined} of {n_bootstraps} replicates, which ",
        "are left out of its estimate."))),
  bands = list(
    list(
      when = list(), text = paste0(
        "Blue: corrected, with the pointwise band and, lighter, the band that holds whole ",
        "curves; dashed: apparent."))),
  calibration_text = list(
    list(
      when = list(), text = "Observed against predicted risk. {bands}")),
  calibration_alt = list(
    list(
      when = list(list("slope", "known", NULL)), text = paste0(
        "Calibration curve of the selected configuration with bands; calibration slope ",
        "{slope:rounded}.")), list(
      when = list(), text = paste0(
        "Calibration curve of the selected configuration with bands; calibration slope ",
        "undefined."))),
  calibration_caption = list(
    list(
      when = list(), text = paste0(
        "A curve below the diagonal: risks are too high. Spikes: predicted risks of rows with ",
        "the event (upwards) and without, each relative to its longest."))),
  net_benefit_text = list(
    list(
      when = list(), text = paste0(
        "Decision curve: true positives per row, less false positives weighted by the odds of ",
        "the threshold. {bands}"))),
  net_benefit_alt = list(
    list(
      when = list(), text = paste0(
        "Net benefit of the selected configuration against the threshold probability, beside ",
        "treating all and treating none."))),
  net_benefit_caption = list(
    list(
      when = list(),
      text = "The model is useful at thresholds where its curve lies above both others.")),
  roc_curve_alt = list(
    list(
      when = list(), text = "ROC curve of the selected configuration with bands.")),
  precision_recall_curve_alt = list(
    list(
      when = list(), text = "Precision-recall curve of the selected configuration with bands.")),
  subgroups_text = list(
    list(
      when = list(),
      text = "The same configuration, selected on all rows, in each subgroup. {subgroup_differences}")),
  subgroups_alt = list(
    list(
      when = list(), text = "{title:capital} in {n_subgroups:count subgroup}, with intervals.")),
  subgroups_caption = list(
    list(
      when = list(), text = "The dashed line is the estimate on all rows.")),
  stability_text = list(
    list(
      when = list(), text = paste0(
        "The selected configuration, {winner_name}, was selected in {winner_share:percent} of ",
        "the replicates."))),
  stability_alt = list(
    list(
      when = list(),
      text = "How often each configuration was selected; the winner in {winner_share:percent}.")),
  stability_caption = list(
    list(
      when = list(), text = "Which configuration wins is not to be interpreted where many do.")),
  control_text = list(
    list(
      when = list(), text = paste0(
        "The whole analysis again, with {n_permuted} permuted truths: {verdict}. {n_covering} ",
        "of {n_permuted} intervals contain chance."))),
  sizes = list(list(when = list(), text = "{scored_rows}, {events}")),
  left_out_of_it = list(
    list(
      when = list(list("n_left_out_rows", ">", 0)),
      text = ", {n_left_out_rows:count row} left out")),
  found_codes = list(
    list(when = list(list("codes", "is", NULL)), text = "{codes}"),
    list(when = list(), text = "no findings of {package}")),
  of_metric = list(list(when = list(), text = "{title} {estimate:rounded}")),
  by_correction = list(
    list(
      when = list(list("selects", "not", NULL)), text = "nothing was selected"), list(
      when = list(list("corrected", "is", NULL)),
      text = "by correction: the bootstrap repeats the selection"), list(
      when = list(list("of_winner", "is", NULL)),
      text = "by an interval that allows for the selection"), list(
      when = list(c("method", "==", "tt")),
      text = "by correction: differences between scores of folds"), list(
      when = list(c("method", "==", "ncv")), text = "by nested cross-validation"), list(
      when = list(c("method", "==", "cvt")),
      text = "no: it is the score by which the winner was selected"),
    list(when = list(), text = "{method}")),
  reproducible = list(
    list(
      when = list(list("seed", "known", NULL)), text = "seed {seed}, {package} {version}"),
    list(when = list(), text = "no seed")),
  open_items = list(
    list(
      when = list(), text = paste0(
        "title and abstract (1, 2), background and objectives (3, 4), data and participants ",
        "(5, 6), data preparation (7), outcome and predictors (8, 9), missing data (11), ",
        "handling of predictors (12b), heterogeneity between sites (12d, 23b), updating (12f, ",
        "24), class imbalance (13), fairness (14), model output (15), ethics (17), open ",
        "science (18), public involvement (19), flow of participants (20), the model in full ",
        "(22), interpretation and use (25, 27)"))),
  dropped_early = list(
    list(
      when = list(list("n_dropped", ">", 0)), text = " ({n_dropped} dropped early)")),
  group_count = list(
    list(
      when = list(list("n_groups", "known", NULL)), text = "{n_groups:count group}")),
  row_count = list(
    list(
      when = list(list("n_others", ">", 0)), text = "{n_scored} of {n_rows:count row}"), list(
      when = list(list("n_rows", ">", 0)), text = "{n_rows:count row}")),
  fold_count = list(
    list(
      when = list(list("n_folds", ">", 0)), text = "{n_folds:count fold}")),
  repeat_count = list(
    list(
      when = list(list("n_repeats", ">", 1)), text = "{n_repeats:count repeat}")),
  size = list(
    list(
      when = list(), text = c(", ", "{row_count}", "{n_configurations:count configuration}"))),
  data = list(
    list(
      when = list(), text = c(
        ", ", "{group_count}", "{row_count}",
        "{n_configurations:count configuration}{dropped_early}", "{fold_count}",
        "{repeat_count}"))),
  card_title = list(list(when = list(), text = "Model card")),
  card_details = list(
    list(
      when = list(), text = c(
        ". ", "{learner_part}", "{chosen_part}", "{threshold_part}",
        "Evaluated by {package} {version}"))),
  learner_part = list(
    list(
      when = list(list("learner", "is", NULL)), text = "Learner: {learner}")),
  chosen_part = list(
    list(
      when = list(list("n_members", ">", 0)),
      text = "Ensemble of {n_members:count configuration}"), list(
      when = list(list("n_configurations", ">", 1)),
      text = "Selected configuration: {winner_name}, of {n_configurations}")),
  threshold_part = list(
    list(
      when = list(list("threshold", "known", NULL)), text = "Cut-off: {threshold:rounded}")),
  card_data = list(
    list(
      when = list(), text = c(". ", "{sample_size:capital}", "{training_seen:capital}"))),
  card_use = list(
    list(
      when = list(),
      text = "To be written by the authors: intended users and uses, and uses that are out of scope.")),
  card_factors = list(
    list(
      when = list(), text = paste0(
        "To be written by the authors: groups, instruments and environments for which ",
        "performance may differ."))),
  card_ethics = list(
    list(
      when = list(), text = paste0(
        "To be written by the authors: sensitive data, risks and harms, and how they were ",
        "lessened."))),
  card_caveats = list(
    list(
      when = list(), text = paste0(
        "No findings of {package}. To be written by the authors: what else limits the use of ",
        "the model."))))

sentence_tables <- list(
  checklist = list(
    c("Performance measure named", "{title}"), c("Uncertainty given", "{interval_or_none}"),
    c("Evaluation on held-out rows", "{training_seen}"),
    c("Model selection separated from evaluation", "{by_correction}"),
    c("Sample size", "{sample_size}"), c("Dependence between rows", "{resampled}"),
    c("Reproducible", "{reproducible}")),
  tripod = list(
    c("10 Sample size", "{sizes}"), c("12a, 16 Use of the data", "{training_seen}"), c(
      "12c Model building, tuning and internal validation",
      "{n_configurations:count configuration}; see the methods paragraph"), c(
      "12e Measures of performance", "discrimination, calibration and net benefit, above"), c(
      "12g Predictions for the evaluation", "out-of-sample predictions of the tuning"), c(
      "21 Participants and events in each analysis",
      "{sizes}, in tuning and evaluation alike{left_out_of_it}"), c(
      "23a Performance with confidence intervals", "{performances}; intervals above"),
    c("26 Limitations", "{found_codes}")))
