// Truth, metric, options and correction, in one call or block by block.
#include <bbc/version.hpp>

#include "convert.hpp"

namespace {

using namespace bbcr;
using Handle = cpp11::external_pointer<bbc::Correction>;

}  // namespace

[[cpp11::register]] SEXP kernel_correct(list target, list predictions, list options,
                                        int n_threads) {
  return guarded([&]() -> SEXP {
    return to_list(bbc::correct(make_target(target), make_repeats(predictions),
                                make_options(options), make_control(n_threads)));
  });
}

[[cpp11::register]] SEXP kernel_interval(cpp11::doubles replicates, double confidence_level,
                                         std::string alternative, double lowest, double highest) {
  return guarded([&]() -> SEXP {
    const auto interval =
        bbc::order_statistic_interval({replicates.begin(), replicates.end()}, confidence_level,
                                      parse_alternative(alternative), lowest, highest);
    return writable::doubles({interval.low, interval.high});
  });
}

[[cpp11::register]] SEXP kernel_metric(list metric) {
  return guarded([&]() -> SEXP {
    const auto made = make_metric(metric);
    return writable::list({"greater_is_better"_nm = made.greater_is_better(),
                           "lowest"_nm = made.lowest(), "highest"_nm = made.highest()});
  });
}

[[cpp11::register]] std::string kernel_version() { return bbc::version(); }

[[cpp11::register]] SEXP kernel_stream(list target, list options) {
  return guarded([&]() -> SEXP {
    return Handle(new bbc::Correction(make_target(target), make_options(options)));
  });
}

[[cpp11::register]] SEXP kernel_add(SEXP stream, list block, int first_configuration,
                                    int n_threads) {
  return guarded([&]() -> SEXP {
    Handle(stream)->add(make_repeats(block), first_configuration, make_control(n_threads));
    return R_NilValue;
  });
}

[[cpp11::register]] SEXP kernel_merge(SEXP stream, cpp11::raws state) {
  return guarded([&]() -> SEXP {
    Handle(stream)->merge(std::string(state.begin(), state.end()));
    return R_NilValue;
  });
}

[[cpp11::register]] SEXP kernel_state(SEXP stream) {
  const std::string state = Handle(stream)->state();
  writable::raws out(static_cast<R_xlen_t>(state.size()));
  std::copy(state.begin(), state.end(), out.begin());
  return out;
}

[[cpp11::register]] SEXP kernel_finish(SEXP stream) {
  return guarded([&]() -> SEXP { return to_list(Handle(stream)->finish()); });
}
