#' Write a clinical page, a page of a comparison or a model card
#'
#' The clinical page: one self-contained HTML page, without scripts and external links, with what a paper on a binary
#' outcome reports about a tuned model: discrimination, calibration, net benefit and the curves with
#' their bands, all corrected and from one correction; findings, a paragraph for the methods
#' section, and the items of TRIPOD+AI (2024) that the page answers. All numbers can be downloaded
#' from it as a table. Figures are drawn by [grDevices::svg()], in the page of vectors, or by
#' [grDevices::png()] where this R cannot.
#'
#' The page of a comparison: what the differences show, as far as their intervals carry it; what was selected of
#' each family, by which metric and rule and on which rows; a picture of all families, from the apparent
#' score to the corrected one, by each metric, above their differences; and a paragraph for the methods section.
#'
#' A model card (Mitchell et al. 2019), in Markdown or as a page, for any estimate: what is known of the
#' model, its data, its performance and how it was evaluated, with the findings. What only its authors
#' know, such as the intended use, is left to them by name.
#'
#' All are also written for Word, and pages in Markdown, where the package rmarkdown finds
#' pandoc.
#'
#' @param result What [bbc_clinical()] or [bbc_compare()] returns; for a model card also what [bbc_correct()]
#'   returns.
#' @param path The file, such as `"clinical.html"`, `"clinical.docx"` or `"card.md"`; one that exists is
#'   overwritten. Beside a clinical page in Markdown its figures are in a folder, such as
#'   `"clinical_files"`.
#' @param subgroups What [bbc_subgroups()] returns, to be shown as well.
#' @param negative_control What [bbc_negative_control()] returns, to be shown as well.
#' @param kind `"clinical"` or `"model-card"`; by default the clinical page of a clinical performance, and a model
#'   card of any other estimate, or for a file in Markdown. A comparison has its own page, by default.
#' @param ... No other arguments.
#' @return `path`, invisibly.
#' @references
#' G. S. Collins et al. (2024). TRIPOD+AI statement: updated guidance for reporting clinical
#' prediction models that use regression or machine learning methods. *BMJ* 385, e078378.
#'
#' M. Mitchell et al. (2019). Model cards for model reporting. *FAT 2019*, 220-229.
#' @examples
#' set.seed(1)
#' logit <- rnorm(100)
#' truth <- rbinom(100, 1, plogis(logit))
#' risks <- plogis(2 * logit + matrix(rnorm(1000, sd = 0.5), 100))
#' fit <- bbc_correct(risks, truth, "log_loss", secondary = "roc_auc", seed = 1, n_threads = 2)
#' found <- bbc_clinical(fit)
#' if (capabilities("png")) bbc_report(found, tempfile(fileext = ".html"))
#' card <- bbc_report(fit, tempfile(fileext = ".md"))
#' cat(head(readLines(card), 4), sep = "\n")
#' @export
bbc_report <- function(result, path, subgroups = NULL, negative_control = NULL, kind = NULL, ...) {
  no_more_arguments(...)
  if (!is.null(subgroups) && !inherits(subgroups, "bbc_subgroups")) {
    abort("`subgroups` must be what bbc_subgroups() returns, not %s",
          first_class(subgroups))
  }
  if (!is.null(negative_control) && !inherits(negative_control, "bbc_negative_control")) {
    abort("`negative_control` must be what bbc_negative_control() returns, not %s",
          first_class(negative_control))
  }
  if (missing(path)) abort("`path` is missing: the name of the file, such as \"card.html\"")
  if (!is.character(path) || length(path) != 1 || is.na(path) || !nzchar(path)) {
    abort("`path` must be the name of one file")
  }
  if (!dir.exists(dirname(path))) abort("`path`: there is no folder %s", dirname(path))
  format <- lower(tools::file_ext(path))
  if (!format %in% c("html", "htm", "docx", "md")) {
    abort("`path` must end in .html, .docx or .md, not %s", basename(path))
  }
  if (inherits(result, "bbc_comparison") && is.null(kind)) {
    return(as_page(function(figure) {
      comparison_page(result, figure, c(subgroups_section(subgroups, figure), control_section(negative_control)))
    }, path, format))
  }
  if (is.null(kind)) {
    kind <- if (format == "md" || !inherits(result, "bbc_clinical")) "model-card" else "clinical"
  }
  kind <- choice(kind, "kind", c("clinical", "model-card"))
  if (kind == "model-card") {
    card <- model_card(estimates_of_winner(result), subgroups, negative_control)
    if (format == "md") return(write_text(card_markdown(card), path))
    text <- card_html(card)
  } else {
    if (!inherits(result, "bbc_clinical")) {
      abort(paste("`result` must be what bbc_clinical() returns, not %s; kind = \"model-card\"",
                  "takes any estimate"), first_class(result))
    }
    return(as_page(function(figure) c(
      page_head(say("clinical_title", list())), page_body(result, subgroups, negative_control, figure),
      page_foot(result$performance$version)
    ), path, format))
  }
  if (format == "docx") converted(text, path, format) else write_text(text, path)
}

# Writes a page with figures: its text, given what draws them.
as_page <- function(text, path, format) {
  text <- text(figures(if (format != "docx" && capabilities("cairo")) "svg" else "png"))
  if (format %in% c("md", "docx")) converted(text, path, format) else write_text(text, path)
}

write_text <- function(text, path) {
  file <- file(path, "wb")
  on.exit(close(file))
  writeLines(enc2utf8(text), file, useBytes = TRUE)
  invisible(path)
}

# A page as a document that pandoc writes, without the table to download.
converted <- function(text, path, format) {
  if (!requireNamespace("rmarkdown", quietly = TRUE) || !rmarkdown::pandoc_available()) {
    abort("`path`: .%s of this is written by pandoc, which the package rmarkdown does not find", format)
  }
  page <- tempfile(fileext = ".html")
  on.exit(unlink(page))
  write_text(gsub("<p><a download=[^>]*>[^<]*</a></p>", "", text), page)
  # Links to figures are relative to the folder of the document.
  folder <- normalizePath(dirname(path))
  media <- paste0(tools::file_path_sans_ext(basename(path)), "_files")
  rmarkdown::pandoc_convert(
    page, if (format == "md") "gfm" else format, output = basename(path), wd = folder,
    options = if (format == "md") paste0("--extract-media=", media)
  )
  invisible(path)
}

# The estimates of one winner, the first by the metric that selected.
estimates_of_winner <- function(result) {
  if (inherits(result, c("bbc_clinical", "bbc_survival_performance", "bbc_protocol"))) result <- result$performance
  if (inherits(result, "bbc_subgroups") || inherits(result, "bbc_negative_control")) {
    abort("`result` is the estimate; give what %s() returns as `%s`", first_class(result),
          sub("^bbc_", "", first_class(result)))
  }
  if (!inherits(result, "bbc_estimate")) {
    of_clinical <- paste0("bbc_", c("calibration", "decision_curve", "roc_curve", "precision_recall_curve", "per_1000"))
    abort("`result` must be what bbc_correct() or bbc_clinical() returns, not %s%s", first_class(result),
          if (inherits(result, of_clinical)) "; the page of bbc_clinical(fit) has it" else "")
  }
  every_metric(bbc_record(result))
}

page_foot <- function(version) {
  sprintf("<footer>Made by bbcr %s.</footer>\n</article></main>\n</body>\n</html>", version)
}

page_body <- function(result, subgroups, negative_control, figure) {
  e <- result$performance
  known <- clinical_facts(result)
  c(
    sprintf('<p class="headline">%s</p>\n<p>%s</p>', escaped(headline_of(result)),
            escaped(capitalized(say("in_short", known)))),
    findings_section(result$calibration$findings, c(e$notes, skipped_text(e))),
    numbers_section(result), calls_section(result$per_1000, known), figure_sections(result, known, figure),
    subgroups_section(subgroups, figure),
    if (e$n_configurations > 1) {
      figure_section("Stability of the selection", "stability", known, figure, e, which = "selection")
    },
    control_section(negative_control),
    if (length(grids <- learner_grids(e$names))) section("Configurations", two_columns(grids)),
    section("How it was obtained", two_columns(facts(e))),
    section("For the methods section", sprintf(
      "<blockquote><p>%s %s</p><p>[1] %s.</p></blockquote>", escaped(say("methods", known)),
      escaped(say("others_on_same_rows", known)), escaped(say("citation", known))
    )),
    section("TRIPOD+AI (2024)", two_columns(say_table("tripod", known)),
            sprintf("<p>Not answered by this page: %s.</p>", escaped(say("open_items", known))))
  )
}

# What to do is left to those who call this package, where it names functions and arguments.
findings_section <- function(found, notes) {
  found$advice[grepl("\\w_\\w|\\w=|\\w = |\\(\\)", found$advice, perl = TRUE)] <- ""
  each <- finding_texts(found, notes)
  if (length(each)) section("Limitations", each)
}

finding_texts <- function(found, notes = character()) {
  found <- told_findings(found)
  sprintf('<div class="finding">%s</div>', c(
    sprintf("<strong>%s %s</strong>: %s.%s", found$code, escaped(found$title), escaped(found$detail),
            ifelse(nzchar(found$advice), sprintf("<br>What to do: %s.", escaped(found$advice)), "")),
    escaped(notes)
  ))
}

numbers_section <- function(result) {
  numbers <- with_digits(shown_numbers(result), result$performance)
  level <- sprintf("%g %% interval", 100 * result$calibration$confidence_level)
  cell <- function(values) ifelse(values == "NA", "-", values)
  interval <- ifelse(numbers$low == "NA", "-", sprintf("[%s, %s]", numbers$low, numbers$high))
  title <- vapply(numbers$quantity, metric_title, "", USE.NAMES = FALSE)
  section(
    "Performance",
    '<div class="wide"><table class="numbers"><thead><tr><th scope="col"></th><th scope="col">corrected</th>',
    sprintf('<th scope="col">%s</th><th scope="col">apparent</th></tr></thead><tbody>', level),
    sprintf('<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td></tr>', escaped(title),
            cell(numbers$estimate), interval, cell(numbers$apparent)),
    "</tbody></table></div>",
    vapply(which(numbers$n_undefined > 0), function(i) {
      sprintf("<p>%s</p>", escaped(say("left_undefined", list(
        quantity = title[[i]], n_undefined = numbers$n_undefined[[i]],
        n_bootstraps = length(result$performance$replicates)
      ))))
    }, ""),
    sprintf("<p>%s.</p>", escaped(capitalized(result$calibration$notes))),
    sprintf(paste0('<p><a download="performance.csv" href="data:text/csv;base64,%s">All numbers ',
                   "and curves (CSV)</a></p>"), table_base64(as.data.frame(result)))
  )
}

# Right and wrong calls in 1000 patients.
calls_section <- function(counts, known) {
  known <- utils::modifyList(known, list(events_per_1000 = round(1000 * counts$prevalence),
                                         called_from = counts$threshold))
  numbers <- counted_rows(counts$quantities)
  interval <- ifelse(numbers$low == "NA", "-", sprintf("[%s, %s]", numbers$low, numbers$high))
  section(
    "Per 1000 patients", sprintf("<p>%s</p>", escaped(say("per_1000_text", known))),
    '<div class="wide"><table><thead><tr><th></th><th>corrected</th>',
    sprintf("<th>%g %% interval</th><th>apparent</th></tr></thead><tbody>", 100 * counts$confidence_level),
    sprintf("<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>", escaped(numbers$quantity), numbers$estimate,
            interval, numbers$apparent),
    "</tbody></table></div>"
  )
}

# A section that says what its figure shows: the sentences are called after `name`.
figure_section <- function(title, name, known, figure, x, ..., beside = NULL) {
  said <- function(part) say(paste(name, part, sep = "_"), known)
  section(title, sprintf("<p>%s</p>", escaped(said("text"))),
          figure(x, said("alt"), escaped(said("caption")), ...), beside)
}

figure_sections <- function(result, known, figure) {
  c(
    figure_section("Calibration", "calibration", known, figure, result$calibration),
    figure_section("Net benefit", "net_benefit", known, figure, result$decision_curve),
    section("Discrimination", sprintf("<p>%s</p>", escaped(say("bands", known))),
            figure(result$roc_curve, say("roc_curve_alt", known), "ROC curve."),
            figure(result$precision_recall_curve, say("precision_recall_curve_alt", known),
                   "Precision-recall curve."))
  )
}

subgroups_section <- function(found, figure) {
  if (is.null(found)) return(NULL)
  figure_section("Subgroups", "subgroups", subgroup_facts(found), figure, found,
                 beside = wide(table_html(card_subgroups(found))))
}

control_section <- function(control) {
  if (is.null(control)) return(NULL)
  section("Negative control", sprintf("<p>%s</p>", escaped(said_of_control(control))))
}

said_of_control <- function(control) {
  say("control_text", list(n_permuted = nrow(control$runs), verdict = control$verdict,
                           n_covering = control$n_covering))
}

# Draws figures as plot() does, of vectors ("svg") or points ("png").
figures <- function(format) {
  type <- c(svg = "image/svg+xml", png = "image/png")[[format]]
  opened <- function(file, height) {
    if (format == "svg") return(grDevices::svg(file, width = 6.4, height = height, pointsize = 10))
    if (!capabilities("png")) abort("`path`: this R cannot draw figures, see capabilities()")
    grDevices::png(file, width = 6.4, height = height, units = "in", res = 144, pointsize = 10)
  }
  function(x, alt, caption, ..., height = 4.8) {
    file <- tempfile(fileext = paste0(".", format))
    on.exit(unlink(file))
    opened(file, height)
    tryCatch(plot(x, ...), finally = grDevices::dev.off())
    sprintf(paste0('<figure>\n<img src="data:%s;base64,%s" alt="%s">\n',
                   "<figcaption>%s</figcaption></figure>"),
            type, base64(readBin(file, "raw", file.size(file))), escaped(alt), escaped(caption))
  }
}

table_base64 <- function(frame) {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  utils::write.csv(frame, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  base64(readBin(file, "raw", file.size(file)))
}

# RFC 4648.
base64 <- function(bytes) {
  alphabet <- c(LETTERS, letters, 0:9, "+", "/")
  missing <- (3 - length(bytes) %% 3) %% 3
  triples <- matrix(as.integer(c(bytes, raw(missing))), 3)
  whole <- triples[1, ] * 65536L + triples[2, ] * 256L + triples[3, ]
  parts <- rbind(whole %/% 262144L, whole %/% 4096L %% 64L, whole %/% 64L %% 64L, whole %% 64L)
  text <- alphabet[parts + 1L]
  if (missing > 0) text[length(text) + 1L - seq_len(missing)] <- "="
  paste(text, collapse = "")
}
