# The performance of a survival model and its calibration at several times, which bbc_clinical() returns.

survival_performance_of <- function(correction, others, times, n_groups) {
  performance <- performance_by(others, correction)
  calibrations <- lapply(times, function(time) survival_calibration_of(correction, time, n_groups))
  new_result(list(
    performance = performance, calibrations = calibrations,
    n_events = sum(correction$selecting$problem$truth$observed == 1)
  ), "bbc_survival_performance")
}

# The numbers of all times, which their names say.
numbers_of_times <- function(x) {
  do.call(rbind, lapply(x$calibrations, function(one) {
    numbers <- one$quantities[number_columns]
    data.frame(quantity = paste(numbers$quantity, "at", format(one$time)), time = one$time, numbers[-1])
  }))
}

show_result.bbc_survival_performance <- function(x) {
  show_performance(x, rbind(metric_numbers(x$performance), numbers_of_times(x)[number_columns]))
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

glance_of.bbc_survival_performance <- glance_of.bbc_clinical

picture.bbc_survival_performance <- function(x, ...) picture_of_curves(x$calibrations)
