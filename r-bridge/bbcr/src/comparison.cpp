// Families compared, and the path of a search.
#include <bbc/inference.hpp>
#include <bbc/score_interval.hpp>
#include <memory>

#include "convert.hpp"
#include "detail/metrics/column_reader.hpp"

using namespace bbcr;

/// What each unit contributes to the score of one configuration, which is counted from 1.
[[cpp11::register]] SEXP kernel_influence(list target, list predictions, list options,
                                          int configuration, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto found =
        bbc::influence(make_target(target), make_repeats(predictions), make_options(options),
                       configuration - 1, make_control(n_threads));
    return writable::list({"values"_nm = doubles_of(found.values),
                           "n_effective"_nm = found.n_effective,
                           "infeasible"_nm = found.infeasible});
  });
}

/// How many configurations have predictions that no earlier one has.
[[cpp11::register]] double kernel_n_distinct(list predictions) {
  double n = 0.0;
  guarded([&]() -> SEXP {
    n = static_cast<double>(bbc::n_distinct(make_repeats(predictions)));
    return R_NilValue;
  });
  return n;
}

[[cpp11::register]] double kernel_training_overlap(double n_folds, int n_repeats) {
  return bbc::training_overlap(n_folds, n_repeats);
}

/// Columns of a data frame: a row per pair of families, which are counted from 1. `influences` has
/// for each family what kernel_influence() gives, or NULL; `hidden` for each pair the standard
/// error that replicates hide.
[[cpp11::register]] SEXP kernel_differences(list replicates, cpp11::doubles n_configurations,
                                            list influences, cpp11::integers first,
                                            cpp11::integers second, cpp11::doubles hidden,
                                            list design) {
  return guarded([&]() -> SEXP {
    std::vector<std::unique_ptr<bbc::Influence>> known;
    for (R_xlen_t i = 0; i < influences.size(); ++i) {
      const SEXP own = influences[i];
      if (Rf_isNull(own)) {
        known.push_back(nullptr);
        continue;
      }
      const list given(own);
      known.push_back(std::make_unique<bbc::Influence>(bbc::Influence{
          to_vector<double, cpp11::doubles>(given["values"]), as_cpp<double>(given["n_effective"]),
          as_cpp<std::string>(given["infeasible"])}));
    }
    std::vector<bbc::Family> families;
    for (R_xlen_t i = 0; i < replicates.size(); ++i) {
      const SEXP own = replicates[i];
      families.push_back({{REAL_RO(own), static_cast<std::size_t>(Rf_xlength(own))},
                          static_cast<std::int64_t>(n_configurations[i]),
                          known[static_cast<std::size_t>(i)].get()});
    }
    std::vector<bbc::FamilyPair> pairs;
    for (R_xlen_t i = 0; i < first.size(); ++i) {
      pairs.push_back({first[i] - 1, second[i] - 1, hidden[i]});
    }
    const auto count = [&](const char* name) {
      return static_cast<std::int64_t>(as_cpp<double>(design[name]));
    };
    const bbc::DrawDesign draws{count("n_drawn"), count("n_units"), count("n_repeats"),
                                as_cpp<bool>(design["of_folds"]),
                                as_cpp<double>(design["overlap"])};
    const bbc::DifferenceOptions options{
        as_cpp<bool>(design["greater_is_better"]),
        {as_cpp<double>(design["confidence_level"]),
         parse_alternative(as_cpp<std::string>(design["alternative"]))},
        {as_cpp<double>(design["lowest"]), as_cpp<double>(design["highest"])}};
    const auto found = bbc::differences(families, pairs, draws, options);
    const auto column = [&](auto value) {
      writable::doubles out(static_cast<R_xlen_t>(found.size()));
      std::transform(found.begin(), found.end(), out.begin(), value);
      return out;
    };
    using Each = const bbc::Difference&;
    writable::strings reasons;
    for (Each one : found) reasons.push_back(one.infeasible);
    return writable::list(
        {"estimate"_nm = column([](Each d) { return d.estimate; }),
         "low"_nm = column([](Each d) { return d.interval.low; }),
         "high"_nm = column([](Each d) { return d.interval.high; }),
         "standard_error"_nm = column([](Each d) { return d.standard_error; }),
         "degrees_of_freedom"_nm = column([](Each d) { return d.degrees_of_freedom; }),
         "p_value"_nm = column([](Each d) { return d.p_value; }),
         "first_better"_nm = column([](Each d) { return d.first_better; }),
         "second_better"_nm = column([](Each d) { return d.second_better; }),
         "infeasible"_nm = reasons});
  });
}

/// What each row contributes to the score of a configuration, counted from 1, by the shares of the
/// classes.
[[cpp11::register]] SEXP kernel_class_contributions(list target, list predictions, list options,
                                                    int configuration) {
  return guarded([&]() -> SEXP {
    return doubles_of(bbc::class_contributions(make_repeats(predictions), make_target(target),
                                               make_options(options), configuration - 1));
  });
}

/// The standard error that draws hide of the difference between two scores, by these contributions.
[[cpp11::register]] SEXP kernel_hidden_by_draws(cpp11::doubles first, cpp11::doubles second,
                                                list options) {
  return guarded([&]() -> SEXP {
    const std::vector<double> one(first.begin(), first.end());
    const std::vector<double> other(second.begin(), second.end());
    return cpp11::as_sexp(bbc::hidden_by_draws(one, other, make_options(options)));
  });
}

/// The corrections of the first configurations, as many as each of `points` says, in one pass.
[[cpp11::register]] SEXP kernel_tuning_path(list target, list predictions, list options,
                                            cpp11::integers points, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto control = make_control(n_threads);
    const auto repeats = make_repeats(predictions);
    bbc::Correction correction(make_target(target), make_options(options));
    writable::list found;
    std::int64_t first = 0;
    for (const int last : points) {
      std::vector<bbc::Predictions> block;
      for (const auto& repeat : repeats) {
        block.push_back(bbc::detail::configurations(repeat, first, last));
      }
      correction.add(block, first, control);
      found.push_back(to_list(correction.finish()));
      first = last;
    }
    return found;
  });
}
