# The performance of a survival model and its calibration at several times, which bbc_clinical() returns.

survival_performance_of <- function(correction, others, times, n_groups) {
  performance <- correction$decided
  others <- beside(others, correction$metric)
  performance$secondary <- if (length(others)) scores_by(others, correction)
  calibrations <- lapply(times, function(time) survival_calibration_of(correction, time, n_groups))
  new_result(list(
    performance = performance, calibrations = calibrations,
    n_events = sum(correction$selecting$problem$truth$observed == 1)
  ), "bbc_survival_performance")
}

times_in <- function(x) vapply(x$calibrations, `[[`, 0, "time")

# The numbers of all times, which their names say.
numbers_of_times <- function(x) {
  do.call(rbind, lapply(x$calibrations, function(one) {
    numbers <- one$quantities[number_columns]
    data.frame(quantity = paste(numbers$quantity, "at", format(one$time)), time = one$time, numbers[-1])
  }))
}

show_result.bbc_survival_performance <- function(x) {
  e <- x$performance
  cat_parts(paste("performance of the winner by", e$metric), paste("method", e$method),
            counted(e$n_rows, "row"), counted(x$n_events, "event"))
  numbers <- rbind(metric_numbers(e), numbers_of_times(x)[number_columns])
  print(with_digits(numbers, e), row.names = FALSE)
  notes <- unlist(lapply(x$calibrations, function(one) {
    if (length(one$notes)) sprintf("at %s, %s", format(one$time), one$notes)
  }))
  print_remarks(replace(x$calibrations[[1]], "notes", list(as.character(notes))))
}

frame_of.bbc_survival_performance <- function(x) {
  of_metrics <- metric_numbers(x$performance)
  numbers <- numbers_of_times(x)
  curves <- lapply(x$calibrations, function(one) {
    data.frame(quantity = "calibration curve", time = one$time, x = one$curve$x,
               one$curve[number_columns[-1]])
  })
  rbind(
    data.frame(of_metrics["quantity"], time = NA_real_, x = NA_real_, of_metrics[-1]),
    data.frame(numbers[c("quantity", "time")], x = NA_real_, numbers[-(1:2)]),
    do.call(rbind, curves)
  )
}

tidy_of.bbc_survival_performance <- function(x) {
  tidy_numbers(rbind(metric_numbers(x$performance), numbers_of_times(x)[number_columns]))
}

glance_of.bbc_survival_performance <- function(x) {
  data.frame(glance_of(x$performance), n_events = x$n_events)
}

picture.bbc_survival_performance <- function(x, ...) picture_of_curves(x$calibrations)
