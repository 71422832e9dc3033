# A model card (Mitchell et al., Model cards for model reporting, FAT* 2019), in Markdown or as a page.

# What a card says: its title, sections of a heading, paragraphs and a table, and the findings. `every`
# are the estimates of one winner, the first by the metric that selected.
model_card <- function(every, subgroups, negative_control) {
  known <- facts_of(every[[1]])
  said <- function(name, end = "") {
    text <- say(name, known)
    if (nzchar(text)) paste0(text, end)
  }
  citation <- say("citation", known)
  found <- told_findings(unique(do.call(rbind, lapply(unname(every), `[[`, "findings"))))
  sections <- list(
    card_section("Model details", said("card_details", ".")),
    card_section("Intended use", said("card_use")),
    card_section("Factors", said("card_factors")),
    card_section("Data", said("card_data", ".")),
    card_section("Performance", c(said("headline"), said("uncorrected"), said("no_interval")),
                 card_numbers(every)),
    if (!is.null(subgroups)) card_section(
      "Subgroups", say("subgroups_text", subgroup_facts(subgroups)), card_subgroups(subgroups)
    ),
    if (!is.null(negative_control)) card_section("Negative control", said_of_control(negative_control)),
    card_section("How it was evaluated",
                 c(said("methods"), if (nzchar(citation)) sprintf("[1] %s.", citation))),
    card_section("Ethical considerations", said("card_ethics")),
    card_section("Caveats", c(if (nrow(found) == 0) said("card_caveats"), every[[1]]$notes, skipped_text(every[[1]])))
  )
  list(title = say("card_title", known), sections = Filter(Negate(is.null), sections),
       findings = found, version = every[[1]]$version)
}

card_section <- function(heading, texts, table = NULL) {
  list(heading = heading, texts = texts, table = table)
}

# Metric, estimate, interval and apparent score of each, as text; rows and intervals that lack are "-".
card_numbers <- function(every, of_one = FALSE) {
  known <- lapply(unname(every), facts_of)
  if (of_one) known <- lapply(known, replace, "decimals", list(fewest(lapply(known, `[[`, "decimals"))))
  number_in <- function(name) {
    vapply(known, function(one) {
      if (is.null(one[[name]])) "-" else to_decimals(one[[name]], one$decimals)
    }, "")
  }
  level <- known[[1]]$level
  table <- data.frame(
    vapply(known, `[[`, "", "title"), number_in("estimate"), vapply(known, interval_of_facts, ""),
    number_in("apparent")
  )
  stats::setNames(table, c(
    "metric", "corrected", trimws(sprintf("%s interval", if (is.null(level)) "" else {
      sprintf("%g %%", level)
    })), "apparent"
  ))
}

interval_of_facts <- function(known) {
  if (is.null(known$low)) return("-")
  limits_text(known, known$decimals)
}

card_subgroups <- function(found) {
  names <- as.character(found$groups[[1]])
  known <- lapply(names, function(name) {
    if (!is.null(found$estimates[[name]])) facts_of(found$estimates[[name]])
  })
  table <- data.frame(
    names, plain_number(found$groups$n_rows),
    vapply(known, function(one) if (is.null(one)) "-" else to_decimals(one$estimate, one$decimals), ""),
    vapply(known, function(one) if (is.null(one)) "-" else interval_of_facts(one), "")
  )
  stats::setNames(table, c("subgroup", "rows", metric_title(found$overall$metric), "interval"))
}

in_markdown <- function(text) {
  gsub("([]\\`*_{}<>#|[])", "\\\\\\1", trimws(gsub("[[:space:][:cntrl:]]+", " ", text)))
}

card_markdown <- function(card) {
  why <- function(code) texts()$findings[[code]]$why
  row <- function(cells) sprintf("| %s |", paste(in_markdown(cells), collapse = " | "))
  found <- card$findings
  c(
    paste("#", card$title), "",
    unlist(lapply(card$sections, function(one) c(
      paste("##", one$heading), "", as.vector(rbind(in_markdown(one$texts), rep("", length(one$texts)))),
      if (!is.null(one$table)) {
        c(row(names(one$table)), paste0(strrep("|---", ncol(one$table)), "|"),
          apply(as.matrix(one$table), 1, row), "")
      },
      if (one$heading == "Caveats" && nrow(found)) c(sprintf(
        "- **%s %s**: %s. %s What to do: %s.", found$code, in_markdown(found$title),
        in_markdown(found$detail), in_markdown(vapply(found$code, why, "")), in_markdown(found$advice)
      ), "")
    ))),
    sprintf("Made by bbcr %s.", card$version)
  )
}

card_html <- function(card) {
  body <- lapply(card$sections, function(one) section(
    one$heading, sprintf("<p>%s</p>", escaped(one$texts)),
    if (!is.null(one$table)) table_html(one$table),
    if (one$heading == "Caveats") finding_texts(card$findings)
  ))
  c(page_head(card$title), unlist(body), page_foot(card$version))
}

table_html <- function(table) {
  cells <- apply(as.matrix(table), 1, function(row) {
    sprintf('<tr><th scope="row">%s</th>%s</tr>', escaped(row[[1]]),
            paste0("<td>", escaped(row[-1]), "</td>", collapse = ""))
  })
  c('<table class="numbers"><thead><tr>',
    sprintf('<th scope="col">%s</th>', escaped(names(table))), "</tr></thead><tbody>", cells,
    "</tbody></table>")
}
