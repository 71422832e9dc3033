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

typedef struct table {
  int64_t n_rows;
  int64_t n_configurations;
  int64_t* labels;
  double* scores; /* row after row */
} table;

/* Room for more rows; what was read stays. Returns 0 if there is no memory. */
static int grow(table* read, int64_t n_rows) {
  int64_t* labels = realloc(read->labels, (size_t)n_rows * sizeof *labels);
  if (labels != NULL) read->labels = labels;
  double* scores =
      realloc(read->scores, (size_t)(n_rows * read->n_configurations + 1) * sizeof *scores);
  if (scores != NULL) read->scores = scores;
  return labels != NULL && scores != NULL;
}

/* Returns 0 if the file cannot be read. */
static int read_table(const char* path, char* line, table* read) {
  FILE* file = fopen(path, "r");
  if (file == NULL) return 0;
  int good = fgets(line, LINE, file) != NULL;
  for (const char* at = line; good && *at != '\0'; ++at) read->n_configurations += *at == ',';
  int64_t room = 0;
  while (good && fgets(line, LINE, file) != NULL) {
    if (read->n_rows == room) {
      room = room == 0 ? 1024 : 2 * room;
      good = grow(read, room);
      if (!good) break;
    }
    char* at = line;
    read->labels[read->n_rows] = strtoll(at, &at, 10);
    double* row = read->scores + read->n_rows * read->n_configurations;
    for (int64_t j = 0; good && j < read->n_configurations; ++j) {
      good = *at == ',';
      if (good) row[j] = strtod(at + 1, &at);
    }
    ++read->n_rows;
  }
  fclose(file);
  return good;
}

static bbc_status correct(const table* given, uint64_t seed, bbc_result* result) {
  bbc_problem problem;
  bbc_problem_init(&problem);
  problem.metric = "roc_auc";
  problem.n_rows = given->n_rows;
  problem.labels = given->labels;
  problem.seed = seed;

  const void* repeats[1] = {given->scores};
  bbc_predictions predictions;
  memset(&predictions, 0, sizeof predictions);
  predictions.repeats = repeats;
  predictions.n_repeats = 1;
  predictions.dtype = BBC_FLOAT64;
  predictions.n_rows = given->n_rows;
  predictions.n_configurations = given->n_configurations;
  predictions.n_outputs = 1;

  memset(result, 0, sizeof *result);
  return bbc_correct(&problem, &predictions, result);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: correct_csv_c FILE [SEED]\n");
    return 2;
  }
  table given = {0, 0, NULL, NULL};
  char* line = malloc(LINE);
  int code = 1;
  if (line == NULL || !read_table(argv[1], line, &given)) {
    fprintf(stderr, "correct_csv_c: cannot read %s\n", argv[1]);
  } else {
    bbc_result result;
    if (correct(&given, argc > 2 ? strtoull(argv[2], NULL, 10) : 0, &result) == BBC_OK) {
      printf("corrected %.17g\ninterval %.17g %.17g\napparent %.17g\nwinner %lld\n",
             result.estimate, result.low, result.high, result.apparent, (long long)result.winner);
      code = 0;
    } else {
      fprintf(stderr, "correct_csv_c: %s\n", result.message);
    }
  }
  free(line);
  free(given.labels);
  free(given.scores);
  return code;
}
