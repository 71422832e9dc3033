# What no frame of configurations is: by the rules of the documentation's page on tables, numbers that are
# text, a long table, scores of folds, a name twice; and what belongs to a tool's object.

refuse_twice <- function(names) {
  twice <- anyDuplicated(names)
  if (twice) abort("`predictions` has two columns %s: rename one", names[[twice]])
  if (!all(nzchar(names))) {
    abort("`predictions`: column %d has no name, as row names have none: drop it, or name it",
          which(!nzchar(names))[[1]])
  }
}

# Refuses columns of text whose cells all end in %, or are numbers with a decimal comma.
refuse_number_texts <- function(frame) {
  texts <- lapply(Filter(function(x) is.factor(x) || is.character(x), frame), as.character)
  for (name in names(texts)) {
    row <- first_of_all("^\\s*[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)\\s*%\\s*$", texts[[name]])
    if (is.null(row)) next
    cell <- texts[[name]][[row]]
    abort("`predictions`: cells of column %s end in %%, such as %s in row %d: write %s", name, cell,
          row, format(as.double(chartr(",", ".", sub("%.*", "", cell))) / 100, digits = 15))
  }
  with_commas <- vapply(texts, has_decimal_commas, NA)
  if (any(with_commas)) {
    found <- names(texts)[with_commas]
    abort("`predictions`: %s %s text with decimal commas: read the file again with dec = \",\"",
          paste0(if (length(found) > 1) "columns " else "column ", shown(found)),
          if (length(found) > 1) "are" else "is")
  }
}

# The first cell that has a value, if all of these match; else NULL.
first_of_all <- function(pattern, cells) {
  there <- which(!is.na(cells) & nzchar(cells))
  if (length(there) && all(grepl(pattern, cells[there]))) there[[1]]
}

# "1,250" may have thousands, and proves nothing.
has_decimal_commas <- function(cells) {
  form <- "^\\s*[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?\\s*$"
  either <- "^\\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\\s*$"
  !is.null(first_of_all(form, cells)) && any(grepl(",", cells, fixed = TRUE) & !grepl(either, cells))
}

# Refuses what holds scores or belongs to a model, with the object to give.
refuse_tables_of_tools <- function(table) {
  has <- function(...) all(c(...) %in% names(table))
  part <- part_of_train(names(table))
  if (!is.null(part)) {
    abort("`predictions` is the part `%s` of a caret model: give the model, which train() returned", part)
  }
  if (has(".metric") && (has("mean") || has(".estimate"))) {
    abort(paste("`predictions` holds scores, as of collect_metrics() or show_best(): give what",
                "tune_grid(..., control = control_grid(save_pred = TRUE)) returned, or",
                "collect_metrics(x, summarize = FALSE) for scores of folds"))
  }
  of_mlr3 <- any(c("learner_id", "resampling_id", "uhash", "batch_nr") %in% names(table))
  if (of_mlr3 && any(grepl("^(classif|regr)[.]", names(table)))) {
    abort(paste("`predictions` holds scores of mlr3: give the benchmark or resample result, or the",
                "tuning instance, that they are of"))
  }
}

# Which part of a caret model a table of these columns is; NULL if it is none.
part_of_train <- function(names) {
  if (all(c("pred", "obs", "rowIndex") %in% names)) return("pred")
  scores <- intersect(base::names(caret_metrics), names)
  if (length(scores) == 0) return(NULL)
  if ("Resample" %in% names) return("resample")
  if (any(paste0(scores, "SD") %in% names)) "results"
}

# Refuses predictions of one model beside the data, which of a tuning are means over resamples.
refuse_augmented <- function(names) {
  of_model <- grepl("^[.]pred(_|$)", names)
  if (!any(of_model) || all(of_model)) return(invisible())
  if (".config" %in% names) {
    abort("`predictions` has no column .row, which collect_predictions(x, summarize = FALSE) gives")
  }
  abort(paste("`predictions`: column %s is of one model, and %s of the data, as in what augment() returns: give",
              "what tune_grid(..., control = control_grid(save_pred = TRUE)) returned; if they are",
              "configurations, %s"), names[of_model][[1]], names[!of_model][[1]], list_them)
}

# In the order of the rules.
refuse_other_tables <- function(table, truth) {
  refuse_twice(names(table))
  refuse_augmented(names(table))
  refuse_number_texts(table)
  refuse_fold_scores(names(table))
  refuse_lines(table, truth)
}

# Refuses scores by fold, such as those that cv_results_ and resamples() hold.
refuse_fold_scores <- function(names) {
  of_fold <- "(split|fold|cv|resample)[ _.-]?[0-9]+"
  is_fold <- grepl(of_fold, names, ignore.case = TRUE) & !grepl("train", names, fixed = TRUE)
  score <- sub(of_fold, "", names, ignore.case = TRUE)
  is_fold <- is_fold & score %in% score[is_fold][duplicated(score[is_fold])]
  if (any(is_fold) && (sum(!is_fold) <= 2 || any(grepl("^split[0-9]+_test_", names)))) {
    abort(paste("`predictions`: columns %s hold scores of folds by their names, and no predictions: give a",
                "table with the columns fold, configuration and score; if they are predictions, %s"),
          shown(names[is_fold]), list_them)
  }
}

# A table with so many lines for each value of a column may have a line per prediction.
lines_per_row <- 1.25
# So large a part of its lines are pairs that no other line repeats: some may stand twice.
pairs_of_lines <- 0.9

# Refuses a long table whose columns have other names. It has one column of scores, or those of one
# model's classes, and two others that cross: the truth is the same wherever the first has a value,
# and each of their pairs occurs once, but for a few lines that stand twice.
refuse_lines <- function(table, truth) {
  if (length(truth) != nrow(table) || any(vapply(table, is.list, NA))) return(invisible())
  real <- vapply(table, is_real, NA)
  of_classes <- sum(real) > 1 && isTRUE(all(abs(rowSums(table[real]) - 1) <= 1e-6))
  if (sum(real) != 1 && !of_classes) return(invisible())
  # Classes may forbid what compares their values.
  codes <- function(column) codes_by_first_row(unclass(column))
  keys <- lapply(as.list(table)[!real], codes)
  keys <- keys[vapply(keys, max, 0L) > 0]
  truth <- codes(if (inherits(truth, "Surv")) paste(truth[, 1], truth[, 2]) else truth)
  refuse_crossed(keys, truth, names(table)[real])
  for (name in names(keys)) {
    sizes <- tabulate(keys[[name]] + 1L)
    text <- is.character(table[[name]]) || is.factor(table[[name]])
    if (!text || length(sizes) > length(truth) / 2 || any(sizes != sizes[[1]])) next
    blocks <- matrix(truth[order(keys[[name]])], sizes[[1]])
    if (sizes[[1]] > 1 && all(blocks == blocks[, 1])) {
      abort(paste("`predictions`: it has a line per prediction of %d configurations (%s), and no column",
                  "says of which row: add one, and see ?bbc_tables; if its lines are rows, %s"),
            length(sizes), name, list_them)
    }
  }
}

refuse_crossed <- function(keys, truth, scores) {
  n <- vapply(keys, max, 0L) + 1L
  n_pairs <- function(one, other) length(unique(as.double(one) * (max(other) + 1) + other))
  for (row in names(keys)) {
    if (length(truth) <= lines_per_row * n[[row]] || n_pairs(keys[[row]], truth) > n[[row]]) next
    for (other in setdiff(names(keys), row)) {
      if (as.double(n[[row]]) * n[[other]] < pairs_of_lines * length(truth)) next
      is_key <- n[[other]] < n[[row]] || n_pairs(keys[[other]], truth) > n[[other]]
      if (is_key && n_pairs(keys[[row]], keys[[other]]) >= pairs_of_lines * length(truth)) {
        abort(paste("`predictions`: it has a line per prediction, of each %s by each %s: call these",
                    "columns row and configuration, and that of predictions (%s) estimate, see",
                    "?bbc_tables; if its lines are rows, %s"),
              row, other, shown(scores), list_them)
      }
    }
  }
}

# Whether there are numbers that are not whole.
is_real <- function(x) is.double(x) && any(is.finite(x) & x != floor(x))
