// The kernel as the page calls it: arrays come as pointers, the answer is left in static memory.
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

/// The page's: shows the share that is done. The page ends the whole worker to stop a call.
extern "C" __attribute__((import_module("page"), import_name("progress"))) void progress(double);

namespace {

/// Of model luck, as bbc._engine asks for it.
constexpr std::int64_t kPermutations = 99;

struct Answer {
  bbc::Estimate estimate;
  bbc::ModelLuck luck;
  bbc::LargestShare share;
  bbc::Ranking ranking;
  std::vector<double> numbers;
  std::string text;
};
Answer answer;

struct Question {
  bbc::Target target;
  std::vector<bbc::Predictions> repeats;
  bbc::CorrectionOptions options;
  std::vector<std::int32_t> folds;
};

template <class T>
bbc::Predictions by_column(const void* data, std::int64_t n_rows, std::int64_t n_configurations) {
  return bbc::View<T>{static_cast<const T*>(data), n_rows, n_configurations, 1, {1, n_rows, 0}};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    found.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return found;
}

void solve(const Question& question, bool two_level) {
  bbc::Control control;
  control.n_threads = 1;
  control.poll = [](double done) {
    progress(done);
    return true;
  };
  const auto& metric = question.options.metric;
  answer.estimate = bbc::correct(question.target, question.repeats, question.options, control);
  answer.luck.untestable = "not wanted";
  if (!question.folds.empty() && !two_level) {
    bbc::ModelLuckOptions options;
    options.metric = metric;
    options.folds = question.folds;
    options.seed = question.options.resampling.seed;
    options.n_permutations = kPermutations;
    answer.luck = bbc::model_luck(question.target, question.repeats, options, control);
  }
  answer.ranking =
      bbc::ranking(question.target, question.repeats, answer.estimate.winner, question.folds);
  try {
    answer.share = bbc::largest_share(question.target, question.repeats, metric,
                                      answer.estimate.winner, {}, {});
  } catch (const bbc::Error&) {  // squares that overflow
    answer.share = {};
  }
}

void keep_numbers() {
  const auto& [estimate, luck, share, ranking, numbers, text] = answer;
  const bool matters = luck.untestable.empty() &&
                       bbc::luck_matters(luck.p_value, luck.predicted_bias, estimate.estimate,
                                         estimate.interval, bbc::Alternative::two_sided);
  answer.text = luck.untestable;
  answer.numbers = {estimate.estimate,
                    estimate.interval.low,
                    estimate.interval.high,
                    estimate.replicate_sd,
                    estimate.apparent,
                    static_cast<double>(estimate.winner),
                    static_cast<double>(estimate.n_redrawn),
                    luck.p_value,
                    luck.predicted_bias,
                    luck.luck_variance,
                    luck.row_variance,
                    static_cast<double>(luck.n_permutations),
                    matters ? 1.0 : 0.0,
                    share.share,
                    share.dominates ? 1.0 : 0.0,
                    ranking.auc,
                    ranking.worse_than_chance ? 1.0 : 0.0,
                    estimate.few_events ? 1.0 : 0.0,
                    estimate.of_replicates.low,
                    estimate.of_replicates.high,
                    estimate.size_bias,
                    estimate.monte_carlo_error.estimate,
                    estimate.monte_carlo_error.low,
                    estimate.monte_carlo_error.high,
                    estimate.kurtosis,
                    estimate.alike_errors ? 1.0 : 0.0};
  for (const std::int64_t winner : estimate.replicate_winners) {
    answer.numbers.push_back(static_cast<double>(winner));
  }
}

}  // namespace

extern "C" {

const char* kernel_version() {
  static const std::string version(bbc::version());
  return version.c_str();
}

/// Whether there is an answer; if not, `answer_text` says why. Predictions are by column, as
/// labels (int32 codes) or numbers (float64); the truth is `codes` or `values`, `folds` may be
/// null.
int correct(const char* metric, const char* average, double beta, int n_rows, int n_configurations,
            int n_classes, const char* class_names, const std::int32_t* codes, const double* values,
            int predicts_labels, const void* predictions, const std::int32_t* folds, int two_level,
            double seed, int n_bootstraps, double confidence_level) {
  try {
    Question question;
    auto& target = question.target;
    if (n_classes > 0) {
      target.kind = bbc::Target::Kind::labels;
      target.codes.assign(codes, std::next(codes, n_rows));
      target.n_classes = n_classes;
      target.label_names = lines(class_names);
    } else {
      target.values.assign(values, std::next(values, n_rows));
    }
    question.repeats = {predicts_labels != 0
                            ? by_column<std::int32_t>(predictions, n_rows, n_configurations)
                            : by_column<double>(predictions, n_rows, n_configurations)};
    auto& options = question.options;
    options.metric = bbc::make_metric(metric, {average, beta});
    options.resampling.n_bootstraps = n_bootstraps;
    options.resampling.seed = static_cast<std::uint64_t>(seed);
    options.confidence_level = confidence_level;
    if (folds != nullptr) question.folds.assign(folds, std::next(folds, n_rows));
    if (two_level != 0) options.resampling.folds = question.folds;
    solve(question, two_level != 0);
    keep_numbers();
    return 1;
  } catch (const std::exception& error) {
    answer.text = error.what();
    return 0;
  }
}

const double* answer_numbers() { return answer.numbers.data(); }
const double* answer_replicates() { return answer.estimate.replicates.data(); }
const char* answer_text() { return answer.text.c_str(); }
}
