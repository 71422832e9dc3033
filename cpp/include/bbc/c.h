/* The C interface of bbc.
 *
 * Every struct begins with its size, which the caller passes to its init function:
 *
 *   bbc_problem problem;
 *   bbc_problem_init(&problem, sizeof problem);
 *
 * No function reads or writes a struct beyond that, so a program and a library of different
 * versions of the same soname fit together: later versions append members, whose default is zero. A
 * program that sets a member which the library does not know is refused.
 *
 * No function throws, prints or keeps global state; all may be called from many threads at once, as
 * long as no two work on the same bbc_correction. Buffers belong to the caller and are read in
 * place: predictions are never copied as a whole. A function returns BBC_OK or an error code, and
 * then leaves a message for people and the argument that it is about, and writes nothing else, but
 * that bbc_correction_new sets the handle to NULL.
 *
 * There may be 2^31 - 1 rows, as many repeats and as many configurations in a block, 2^32 - 1
 * replicates, 32768 threads and 1000000 rounds of "greedy_ensemble": the limits of Python and R, of
 * bbc/limits.hpp. More are refused.
 */
#ifndef BBC_C_H
#define BBC_C_H

#include <bbc/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bbc_status {
  BBC_OK = 0,
  BBC_INVALID_ARGUMENT = 1, /* the message names the argument, the problem and the place */
  BBC_UNDEFINED_METRIC = 2, /* the data leave the metric undefined: no draw can help */
  BBC_CANCELLED = 3,        /* the poll callback asked to stop */
  BBC_OUT_OF_MEMORY = 4,
  BBC_INTERNAL = 5
} bbc_status;

typedef enum bbc_dtype {
  BBC_FLOAT64 = 0,
  BBC_INT8 = 1,
  BBC_UINT8 = 2,
  BBC_INT16 = 3,
  BBC_INT32 = 4,
  BBC_INT64 = 5
} bbc_dtype;

typedef enum bbc_alternative {
  BBC_TWO_SIDED = 0,
  BBC_GREATER = 1, /* a lower bound only */
  BBC_LESS = 2     /* an upper bound only */
} bbc_alternative;

/* A block of out-of-sample predictions: one array of shape (rows, configurations, outputs) per
 * repeat. Labels are integers, everything else is float64. Strides may be negative; unless all are
 * zero, one of zero along several elements is refused. */
typedef struct bbc_predictions {
  size_t struct_size;         /* set by bbc_predictions_init */
  const void* const* repeats; /* n_repeats pointers */
  int64_t n_repeats;
  int dtype; /* a bbc_dtype */
  int64_t n_rows;
  int64_t n_configurations;
  int64_t n_outputs;  /* 1, or the number of classes for class scores (sorted labels) */
  int64_t strides[3]; /* in elements; all zero: C order */
} bbc_predictions;

/* What is asked. Fill it with bbc_problem_init, then set what differs. */
typedef struct bbc_problem {
  size_t struct_size; /* set by bbc_problem_init */

  const char* metric;  /* a name of bbc_metric_name */
  const char* average; /* "binary", "macro", "micro" or "weighted" */
  double beta;         /* f_beta */
  double alpha;        /* pinball_loss: the quantile */
  int negate;          /* nonzero reports the negated value */

  int64_t n_rows;
  /* Exactly one of the two is given. */
  const int64_t* labels;         /* truth of metrics of classes, or NULL */
  const double* values;          /* truth of real-valued metrics, times of survival, or NULL */
  const uint8_t* events;         /* survival: 1 event, 0 censored; else NULL */
  const int64_t* positive_label; /* binary metrics: NULL takes the larger label */

  int64_t n_bootstraps;  /* 5000 by default */
  uint64_t seed;         /* 0 to 2^53 - 1 */
  const int32_t* units;  /* group of each row, or NULL */
  const int32_t* strata; /* stratum of each row, or NULL */
  /* n_bootstraps x n_units drawn units, or NULL. Units are counted: nobody else may write to them
     during the call, since another number of them is another length of this array. */
  const int32_t* resamples;
  const int32_t* folds;      /* n_repeats x n_rows, any codes: the mean over folds; or NULL */
  const double* row_weights; /* sample weights, or NULL */
  int raise_undefined;       /* nonzero: an undefined replicate is an error, not redrawn */
  double confidence_level;
  int alternative; /* a bbc_alternative */

  int n_threads; /* 0: all cores, at most 32768; the result does not depend on it */
  /* Called about every 50 ms on the calling thread with the share done of the current step, of
   * which a call takes several; nonzero goes on, zero stops with BBC_CANCELLED. May be NULL. */
  int (*poll)(double done, void* user_data);
  void* user_data;

  /* n_repeats x n_rows, any codes: replicates draw folds and units within them (two-level BBC);
   * or NULL. The metric is that of all rows unless `folds` are given, too. */
  const int32_t* drawn_folds;

  /* What is chosen, and scored out of bag. "best", or NULL: the configuration with the best score.
   * "best_threshold": a configuration and a cut-off, above which its scores mean the positive
   * class, for two classes and a metric of labels. "greedy_ensemble" and "top_k": an average of
   * configurations, a vote of labels. "rungs": for searches that dropped configurations on the way,
   * the best of each rung (see `predicted`); of one repeat. All but "best" are for bbc_correct, not
   * for blocks. */
  const char* selection;
  /* Rounds of "greedy_ensemble" (0: 25; at most 1000000), k of "top_k" (at most the number of
   * configurations); otherwise 0. */
  int64_t selection_size;

  /* Nonzero: Algorithm 5 as it was published, whose optimism holds what the number of rows does to
   * metrics that are no means over rows. Zero keeps it apart, as size_bias. */
  int64_t as_published;

  /* For "rungs". Which configuration predicted which row, n_rows x n_configurations in C order,
   * nonzero where it did; predictions that were not made are not read. Rows that the same
   * configurations predicted are a rung, the rung with most configurations the first; or `rungs`
   * numbers the rung of each row from 0, in the order of the search; or NULL. Rungs that end within
   * the share `burn` of the rows (bbc_problem_init: .25), and those in `choose_only`, choose but do
   * not score. The AUC and the concordance index count pairs within rungs. */
  const uint8_t* predicted;
  const int32_t* rungs;
  const int32_t* choose_only; /* n_choose_only numbers of rungs, or NULL */
  int64_t n_choose_only;
  double burn;

  /* For `drawn_folds`, and `strata` without `resamples`, whose draws keep the shares of the classes
   * (the strata, or else the labels). "sampled", or NULL: another sample would have other shares,
   * and limits add how they vary. "fixed": the design fixed them, as in a case-control study. */
  const char* class_counts;
} bbc_problem;

typedef struct bbc_result {
  size_t struct_size; /* set by bbc_result_init */
  double estimate;
  double low;
  double high;
  double replicate_sd;
  double apparent;
  double optimism;
  int64_t winner;
  int64_t n_redrawn;
  double undefined_fold_share;
  double* replicates;         /* in: room for n_bootstraps numbers, or NULL */
  int64_t* replicate_winners; /* in: room for n_bootstraps numbers, or NULL */
  char message[512];          /* why the call failed; empty after BBC_OK */

  double threshold;             /* "best_threshold": the cut-off of all rows; otherwise NaN */
  double* replicate_thresholds; /* in: room for n_bootstraps numbers, or NULL */
  /* Written for ensembles only. `winner` and `replicate_winners` have the largest weight. */
  double* weights;             /* in: room for n_configurations numbers, or NULL */
  double* selection_frequency; /* likewise: shares of replicates in which each takes part */

  /* The argument or member that the message is about, with which it begins: "row_weights". Empty
   * after BBC_OK, and where no argument is at fault. */
  char argument[32];

  /* What a winner's score out of bag is on average beyond its score on all rows, which replicates
   * and estimate have lost; NaN where nothing was taken: of means over rows, AUC and R2. */
  double size_bias;

  /* Standard deviations between seeds of estimate, low and high, by the number of replicates; NaN
   * where there is no limit, or too few replicates lie beyond it to tell. */
  double monte_carlo_error[3];
} bbc_result;

/* What is known of a metric under the name that documents of other languages use, such as
 * "f1_macro". Texts live as long as the library, and are empty where there is nothing to say; lists
 * are words between spaces. */
typedef struct bbc_metric_facts {
  size_t struct_size; /* set by bbc_metric_facts_init */
  /* In: classes of the truth, on which the limits depend; 0: limits for any number of classes. */
  int64_t n_classes;

  const char* name;
  /* Members of a bbc_problem: `average` is "binary" where the metric takes none. */
  const char* metric;
  const char* average;
  int64_t negate;

  const char* parameters;       /* a list of beta, average, alpha, tau, time and times */
  const char* family;           /* "additive" or "ranking" */
  const char* target;           /* the truth: "binary", "classes", "real", "survival" or "any" */
  const char* predicts;         /* "labels", "score", "probability", "value", "risk", ... */
  const char* target_range;     /* which numbers, as an interval: "[0, inf)" */
  const char* prediction_range; /* likewise */
  const char* needs_classes;    /* without which it is undefined: "all", "two", "positive", ... */
  const char* censoring;        /* how rows are weighted: "", "uno", "dynamic_auc" or "brier" */
  int64_t greater_is_better;
  int64_t size_dependent; /* nonzero if its expectation depends on the number of rows */
  double lowest;
  double highest;
  const char* title;  /* what readers call it, where that is not the name */
  const char* others; /* a list of what others call such metrics */
} bbc_metric_facts;

/* Version of the library, "major.minor.patch". */
BBC_API const char* bbc_version(void);

/* Name of the i-th metric, or NULL past the last. */
BBC_API const char* bbc_metric_name(size_t i);

/* All zero. */
BBC_API void bbc_metric_facts_init(bbc_metric_facts* facts, size_t struct_size);
/* Fills in what is known of the i-th name, of which there are more than metrics. Returns
 * BBC_INVALID_ARGUMENT past the last name, for facts that were not initialised, and for fewer than
 * no classes. */
BBC_API bbc_status bbc_metric_facts_of(size_t i, bbc_metric_facts* facts);

/* Each sets a struct of `struct_size` bytes, which must be sizeof *problem and so on, to its
 * defaults. Of a problem: 5000 replicates, seed 0, 95 % two-sided, all cores. */
BBC_API void bbc_problem_init(bbc_problem* problem, size_t struct_size);
/* One output, C order; everything else is zero. */
BBC_API void bbc_predictions_init(bbc_predictions* predictions, size_t struct_size);
/* All zero: no room for replicates. A call whose result was not initialised returns
 * BBC_INVALID_ARGUMENT and leaves no message. */
BBC_API void bbc_result_init(bbc_result* result, size_t struct_size);

/* Corrects the choice among, or from, the configurations of one matrix (or one per repeat). */
BBC_API bbc_status bbc_correct(const bbc_problem* problem, const bbc_predictions* predictions,
                               bbc_result* result);

/* The streaming form: blocks of configurations in any order, also from several handles that are
 * merged. The problem's arrays are copied by bbc_correction_new, so they need not outlive it. Every
 * configuration counts once: one that was added before is refused by bbc_correction_add and
 * bbc_correction_merge, and one that was left out by bbc_correction_finish. A block that is
 * refused, or for which memory runs out, leaves nothing of it behind. */
typedef struct bbc_correction bbc_correction;

BBC_API bbc_status bbc_correction_new(const bbc_problem* problem, int64_t n_repeats,
                                      bbc_correction** correction, bbc_result* result);
BBC_API bbc_status bbc_correction_add(bbc_correction* correction, const bbc_predictions* block,
                                      int64_t first_configuration, bbc_result* result);
BBC_API bbc_status bbc_correction_merge(bbc_correction* correction, const bbc_correction* other,
                                        bbc_result* result);
BBC_API bbc_status bbc_correction_finish(const bbc_correction* correction, bbc_result* result);
BBC_API void bbc_correction_free(bbc_correction* correction);

#ifdef __cplusplus
}
#endif

#endif /* BBC_C_H */
