// The kernel as the page calls it: arrays come as pointers, the answer is a text in static memory.
#include <bbc/against_truth.hpp>
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/fields.hpp>
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
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
  bbc::FromTruth from_truth;
};
std::string answer;

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

/// Names of classes as the integers that they are; none if some are not.
std::vector<std::int64_t> integers_of(const std::vector<std::string>& names) {
  std::vector<std::int64_t> found;
  for (const std::string& name : names) {
    char* end = nullptr;
    found.push_back(std::strtoll(name.c_str(), &end, 10));
    if (name.empty() || *end != '\0') return {};
  }
  return found;
}

Answer solved(const Question& question, bool two_level) {
  Answer answer;
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
  answer.from_truth =
      bbc::from_truth(question.target, question.repeats, metric, answer.estimate.winner, {});
  answer.ranking =
      bbc::ranking(question.target, question.repeats, answer.estimate.winner, question.folds);
  try {
    answer.share = bbc::largest_share(question.target, question.repeats, metric,
                                      answer.estimate.winner, {}, {});
  } catch (const bbc::Error&) {  // squares that overflow
    answer.share = {};
  }
  return answer;
}

/// Fields as an object of JSON, in which numbers that are not finite are null.
class Json {
 public:
  void operator()(const char* name, bool flag) { add(name, flag ? "true" : "false"); }
  void operator()(const char* name, double number) { add(name, text_of(number)); }
  void operator()(const char* name, std::int64_t number) { add(name, std::to_string(number)); }
  void operator()(const char* name, bbc::OrNone value) { add(name, text_of(value.number)); }
  void operator()(const char* name, bbc::Configuration value) {
    add(name, std::to_string(value.index));
  }
  void operator()(const char* name, const bbc::MonteCarloError& error) {
    Json own;
    own("estimate", error.estimate);
    own("low", error.low);
    own("high", error.high);
    (*this)(name, own);
  }
  void operator()(const char* /*name*/, const std::vector<bbc::RateTerm>& /*rates*/) {}
  template <class Number>
  void operator()(const char* name, const std::vector<Number>& numbers) {
    std::string list;
    for (const Number number : numbers) {
      list += (list.empty() ? "" : ",") + text_of(static_cast<double>(number));
    }
    add(name, "[" + list + "]");
  }
  void operator()(const char* name, const std::string& text) { add(name, quoted(text)); }
  void operator()(const char* name, const Json& object) { add(name, object.text()); }

  [[nodiscard]] std::string text() const { return "{" + fields_ + "}"; }

 private:
  static std::string text_of(double number) {
    if (!std::isfinite(number)) return "null";
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    return digits;
  }
  static std::string quoted(const std::string& text) {
    std::string found = "\"";
    for (const char one : text) {
      if (one == '"' || one == '\\') found += '\\';
      found += one;
    }
    return found + '"';
  }
  void add(const char* name, const std::string& value) {
    fields_ += (fields_.empty() ? "" : ",") + quoted(name) + ":" + value;
  }

  std::string fields_;
};

std::string text_of(const Answer& answer) {
  const auto& [estimate, luck, share, ranking, from_truth] = answer;
  Json json;
  bbc::visit_fields(estimate, [&](const char* name, const auto& value) { json(name, value); });
  const bool tested = luck.untestable.empty();
  Json of_luck;
  of_luck("p_value", tested ? luck.p_value : NAN);
  of_luck("predicted_bias", tested ? luck.predicted_bias : NAN);
  of_luck("luck_variance", tested ? luck.luck_variance : NAN);
  of_luck("row_variance", tested ? luck.row_variance : NAN);
  of_luck("n_permutations", tested ? luck.n_permutations : 0);
  of_luck("untestable", luck.untestable);
  of_luck("matters",
          tested && bbc::luck_matters(luck.p_value, luck.predicted_bias, estimate.estimate,
                                      estimate.interval, bbc::Alternative::two_sided));
  json("luck", of_luck);
  json("row_share", share.share);
  json("row_dominates", share.dominates);
  json("auc", ranking.auc);
  json("ranks_worse_than_chance", ranking.worse_than_chance);
  json("equals_truth", from_truth.equal);
  json("ranks_labels", from_truth.ranks_labels);
  return json.text();
}

}  // namespace

extern "C" {

const char* kernel_version() {
  static const std::string version(bbc::version());
  return version.c_str();
}

/// Whether `answer_text` is an answer, as JSON; if not, it says why. Predictions are by column, as
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
      if (predicts_labels == 0) target.label_values = integers_of(target.label_names);
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
    answer = text_of(solved(question, two_level != 0));
    return 1;
  } catch (const std::exception& error) {
    answer = error.what();
    return 0;
  }
}

const char* answer_text() { return answer.c_str(); }
}
