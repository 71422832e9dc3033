# What bbcr says of a result: the texts of sentences.R, filled with the facts of a result.

# A sentence; empty where none of its conditions holds.
say <- function(name, facts) {
  for (case in sentences[[name]]) if (holds(case$when, facts)) return(filled(case$text, facts))
  ""
}

# A table of pairs: the answers, named by what is asked.
say_table <- function(name, facts) {
  pairs <- sentence_tables[[name]]
  stats::setNames(vapply(pairs, function(pair) filled(pair[[2]], facts), ""),
                  vapply(pairs, `[[`, "", 1))
}

# Codes and details of the findings that facts show, else NULL. `of` names the list of `given_facts` whose
# facts these are, neither more nor less.
found_by <- function(of, facts) {
  given <- given_facts[[of]]
  if (!setequal(names(facts), given)) {
    stop(sprintf("facts of %s: %s are lacking or too many", of, paste(
      c(setdiff(given, names(facts)), setdiff(names(facts), given)), collapse = ", "
    )))
  }
  rows <- lapply(names(finding_kinds), function(code) {
    for (case in finding_kinds[[code]]$cases) {
      if (all(needed_facts(case$when) %in% given) && holds(case$when, facts)) {
        return(finding(code, filled(case$text, facts)))
      }
    }
  })
  do.call(rbind, rows)
}

needed_facts <- function(tests) {
  unlist(lapply(tests, function(test) c(test[[1]], if (is.list(test[[3]])) test[[3]]$fact)))
}

# A fact, or a sentence; NULL where it is not known.
fact_of <- function(name, facts) {
  value <- if (name %in% names(facts)) facts[[name]]
           else if (name %in% names(sentences)) say(name, facts)
  if (length(value) == 0 || (length(value) == 1 && is.na(value))) NULL else value
}

holds <- function(tests, facts) {
  for (test in tests) if (!holds_one(test, facts)) return(FALSE)
  TRUE
}

holds_one <- function(test, facts) {
  own <- fact_of(test[[1]], facts)
  sign <- test[[2]]
  if (sign == "known") return(!is.null(own))
  if (sign == "unknown") return(is.null(own))
  if (sign %in% c("is", "not")) {
    yes <- !is.null(own) && !identical(own, "") && !isTRUE(own == 0)
    return(yes == (sign == "is"))
  }
  other <- if (is.list(test[[3]])) fact_of(test[[3]]$fact, facts) else test[[3]]
  if (is.null(own) || is.null(other)) return(FALSE)
  if (sign == "in") own %in% other else isTRUE(get(sign, baseenv())(own, other))
}

placeholder <- "[{][A-Za-z0-9_]+(:[^}]*)?[}]"

# A text with its facts; a vector is a separator and the texts that it joins.
filled <- function(text, facts) {
  if (length(text) > 1) {
    parts <- vapply(text[-1], filled, "", facts)
    return(paste(parts[nzchar(parts)], collapse = text[[1]]))
  }
  places <- regmatches(text, gregexpr(placeholder, text))[[1]]
  for (place in unique(places)) {
    inner <- substr(place, 2, nchar(place) - 1)
    name <- sub(":.*", "", inner)
    form <- if (grepl(":", inner, fixed = TRUE)) sub("^[^:]*:", "", inner) else ""
    text <- gsub(place, in_form(fact_of(name, facts), form), text, fixed = TRUE)
  }
  text
}

# A fact in its format, as Python's format() writes it.
in_form <- function(value, form) {
  if (is.null(value)) return("unknown")
  if (form == "") return(if (is.numeric(value)) plain_number(value) else as.character(value))
  if (form == "rounded") return(three_digits(value))
  if (form == "percent") return(sprintf("%.3g %%", 100 * value))
  if (form == "capital") return(capitalized(value))
  if (startsWith(form, "count ")) {
    return(paste0(plain_number(value), substring(form, 6), if (value == 1) "" else "s"))
  }
  sprintf(paste0("%", form), value)
}

plain_number <- function(value) format(value, scientific = FALSE, digits = 15, trim = TRUE)

# As papers print numbers.
three_digits <- function(value) sprintf(if (abs(value) >= 1) "%.3g" else "%.3f", value)

capitalized <- function(text) paste0(toupper(substr(text, 1, 1)), substring(text, 2))

# What readers call metrics; of a negated loss, the loss.
metric_title <- function(name) {
  name <- sub("^neg_", "", name)
  title <- kernel_facts()$title[match(name, kernel_facts()$name)]
  if (is.na(title) || !nzchar(title)) gsub("_", " ", name) else title
}
