/* Reads a CSV whose first column is the true label (0 or 1) and whose other columns are the
 * out-of-sample scores of one configuration each; prints the corrected AUC.
 *
 *   correct_csv_c scores.csv [seed]
 */
#include <bbc/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 1048576

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: correct_csv_c FILE [SEED]\n");
    return 2;
  }
  FILE* file = fopen(argv[1], "r");
  char* line = malloc(LINE);
  if (file == NULL || line == NULL || fgets(line, LINE, file) == NULL) {
    fprintf(stderr, "correct_csv_c: cannot read %s\n", argv[1]);
    return 1;
  }
  int64_t n_configurations = 0;
  for (const char* at = line; *at != '\0'; ++at) n_configurations += *at == ',';

  int64_t n_rows = 0;
  int64_t room = 1024;
  int64_t* labels = malloc((size_t)room * sizeof *labels);
  double* scores = malloc((size_t)(room * n_configurations) * sizeof *scores);
  while (fgets(line, LINE, file) != NULL) {
    if (n_rows == room) {
      room *= 2;
      labels = realloc(labels, (size_t)room * sizeof *labels);
      scores = realloc(scores, (size_t)(room * n_configurations) * sizeof *scores);
    }
    char* at = line;
    labels[n_rows] = strtoll(at, &at, 10);
    for (int64_t j = 0; j < n_configurations; ++j) {
      scores[n_rows * n_configurations + j] = strtod(at + 1, &at);
    }
    ++n_rows;
  }
  fclose(file);

  bbc_problem problem;
  bbc_problem_init(&problem);
  problem.metric = "roc_auc";
  problem.n_rows = n_rows;
  problem.labels = labels;
  problem.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

  const void* repeats[1] = {scores};
  bbc_predictions predictions;
  memset(&predictions, 0, sizeof predictions);
  predictions.repeats = repeats;
  predictions.n_repeats = 1;
  predictions.dtype = BBC_FLOAT64;
  predictions.n_rows = n_rows;
  predictions.n_configurations = n_configurations;
  predictions.n_outputs = 1;

  bbc_result result;
  memset(&result, 0, sizeof result);
  const bbc_status status = bbc_correct(&problem, &predictions, &result);
  if (status == BBC_OK) {
    printf("corrected %.17g\ninterval %.17g %.17g\napparent %.17g\nwinner %lld\n", result.estimate,
           result.low, result.high, result.apparent, (long long)result.winner);
  } else {
    fprintf(stderr, "correct_csv_c: %s\n", result.message);
  }
  free(line);
  free(labels);
  free(scores);
  return status == BBC_OK ? 0 : 1;
}
