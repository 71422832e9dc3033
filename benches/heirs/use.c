/* Uses the metrics that were added to a copy of the tree from C; prints two estimates. */
#include <bbc/c.h>
#include <stdio.h>
#include <string.h>

enum { kRows = 60, kConfigurations = 5 };

static int known(const char* name) {
  bbc_metric_facts facts;
  bbc_metric_facts_init(&facts, sizeof facts);
  for (size_t i = 0; bbc_metric_facts_of(i, &facts) == BBC_OK; ++i) {
    if (strcmp(facts.name, name) == 0) return 1;
  }
  return 0;
}

static int correct(bbc_problem* problem, const void* data, int dtype) {
  problem->n_rows = kRows;
  problem->n_bootstraps = 200;
  problem->seed = 3;
  bbc_predictions predictions;
  bbc_predictions_init(&predictions, sizeof predictions);
  predictions.repeats = &data;
  predictions.n_repeats = 1;
  predictions.dtype = dtype;
  predictions.n_rows = kRows;
  predictions.n_configurations = kConfigurations;
  bbc_result result;
  bbc_result_init(&result, sizeof result);
  if (bbc_correct(problem, &predictions, &result) != BBC_OK) {
    fprintf(stderr, "%s\n", result.message);
    return 1;
  }
  printf("%.17g\n", result.estimate);
  return known(problem->metric) ? 0 : 1;
}

int main(void) {
  static double truth[kRows];
  static double values[kRows][kConfigurations];
  static int64_t classes[kRows];
  static int64_t labels[kRows][kConfigurations];
  for (int row = 0; row < kRows; ++row) {
    truth[row] = row * 7 % 11 / 4.0;
    classes[row] = row * 5 % 9 > 4;
    for (int j = 0; j < kConfigurations; ++j) {
      values[row][j] = truth[row] + ((row * 13 + j * 5) % 17 - 8.0) / 8.0;
      labels[row][j] = (row * 3 + j * 7) % 10 < 3 ? 1 - classes[row] : classes[row];
    }
  }
  bbc_problem of_values;
  bbc_problem_init(&of_values, sizeof of_values);
  of_values.metric = "mean_fourth_power_error";
  of_values.values = truth;
  bbc_problem of_labels;
  bbc_problem_init(&of_labels, sizeof of_labels);
  of_labels.metric = "negative_jaccard";
  of_labels.labels = classes;
  return correct(&of_values, values, BBC_FLOAT64) + correct(&of_labels, labels, BBC_INT64);
}
