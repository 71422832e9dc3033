/* Reads a CSV whose first column is the true label (0 or 1) and whose other columns are the
 * out-of-sample scores of one configuration each; prints the corrected AUC.
 *
 *   correct_csv_c scores.csv [seed]
 */
#include <bbc/c.h>
#include <errno.h>
#include <math.h>
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

static int64_t count_commas(const char* line) {
  int64_t n = 0;
  for (; *line != '\0'; ++line) n += *line == ',';
  return n;
}

/* Room for more rows; what was read stays. Returns 0 if there is no memory. */
static int grow(table* read, int64_t n_rows) {
  int64_t* labels = realloc(read->labels, (size_t)n_rows * sizeof *labels);
  if (labels != NULL) read->labels = labels;
  double* scores =
      realloc(read->scores, (size_t)(n_rows * read->n_configurations + 1) * sizeof *scores);
  if (scores != NULL) read->scores = scores;
  return labels != NULL && scores != NULL;
}

/* Where one row goes: its label, and its scores. Returns 0, and has said why, if it cannot be. */
static int read_row(const char* path, long long number, const char* line, table* read) {
  double* row = read->scores + read->n_rows * read->n_configurations;
  const int64_t n_scores = count_commas(line);
  if (n_scores != read->n_configurations) {
    fprintf(stderr, "correct_csv_c: %s, line %lld: %lld columns, but the header has %lld\n", path,
            number, (long long)n_scores + 1, (long long)read->n_configurations + 1);
    return 0;
  }
  for (int64_t j = 0; j <= n_scores; ++j) {
    const size_t length = strcspn(line, ",");
    char* end;
    const double value = strtod(line, &end);
    const int whole =
        end != line && end + strspn(end, " \t\r\n") == line + length && isfinite(value);
    if (!whole || (j == 0 && value != 0 && value != 1)) {
      fprintf(stderr, "correct_csv_c: %s, line %lld, column %lld: %s'%.*s' is not %s\n", path,
              number, (long long)j + 1, whole ? "the label " : "", (int)strcspn(line, ",\r\n"),
              line, whole ? "0 or 1" : "a number");
      return 0;
    }
    if (j == 0) {
      read->labels[read->n_rows] = (int64_t)value;
    } else {
      row[j - 1] = value;
    }
    line += length + 1;
  }
  ++read->n_rows;
  return 1;
}

/* Returns 0, and has said why, if the file cannot be read. */
static int read_table(const char* path, char* line, table* read) {
  FILE* file = fopen(path, "r");
  if (file == NULL || fgets(line, LINE, file) == NULL) {
    fprintf(stderr, "correct_csv_c: cannot read %s\n", path);
    if (file != NULL) fclose(file);
    return 0;
  }
  read->n_configurations = count_commas(line);
  int64_t room = 0;
  int good = 1;
  while (good && fgets(line, LINE, file) != NULL) {
    if (read->n_rows == room) {
      room = room == 0 ? 1024 : 2 * room;
      good = grow(read, room);
      if (!good) fprintf(stderr, "correct_csv_c: no memory for %s\n", path);
    }
    good = good && read_row(path, read->n_rows + 2, line, read);
  }
  fclose(file);
  return good;
}

static int read_seed(const char* text, uint64_t* seed) {
  char* end;
  errno = 0;
  *seed = strtoull(text, &end, 10);
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0) return 1;
  fprintf(stderr, "correct_csv_c: the seed '%s' is not a whole number from 0 to 2^64 - 1\n", text);
  return 0;
}

static bbc_status correct(const table* given, uint64_t seed, bbc_result* result) {
  bbc_problem problem;
  bbc_problem_init(&problem, sizeof problem);
  problem.metric = "roc_auc";
  problem.n_rows = given->n_rows;
  problem.labels = given->labels;
  problem.seed = seed;

  const void* repeats[1] = {given->scores};
  bbc_predictions predictions;
  bbc_predictions_init(&predictions, sizeof predictions);
  predictions.repeats = repeats;
  predictions.n_repeats = 1;
  predictions.dtype = BBC_FLOAT64;
  predictions.n_rows = given->n_rows;
  predictions.n_configurations = given->n_configurations;

  bbc_result_init(result, sizeof *result);
  return bbc_correct(&problem, &predictions, result);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: correct_csv_c FILE [SEED]\n");
    return 2;
  }
  uint64_t seed = 0;
  if (argc > 2 && !read_seed(argv[2], &seed)) return 1;
  table given = {0, 0, NULL, NULL};
  char* line = malloc(LINE);
  int code = 1;
  if (line == NULL) {
    fprintf(stderr, "correct_csv_c: no memory\n");
  } else if (read_table(argv[1], line, &given)) {
    bbc_result result;
    if (correct(&given, seed, &result) == BBC_OK) {
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
