// Truth, metric, options and correction.
#include <bbc/control.hpp>
#include <bbc/winners.hpp>
#include <span>

#include "convert.hpp"

using namespace bbcr;

[[cpp11::register]] SEXP kernel_correct(list target, list predictions, list options,
                                        int n_threads) {
  return guarded([&]() -> SEXP {
    return to_list(bbc::correct(make_target(target), make_repeats(predictions),
                                make_options(options), make_control(n_threads)));
  });
}

/// For rules that are R functions: `choose(scores, counts)` returns the number of the winner. The
/// kernel computes scores on all its threads, R is called on its own.
[[cpp11::register]] SEXP kernel_correct_by_rule(list target, list predictions, list options,
                                                cpp11::function choose, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto chosen = [&](std::span<const double> scores, std::span<const std::uint16_t> counts) {
      return std::int64_t{as_cpp<int>(choose(writable::doubles(scores.begin(), scores.end()),
                                             writable::integers(counts.begin(), counts.end())))} -
             1;
    };
    return to_list(bbc::correct_by_rule(make_target(target), make_repeats(predictions),
                                        make_options(options), chosen, make_control(n_threads)));
  });
}

[[cpp11::register]] SEXP kernel_corrected_limits(cpp11::doubles replicates, double estimate,
                                                 cpp11::doubles rates, double confidence_level,
                                                 std::string alternative, double lowest,
                                                 double highest) {
  return guarded([&]() -> SEXP {
    const auto terms = bbc::terms_of({REAL_RO(rates), static_cast<std::size_t>(rates.size())});
    const auto limits = bbc::corrected_limits(
        {replicates.begin(), replicates.end()}, estimate, terms,
        {confidence_level, parse_alternative(alternative)}, {lowest, highest});
    return to_list(limits);
  });
}

[[cpp11::register]] SEXP kernel_metric(list metric) {
  return guarded([&]() -> SEXP {
    const auto made = make_metric(metric);
    return writable::list({"greater_is_better"_nm = made.greater_is_better()});
  });
}

[[cpp11::register]] double kernel_limit_of(std::string name) {
  return static_cast<double>(bbc::limit_of(name));
}

[[cpp11::register]] double kernel_default_n_bootstraps(std::string rule, bool by_function) {
  return static_cast<double>(bbc::default_n_bootstraps(rule, by_function));
}

/// What the kernel knows of each name: columns, by the members of MetricFacts.
[[cpp11::register]] SEXP kernel_metric_table() {
  return guarded([&]() -> SEXP {
    const auto& table = bbc::metric_table();
    const auto column = [&](const auto& of) {
      writable::strings values;
      for (const auto& facts : table) values.push_back(of(facts));
      return values;
    };
    const auto text = [&](std::string bbc::MetricFacts::*member) {
      return column([&](const bbc::MetricFacts& facts) { return facts.*member; });
    };
    const auto range = [&](std::string bbc::MetricFacts::*member) {  // as R writes infinity
      return column([&](const bbc::MetricFacts& facts) {
        std::string shown = facts.*member;
        for (std::size_t at = 0; (at = shown.find("inf", at)) != std::string::npos;)
          shown[at] = 'I';
        return shown;
      });
    };
    using Facts = bbc::MetricFacts;
    writable::doubles sign;
    writable::logicals greater_is_better;
    writable::logicals orders_classes;
    writable::logicals skewed;
    for (const auto& facts : table) {
      sign.push_back(facts.sign);
      greater_is_better.push_back(facts.greater_is_better);
      orders_classes.push_back(facts.orders_classes);
      skewed.push_back(facts.skewed);
    }
    const bbc::MetricParameters defaults;
    const auto average =
        column([](const Facts& facts) { return facts.average.empty() ? "binary" : facts.average; });
    return writable::list({"name"_nm = text(&Facts::name),
                           "family"_nm = text(&Facts::family),
                           "greater_is_better"_nm = greater_is_better,
                           "target"_nm = text(&Facts::target),
                           "predicts"_nm = text(&Facts::predicts),
                           "kernel"_nm = text(&Facts::kernel),
                           "average"_nm = average,
                           "beta"_nm = defaults.beta,
                           "alpha"_nm = defaults.alpha,
                           "sign"_nm = sign,
                           "target_range"_nm = range(&Facts::target_range),
                           "prediction_range"_nm = range(&Facts::prediction_range),
                           "censoring"_nm = text(&Facts::censoring),
                           "parameters"_nm = text(&Facts::parameters),
                           "form"_nm = text(&Facts::form),
                           "needs_classes"_nm = text(&Facts::needs_classes),
                           "orders_classes"_nm = orders_classes,
                           "skewed"_nm = skewed,
                           "title"_nm = text(&Facts::title),
                           "yardstick"_nm = text(&Facts::yardstick),
                           "yardstick_of_two"_nm = text(&Facts::yardstick_of_two),
                           "others"_nm = text(&Facts::others)});
  });
}

/// Smallest and largest value for so many classes; of any number if there are infinitely many.
[[cpp11::register]] SEXP kernel_limits(list metric, double n_classes) {
  return guarded([&]() -> SEXP {
    const auto range = make_metric(metric).range(n_classes);
    return writable::doubles({range.low, range.high});
  });
}

[[cpp11::register]] std::string kernel_version() { return bbc::version(); }
