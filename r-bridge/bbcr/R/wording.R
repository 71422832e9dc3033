# What bbcr says of a result: the texts of inst/sentences.toml, which is Python's file and explains its
# form, filled with the facts of a result.

# The file, read once: conditions as lists of tests, what is joined as vectors.
texts <- function() {
  if (is.null(loaded$texts)) {
    file <- read_toml(system.file("sentences.toml", package = "bbcr", mustWork = TRUE))
    file$sentences <- lapply(file$sentences, cases_of)
    file$findings <- lapply(file$findings, function(kind) {
      if (!is.null(kind$advice_r)) kind$advice <- kind$advice_r
      replace(kind, "cases", list(cases_of(kind$cases)))
    })
    file$given <- lapply(file$given, unlist)
    file$told_by <- lapply(file$given, cases_told_by, file$findings)
    loaded$texts <- file
  }
  loaded$texts
}

# Of TOML what the file has: sections, strings, and lists of these.
read_toml <- function(path) {
  text <- paste(readLines(path), collapse = "\n")
  form <- paste0('"""[\\s\\S]*?"""|"[^"]*"|', "'[^']*'|#[^\n]*|[\\[\\],]|[\\w.]+")
  tokens <- regmatches(text, gregexpr(form, text, perl = TRUE, useBytes = TRUE))[[1]]
  tokens <- tokens[!startsWith(tokens, "#")]
  Encoding(tokens) <- "UTF-8"
  at <- 0
  take <- function() tokens[[at <<- at + 1]]
  value <- function() {
    token <- take()
    if (token != "[") return(toml_string(token))
    items <- list()
    while (tokens[[at + 1]] != "]") {
      items <- c(items, list(value()))
      if (tokens[[at + 1]] == ",") take()
    }
    take()
    items
  }
  file <- list()
  while (at < length(tokens)) {
    name <- take()
    if (name == "[") {
      section <- strsplit(take(), ".", fixed = TRUE)[[1]]
      take()
      for (depth in seq_along(section)) {
        if (is.null(file[[section[seq_len(depth)]]])) file[[section[seq_len(depth)]]] <- list()
      }
    } else {
      file[[c(section, name)]] <- value()
    }
  }
  file
}

# A string without its quotes; a backslash ends a line that goes on.
toml_string <- function(token) {
  if (!startsWith(token, '"""')) return(substr(token, 2, nchar(token) - 1))
  gsub("\\\\\n\\s*", "", sub("^\n", "", substr(token, 4, nchar(token) - 3)))
}

cases_of <- function(given) {
  if (is.character(given)) given <- list(list("", given))
  lapply(given, function(pair) list(when = tests_of(pair[[1]]), text = unlist(pair[[2]])))
}

# A condition as tests: name, sign and operand, which is a number, words or the name of a `fact`.
tests_of <- function(condition) lapply(strsplit(condition, " and ", fixed = TRUE)[[1]], test_of)

test_of <- function(text) {
  parts <- regmatches(text, regexec("^(\\w+) (<=|>=|==|<|>|in) (.*)$", text))[[1]]
  if (length(parts) == 0) {
    words <- strsplit(text, " ", fixed = TRUE)[[1]]
    return(list(words[[length(words)]], if (length(words) > 1) words[[1]] else "is", NULL))
  }
  said <- gsub("^'|'$", "", parts[[4]])
  list(parts[[2]], parts[[3]], if (parts[[3]] == "in") strsplit(said, " ", fixed = TRUE)[[1]]
       else if (said != parts[[4]]) said
       else if (grepl("^[a-z]", said)) list(fact = said) else as.double(said))
}

# A sentence; empty where none of its conditions holds.
say <- function(name, facts) {
  for (case in texts()$sentences[[name]]) if (holds(case$when, facts)) return(filled(case$text, facts))
  ""
}

# A table of pairs: the answers, named by what is asked.
say_table <- function(name, facts) {
  pairs <- texts()$tables[[name]]
  stats::setNames(vapply(pairs, function(pair) filled(pair[[2]], facts), ""),
                  vapply(pairs, `[[`, "", 1))
}

# Codes and details of the findings that facts show, else NULL. `of` names the list of facts that these
# are, neither more nor less.
found_by <- function(of, facts) {
  given <- texts()$given[[of]]
  if (!setequal(names(facts), given)) {
    stop(sprintf("facts of %s: %s are lacking or too many", of, paste(
      c(setdiff(given, names(facts)), setdiff(names(facts), given)), collapse = ", "
    )))
  }
  told <- texts()$told_by[[of]]
  rows <- lapply(names(told), function(code) {
    for (case in told[[code]]) {
      if (holds(case$when, facts)) return(finding(code, filled(case$text, facts)))
    }
  })
  do.call(rbind, rows)
}

# The cases of each finding that facts of these names decide.
cases_told_by <- function(given, kinds) {
  told <- lapply(kinds, function(kind) {
    Filter(function(case) all(needed_facts(case$when) %in% given), kind$cases)
  })
  told[lengths(told) > 0]
}

needed_facts <- function(tests) {
  unlist(lapply(tests, function(test) c(test[[1]], if (is.list(test[[3]])) test[[3]]$fact)))
}

# A fact, or a sentence; NULL where it is not known.
fact_of <- function(name, facts) {
  value <- if (name %in% names(facts)) facts[[name]]
           else if (name %in% names(texts()$sentences)) say(name, facts)
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
    text <- gsub(place, in_form(fact_of(name, facts), form, facts), text, fixed = TRUE)
  }
  text
}

# A fact in its format, as Python's format() writes it.
in_form <- function(value, form, facts) {
  if (is.null(value)) return("unknown")
  if (form == "") return(if (is.numeric(value)) plain_number(value) else as.character(value))
  if (endsWith(form, "decimals")) return(to_decimals(value, facts[[form]]))
  if (form == "percent") return(written("%.3g %%", 100 * value))
  if (form == "capital") return(capitalized(value))
  if (startsWith(form, "count ")) {
    return(paste0(plain_number(value), substring(form, 6), if (value == 1) "" else "s"))
  }
  sprintf(paste0("%", form), value)
}

plain_number <- function(value) format(value, scientific = FALSE, digits = 15, trim = TRUE)

capitalized <- function(text) paste0(toupper(substr(text, 1, 1)), substring(text, 2))

# What readers call metrics; of a negated loss, the loss.
metric_title <- function(name) {
  name <- sub("^neg_", "", name)
  title <- kernel_facts()$title[match(name, kernel_facts()$name)]
  if (is.na(title) || !nzchar(title)) gsub("_", " ", name) else title
}
