# Searches drawn at random: a tool is a random program whose predictions are known, and its oracle is plain
# R. What the tool says is computed here from the definitions, without the package's code; the objects
# that hold it are made in helper-objects.R and helper-trained.R.

one_of <- function(x) x[[sample.int(length(x), 1)]]
sometimes <- function(share) stats::runif(1) < share

# ---- The oracle ----------------------------------------------------------------------------------

# The scores of rows `r`: the truth `y`, a `label` or `number` and the `share` of each class by name,
# the `event` and the weights `w`. `kinds` says of which truths a metric is.
share_of <- function(r, class) r$share[, match(class, colnames(r$share))]
mean_where <- function(x, where, w) sum(w[where] * x[where]) / sum(w[where])
confused <- function(r) {
  levels <- union(unique(r$y), unique(r$label))
  table <- outer(levels, levels, Vectorize(function(a, b) sum(r$w[r$y == a & r$label == b])))
  table / sum(table)
}
pairs_won <- function(r) {
  event <- r$y == r$event
  score <- share_of(r, r$event)
  won <- outer(score[event], score[!event], function(a, b) (a > b) + (a == b) / 2)
  sum(won * outer(r$w[event], r$w[!event])) / sum(outer(r$w[event], r$w[!event]))
}
squared_correlation <- function(r) {
  centre <- function(x) x - stats::weighted.mean(x, r$w)
  a <- centre(r$y)
  b <- centre(r$number)
  sum(r$w * a * b)^2 / (sum(r$w * a^2) * sum(r$w * b^2))
}
metrics_known <- list(
  accuracy = list(kinds = c("two", "three"), rises = TRUE,
                  score = function(r) mean_where(r$label == r$y, TRUE, r$w)),
  kappa = list(kinds = c("two", "three"), rises = TRUE, score = function(r) {
    table <- confused(r)
    chance <- sum(rowSums(table) * colSums(table))
    if (1 - chance < 1e-12) NaN else (sum(diag(table)) - chance) / (1 - chance)
  }),
  roc_auc = list(kinds = "two", rises = TRUE, score = pairs_won),
  sensitivity = list(kinds = "two", rises = TRUE, score = function(r) {
    mean_where(r$label == r$y, r$y == r$event, r$w)
  }),
  specificity = list(kinds = "two", rises = TRUE, score = function(r) {
    mean_where(r$label == r$y, r$y != r$event, r$w)
  }),
  balanced_accuracy = list(kinds = "two", rises = TRUE, score = function(r) {
    right <- r$label == r$y
    (mean_where(right, r$y == r$event, r$w) + mean_where(right, r$y != r$event, r$w)) / 2
  }),
  mcc = list(kinds = "two", rises = TRUE, score = function(r) {
    table <- confused(r)
    correct <- sum(diag(table)) - sum(rowSums(table) * colSums(table))
    correct / sqrt((1 - sum(rowSums(table)^2)) * (1 - sum(colSums(table)^2)))
  }),
  precision = list(kinds = "two", rises = TRUE, score = function(r) {
    mean_where(r$label == r$y, r$label == r$event, r$w)
  }),
  f1 = list(kinds = "two", rises = TRUE, score = function(r) {
    hits <- sum(r$w * (r$y == r$event & r$label == r$event))
    2 * hits / sum(r$w * ((r$y == r$event) + (r$label == r$event)))
  }),
  brier_score = list(kinds = "two", rises = FALSE, score = function(r) {
    mean_where((share_of(r, r$event) - (r$y == r$event))^2, TRUE, r$w)
  }),
  log_loss = list(kinds = c("two", "three"), rises = FALSE, score = function(r) {
    own <- r$share[cbind(seq_along(r$y), match(r$y, colnames(r$share)))]
    -mean_where(log(pmax(own, 1e-15)), TRUE, r$w)
  }),
  root_mean_squared_error = list(kinds = "numbers", rises = FALSE, score = function(r) {
    sqrt(mean_where((r$y - r$number)^2, TRUE, r$w))
  }),
  mean_squared_error = list(kinds = "numbers", rises = FALSE, score = function(r) {
    mean_where((r$y - r$number)^2, TRUE, r$w)
  }),
  mean_absolute_error = list(kinds = "numbers", rises = FALSE, score = function(r) {
    mean_where(abs(r$y - r$number), TRUE, r$w)
  }),
  squared_pearson = list(kinds = "numbers", rises = TRUE, score = squared_correlation),
  # Of these only the tools of some doors know.
  zero_one_loss = list(kinds = "glmnet", rises = FALSE,
                       score = function(r) mean_where(r$label != r$y, TRUE, r$w)),
  poisson_deviance = list(kinds = "glmnet", rises = FALSE, score = function(r) {
    mean_where(2 * (ifelse(r$y > 0, r$y * log(r$y / r$number), 0) - (r$y - r$number)), TRUE, r$w)
  })
)
reads_shares <- c("roc_auc", "brier_score", "log_loss")
metrics_of <- function(kind) {
  names(Filter(function(metric) kind %in% metric$kinds, metrics_known))
}

# The score of configuration j on some rows of repeat i; not a number where it is undefined or lost.
score_on <- function(p, metric, i, j, rows) {
  lost <- p$lost[[i]][rows, j]
  if (any(lost) && !p$scores_the_rest || all(lost)) return(NaN)
  rows <- rows[!lost]
  part <- function(arrays) if (!is.null(arrays)) arrays[[i]][rows, j]
  r <- list(y = p$y[rows], label = part(p$label), number = part(p$number), event = p$event,
            w = p$weight[rows])
  if (!is.null(p$share)) {
    r$share <- matrix(p$share[[i]][rows, j, ], length(rows), dimnames = list(NULL, p$classes))
  }
  as.double(metrics_known[[metric]]$score(r))
}

# Whether what a tool says of these rows can be told: of a probability of 0 each takes the logarithm of
# some other number, and of one class the package has no kappa and the like.
is_told <- function(p, metric, i, j, rows) {
  if (any(p$lost[[i]][rows, j])) return(FALSE)
  if (metric %in% c("kappa", "mcc", "precision", "f1")) return(length(unique(p$y[rows])) > 1)
  if (metric != "log_loss") return(TRUE)
  shares <- matrix(p$share[[i]][rows, j, ], length(rows))
  min(shares[cbind(seq_along(rows), match(p$y[rows], p$classes))]) >= 1e-14
}

# What the tool says: its scores of each fold, or of all rows together.
claims_of <- function(p, metrics = p$metrics, pooled = p$pooled) {
  cells <- lapply(metrics, function(metric) lapply(seq_along(p$fold), function(i) {
    parts <- if (pooled) list(all = seq_along(p$y)) else split(seq_along(p$y), p$fold[[i]])
    grid <- expand.grid(fold = names(parts), configuration = seq_along(p$names),
                        stringsAsFactors = FALSE)
    grid$value <- mapply(function(fold, j) score_on(p, metric, i, j, parts[[fold]]), grid$fold,
                         grid$configuration)
    grid$told <- mapply(function(fold, j) is_told(p, metric, i, j, parts[[fold]]), grid$fold,
                        grid$configuration)
    data.frame(metric = metric, rep = i, grid)
  }))
  do.call(rbind, unlist(cells, recursive = FALSE))
}

# The mean of each configuration by a metric, of the scores that the tool has.
means_of <- function(p, claims, metric = p$metrics[[1]]) {
  own <- claims[claims$metric == metric, ]
  vapply(seq_along(p$names), function(j) {
    mean(own$value[own$configuration == j], na.rm = TRUE)
  }, 0)
}

# The configuration that the tool deploys by its rule, in caret's and glmnet's definitions.
tools_choice <- function(p, claims) {
  means <- means_of(p, claims) * if (p$rises) 1 else -1
  best <- which.max(means)
  if (length(best) == 0 || p$rule == "best") return(best)
  own <- claims[claims$metric == p$metrics[[1]], ]
  spread <- stats::sd(own$value[own$configuration == best], na.rm = TRUE)
  n_resamples <- nrow(unique(own[c("rep", "fold")]))
  within <- if (p$rule == "oneSE") means >= means[[best]] - spread / sqrt(n_resamples)
            else abs((means - means[[best]]) / means[[best]]) * 100 < 1.5
  within <- which(within)
  within[which.min(match(within, p$simplest))]
}

# ---- What is drawn -------------------------------------------------------------------------------

drawn_folds <- function(n, k, one_out = FALSE) {
  fold <- switch(one_of(c("equal", "equal", "unequal", "blocks")),
                 equal = sample(rep_len(seq_len(k), n)),
                 unequal = sample(c(seq_len(k), sample.int(k, n - k, TRUE, prob = seq_len(k)))),
                 blocks = sort(rep_len(seq_len(k), n)))
  if (one_out) fold <- sample.int(n)
  sprintf(if (max(fold) > 9) "Fold%02d" else "Fold%d", fold)
}

names_of_classes <- list(
  two = list(c("no", "yes"), c("yes", "no"), c("Z", "a")),
  three = list(c("a", "b", "c"), c("high", "low", "mid"), c("c", "a", "b"))
)
odd_names <- list(
  two = list(c("1", "0"), c("0", "1"), c("TRUE", "FALSE"), c("not ill", "ill"), c("b", "B"), c("10", "9")),
  three = list(c("3", "1", "2"), c("a b", "a", "b"), c("<1", "1-2", ">2"), c("10", "9", "8"))
)

# Shares of the classes (row, configuration, class), at times rounded, so that there are ties.
drawn_shares <- function(y, classes, quality) {
  shape <- c(length(y), length(quality), length(classes))
  own <- array(match(y, classes), shape) == slice.index(array(0, shape), 3)
  odds <- exp(array(stats::rnorm(prod(shape)), shape) + own * quality[slice.index(array(0, shape), 2)])
  shares <- odds / as.vector(rowSums(odds, dims = 2))
  if (length(classes) == 2 && sometimes(0.3)) {
    first <- round(shares[, , 1], 1)
    shares <- array(c(first, 1 - first), shape)
  }
  shares
}

# The rows, folds and predictions of a search. `kinds` of truths, and whether the tool takes odd names
# of classes.
drawn_program <- function(kinds = c("two", "three", "numbers"), odd = TRUE, repeats = c(1, 1, 2, 3),
                          at_least = 1) {
  n <- sample(20:60, 1)
  p <- list(kind = one_of(kinds), weight = rep(1, n), pooled = FALSE, rule = "best", by_fold = TRUE,
            scores_the_rest = FALSE)
  signal <- stats::rnorm(n)
  quality <- sample(c(0, 0.5, 1, 2), sample(at_least:5, 1), TRUE)
  k <- sample(2:6, 1)
  same <- sometimes(0.9)
  p$fold <- lapply(seq_len(one_of(repeats)), function(i) {
    drawn_folds(n, if (same) k else sample(2:6, 1))
  })
  if (p$kind == "numbers") {
    p$y <- signal * one_of(c(1, 100)) + one_of(c(0, 50))
    p$number <- lapply(p$fold, function(fold) {
      round(outer(p$y, quality / 2) + stats::rnorm(n * length(quality)), one_of(c(1, 8)))
    })
  } else {
    p$classes <- one_of(c(names_of_classes[[p$kind]], if (odd) odd_names[[p$kind]]))
    n_classes <- length(p$classes)
    p$y <- p$classes[c(sample.int(n_classes, n - 2 * n_classes, TRUE, prob = sqrt(seq_len(n_classes))),
                       rep(seq_len(n_classes), 2))]
    p$share <- lapply(p$fold, function(fold) drawn_shares(p$y, p$classes, quality))
    p$label <- lapply(p$share, function(share) {
      array(p$classes[apply(share, 1:2, which.max)], dim(share)[1:2])
    })
    p$event <- p$classes[[1]]
  }
  p$names <- as.character(seq_along(quality))
  p$lost <- lapply(p$fold, function(fold) matrix(FALSE, n, length(quality)))
  p$metrics <- sample(metrics_of(p$kind))[seq_len(sample.int(3, 1))]
  p$rises <- metrics_known[[p$metrics[[1]]]]$rises
  p$simplest <- sample(seq_along(quality))
  p
}

# The same with some rows that a configuration did not predict.
with_lost_rows <- function(p) {
  i <- sample.int(length(p$fold), 1)
  p$lost[[i]][sample(length(p$y), sample.int(3, 1)), sample.int(length(p$names), 1)] <- TRUE
  p
}

# The same with fits that failed: a configuration's predictions of some folds.
with_lost_fits <- function(p) {
  for (time in seq_len(sample.int(2, 1))) {
    i <- sample.int(length(p$fold), 1)
    j <- sample.int(length(p$names), 1)
    p$lost[[i]][p$fold[[i]] == one_of(unique(p$fold[[i]])), j] <- TRUE
  }
  p
}

# ---- What is planted -----------------------------------------------------------------------------

all_plants <- c("claim", "sign", "turned", "names", "rows", "event", "chosen", "lost score", "events")

# A wrong in what the tool said, or in the predictions that it kept. `p$claims` and `p$chosen` are of
# what it predicted in truth.
with_plant <- function(p, plant) {
  p$plant <- plant
  own <- which(is.finite(p$claims$value))
  deciding <- p$claims$metric == p$metrics[[1]]
  arrays <- c("label", "number", "share", "lost")
  switch(plant,
    claim = {
      cell <- one_of(own)
      p$claims$value[[cell]] <- p$claims$value[[cell]] + 0.01
    },
    sign = p$claims$value[deciding] <- -p$claims$value[deciding],
    turned = p$rises <- !p$rises,
    names = {
      order <- sample(seq_along(p$names))
      for (name in intersect(arrays, names(p))) p[[name]] <- lapply(p[[name]], in_order, order)
    },
    rows = p$y <- sample(p$y),
    event = if (!is.null(p$share)) {
      p$share <- lapply(p$share, function(share) share[, , rev(seq_along(p$classes)), drop = FALSE])
    },
    events = p <- with_two_events(p),
    chosen = p$chosen <- one_of(seq_along(p$names)),
    "lost score" = p$claims$value[[one_of(which(deciding))]] <- NaN
  )
  p
}

# One of the scores is of the other class, others are not.
with_two_events <- function(p) {
  known <- intersect(p$metrics, c("sensitivity", "specificity", "precision", "f1"))
  if (length(known) < 2) return(p)
  other <- replace(p, "event", setdiff(p$classes, p$event))
  own <- p$claims$metric == known[[1]]
  p$claims$value[own] <- claims_of(other, known[[1]])$value
  p
}

in_order <- function(array, order) {
  if (length(dim(array)) == 3) array[, order, , drop = FALSE] else array[, order, drop = FALSE]
}

# What the tool keeps of its scores: those of folds, or their means.
kept_claims <- function(p, claims) {
  if (p$by_fold) return(claims)
  own <- claims[claims$rep == 1 & claims$fold == claims$fold[[1]], c("metric", "configuration")]
  own$value <- mapply(function(metric, j) means_of(p, claims, metric)[[j]], own$metric,
                      own$configuration)
  own$told <- mapply(function(metric, j) {
    all(claims$told[claims$metric == metric & claims$configuration == j])
  }, own$metric, own$configuration)
  own
}

apart <- function(a, b) abs(a - b) > 1e-7 * pmax(1, abs(b))

# Whether what the tool said is not what its object predicts. `read`: the metrics that are compared.
is_wrong <- function(p, read = p$metrics) {
  ours <- kept_claims(p, claims_of(p))
  theirs <- kept_claims(p, p$claims)
  differs <- apart(ours$value, theirs$value)
  any(differs & ours$told & ours$metric %in% read, na.rm = TRUE)
}

# ---- What a door makes of it ---------------------------------------------------------------------

# Errors of R's own, which say nothing to a user.
nonsense <- paste(
  "subscript", "argument is of length zero", "object '", "non-conformable", "missing value where",
  "non-numeric argument", "undefined columns", "replacement has", "must be the same length",
  "invalid argument", "invalid '", "cannot coerce", "no applicable method", "arguments imply",
  "could not find function", "NULL value", "not a multiple", "internal", "NAs are not allowed", sep = "|"
)

# The result, or NULL where it is refused as the package does.
answer <- function(p, ...) {
  given <- utils::modifyList(c(p$arguments, list(seed = 1, n_bootstraps = 40, n_threads = 1)), list(...))
  old <- options(bbcr.check = if (isTRUE(p$note)) "note")
  on.exit(options(old))
  tryCatch(suppressWarnings(do.call(bbc_correct, c(list(p$object), given))), bbc_error = function(e) {
    message <- conditionMessage(e)
    if (grepl(nonsense, message)) stop("an error that says nothing: ", message, call. = FALSE)
    refusals$last <- message
    NULL
  })
}
refusals <- new.env()

must <- function(right, ...) if (!isTRUE(right)) stop(sprintf(...), call. = FALSE)
equal <- function(a, b) is.finite(a) && is.finite(b) && abs(a - b) <= 1e-9 * max(1, abs(b))
has_finding <- function(e, code) code %in% e$findings$code

# The place in the program of a configuration of the result.
configuration_of <- function(p, index, name) if (p$named) match(name, p$names) else p$order[[index]]

# "number" or "refused"; an error is a disagreement.
verdict_of <- function(p) {
  if (isTRUE(p$nonsense)) return("nonsense")
  own <- do.call(answer, c(list(p), p$own))
  if (p$is_wrong) {
    if (is.null(own)) return("refused")
    must(has_finding(own, "BBC022"), "a planted wrong (%s) is silent", p$plant)
    return("number")
  }
  found <- c(if (!is.null(own)) of_own_choice(p, own),
             if (is.null(own) || sometimes(0.5)) of_other_choice(p), if (sometimes(0.15)) of_several(p))
  must(length(found) || !is.null(p$plant) || any(unlist(p$lost)), "refused, and nothing is wrong: %s",
       refusals$last)
  if (length(found)) "number" else "refused"
}

# Nothing is lost without a word.
must_account <- function(p, e, metric) {
  lost <- Reduce(`|`, p$lost)
  rows <- Reduce(`&`, lapply(p$lost, function(own) rowSums(!own) == 0))
  incomplete <- colSums(lost[!rows, , drop = FALSE]) > 0
  n <- length(p$y)
  if (!p$has_claims) n <- n - sum(rows)  # a table does not know of rows that it does not have
  must(e$n_rows == n || e$n_rows + length(e$left_out_rows) == n || has_finding(e, "BBC026"),
       "%d rows and %d left out, not %d", e$n_rows, length(e$left_out_rows), n)
  if (any(incomplete)) must(has_finding(e, "BBC026"), "fits are lost without BBC026")
  kept <- kept_claims(p, p$claims)
  gone <- kept$metric == p$metrics[[1]] & is.nan(kept$value)
  if (p$has_claims && length(p$chosen) && any(gone)) {
    must(has_finding(e, "BBC026"), "scores are lost without BBC026")
  }
  n_kept <- length(p$names) - sum(incomplete)
  must(e$n_configurations %in% c(length(p$names), n_kept), "%d configurations, not %d",
       e$n_configurations, n_kept)
  names <- if (is.null(e$names)) character() else e$names
  must(!anyDuplicated(names), "two configurations are called alike")
}

# The winner's score on all rows, or by fold, is that of the definition.
must_score <- function(p, e, metric, pooling) {
  j <- configuration_of(p, e$winner, e$winner_name)
  must(!is.na(j), "the winner %s is no configuration", e$winner_name)
  ours <- scores_by(p, metric, pooling)[[j]]
  if (!is.nan(ours)) {
    must(equal(e$apparent, ours), "%s of configuration %d is %.10g, not %.10g", metric, j, ours, e$apparent)
  }
  j
}

# The scores of all configurations by a rule: means over repeats.
scores_by <- function(p, metric, pooling) {
  p <- without_lost_rows(p)
  p$scores_the_rest <- FALSE
  claims <- replace_nan(claims_of(p, metric, pooling == "pooled"))
  by_repeat <- vapply(seq_along(p$fold), function(i) means_of(p, claims[claims$rep == i, ], metric),
                      numeric(length(p$names)))
  rowMeans(matrix(by_repeat, length(p$names)))
}
replace_nan <- function(claims) {
  bad <- unique(claims$configuration[is.nan(claims$value) | !claims$told])
  claims$value[claims$configuration %in% bad] <- NaN
  claims
}
without_lost_rows <- function(p) {
  rows <- !Reduce(`&`, lapply(p$lost, function(own) rowSums(!own) == 0))
  of_rows <- function(array) {
    if (length(dim(array)) == 3) array[rows, , , drop = FALSE] else array[rows, , drop = FALSE]
  }
  for (name in intersect(c("label", "number", "share", "lost"), names(p))) {
    p[[name]] <- lapply(p[[name]], of_rows)
  }
  p$fold <- lapply(p$fold, `[`, rows)
  p$y <- p$y[rows]
  p$weight <- p$weight[rows]
  p
}

# The tool's choice is the winner, or finding BBC024 names it.
must_name <- function(p, e, j) {
  if (length(p$chosen) == 0) return(invisible())
  must(!is.null(e$deployed), "nothing is said of configuration %d, which is deployed", p$chosen)
  means <- means_of(p, p$claims)
  place <- configuration_of(p, e$deployed$index, e$deployed$name)
  # Which of two equal ones a tool takes hangs on the order of its table.
  tied <- function(a, b) isTRUE(a == b) || isTRUE(equal(means[[a]], means[[b]]))
  if (length(place) && tied(j, place) && tied(j, p$chosen)) return(invisible())
  if (j == p$chosen) {
    must(!has_finding(e, "BBC024"), "BBC024 though the winner is deployed")
    return(invisible())
  }
  must(has_finding(e, "BBC024"), "configuration %d is corrected, and %d deployed without BBC024", j,
       p$chosen)
  must(tied(place, p$chosen),
       "BBC024 names another configuration than %d", p$chosen)
}

of_own_choice <- function(p, e) {
  if (!is.null(p$own_choice)) p$chosen <- p$own_choice
  must_account(p, e, p$metrics[[1]])
  j <- must_score(p, e, e$metric, "pooled")
  must_name(p, e, j)
  complete <- !any(unlist(p$lost)) && !any(is.nan(p$claims$value))
  is_own <- p$rule == "best" && complete && p$is_read && all(p$claims$told)
  if (is_own && length(p$chosen)) {
    must(isTRUE(e$deployed$is_corrected), "the tool's own choice (%d) is not the winner (%d)", p$chosen, j)
  }
  if (length(p$chosen) && p$has_claims && !is.null(e$deployed$score)) {
    must(equal(e$deployed$score, means_of(p, p$claims)[[p$chosen]]), "another score is deployed")
  }
  "number"
}

of_asked_event <- function(p) {
  if (!is.null(p$asked_event)) p$event <- p$asked_event
  p
}

# By another metric and pooling, the best of all that were predicted.
of_other_choice <- function(p) {
  metric <- one_of(p$asked)
  pooling <- one_of(c("pooled", "fold"))
  if (length(unique(p$fold[[1]])) == length(p$y)) pooling <- "pooled"
  e <- do.call(answer, c(list(p, metric = metric, pooling = pooling), p$with_event))
  if (is.null(e)) return(NULL)
  must_account(p, e, metric)
  p <- of_asked_event(p)
  j <- must_score(p, e, metric, pooling)
  scores <- scores_by(p, metric, pooling) * if (metrics_known[[metric]]$rises) 1 else -1
  best <- max(-Inf, scores, na.rm = TRUE)
  if (!anyNA(scores)) must(equal(scores[[j]], best), "the winner by %s is not %d", metric, j)
  must_name(p, e, j)
  "number"
}

# Of several metrics the first chooses, and the others are reported of the same winner.
of_several <- function(p) {
  metrics <- unique(c(one_of(p$asked), one_of(p$asked)))
  if (length(metrics) == 1) return(NULL)
  all <- do.call(answer, c(list(p, metric = metrics), p$with_event))
  if (is.null(all)) return(NULL)
  p <- of_asked_event(p)
  winners <- vapply(metrics, function(metric) must_score(p, all[[metric]], metric, "pooled"), 1L)
  must(length(unique(winners)) == 1, "metrics have several winners")
  "number"
}
