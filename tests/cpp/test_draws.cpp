// Random numbers: Random123's known answers, and many draws at a time against one after the other.
#include <algorithm>
#include <bbc/philox.hpp>
#include <bbc/resampling.hpp>
#include <numeric>

#include "detail/isa/draw_kernel.hpp"
#include "detail/resampling/unit_draws.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

/// philox4x32, 10 rounds, from Random123's tests/kat_vectors.
void known_answers() {
  constexpr std::uint32_t kOnes = 0xFFFFFFFF;
  static_assert(philox4x32({0, 0, 0, 0}, {0, 0}) ==
                PhiloxCounter{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
  static_assert(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
                PhiloxCounter{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
  static_assert(
      philox4x32({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}) ==
      PhiloxCounter{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
}

/// The word stream has the words in order, with counter (block, replicate, attempt, stream).
void stream_layout() {
  WordStream stream(0x0123456789ABCDEF, 5, 6, 7);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const auto words = philox4x32({block, 6, 7, 5}, {0x89ABCDEF, 0x01234567});
    for (const auto word : words) CHECK(stream.next() == word);
  }
}

void kernels_agree() {
  for (const std::uint32_t first_block : {0U, 2U, 77U, 0xFFFFFF00U}) {
    const PhiloxRange range{{0xDEADBEEF, 0xFFFFFFFF}, 0xFFFFFFFE, 3, 11, first_block};
    constexpr int kMade = 40;
    std::uint32_t expected[4 * kMade];
    for (std::uint32_t block = 0; block < kMade; ++block) {
      const auto words = philox4x32({first_block + block, 11, 3, 0xFFFFFFFE}, range.key);
      std::copy(words.begin(), words.end(), expected + 4 * block);
    }
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      const DrawKernel& kernel = draw_kernel(simd_level());
      std::uint32_t made[4 * (kMade + kPhiloxStep)];
      kernel.words(range, kMade, made);
      for (int i = 0; i < 4 * kMade; ++i) CHECK_FOR(made[i] == expected[i], level);
      for (const std::uint32_t bound : {1U, 2U, 1000U, 65536U, 0x60000001U, 0xFFFFFFFFU}) {
        const bool accepted = kernel.scaled(range, kMade, bound, made);
        bool all = true;
        for (int i = 0; i < 4 * kMade; ++i) {
          const std::uint64_t product = std::uint64_t{expected[i]} * bound;
          all = all && static_cast<std::uint32_t>(product) >= rejection_threshold(bound);
          CHECK_FOR(made[i] == product >> 32U, level);
        }
        CHECK_FOR(accepted == all, level);
        for (const int n : {1, 4 * kMade - 3, 4 * kMade}) {
          std::uint32_t scaled[4 * kMade];
          const bool accepted_some = kernel.scale(expected, n, bound, scaled);
          CHECK_FOR(std::equal(scaled, scaled + n, made), level);
          CHECK_FOR(accepted_some == std::all_of(expected, expected + n,
                                                 [&](std::uint32_t word) {
                                                   return word * bound >=
                                                          rejection_threshold(bound);
                                                 }),
                    level);
        }
      }
    }
  }
}

/// Replicates side by side, from a late block on.
void together_agrees() {
  for (const std::uint32_t n_units : {1U, 4U, 5U, 20U, 63U, 1001U, kMostUnitsOfBatch}) {
    for (const int n_replicates : {1, 7, 16, 17, 64}) {
      const PhiloxRange range{{9, 0xFFFFFFFF}, 2, 0xFFFFFFFF, 77, 0xFFFFFF00};
      std::vector<std::uint16_t> expected(static_cast<std::size_t>(n_replicates) * n_units);
      for (int i = 0; i < n_replicates; ++i) {
        for (std::uint32_t unit = 0; unit < n_units; ++unit) {
          const auto replicate = range.replicate + static_cast<std::uint32_t>(i);
          const auto words = philox4x32(
              {range.first_block + unit / 4, replicate, range.attempt, range.stream}, range.key);
          ++expected[static_cast<std::size_t>(i) * n_units +
                     (std::uint64_t{words[unit % 4]} * n_units >> 32U)];
        }
      }
      for (const char* level : problem::levels()) {
        problem::set_level(level);
        std::vector<std::uint16_t> counts(expected.size());
        CHECK(draw_kernel(simd_level())
                  .draw_replicate_batch(range, n_replicates, n_units, counts.data()) == 0);
        CHECK_FOR(counts == expected, std::string(level) + " " + std::to_string(n_units));
      }
    }
  }
}

/// Counts of replicates drawn one word after the other.
std::vector<std::uint16_t> one_by_one(std::uint64_t seed, std::uint32_t stream, std::int64_t first,
                                      std::uint32_t attempt, int n_replicates,
                                      const std::vector<std::vector<std::int32_t>>& strata,
                                      std::int64_t n_units) {
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(n_replicates * n_units));
  for (int i = 0; i < n_replicates; ++i) {
    WordStream words(seed, stream, static_cast<std::uint32_t>(first + i), attempt);
    for (const auto& units : strata) {
      for (std::size_t j = 0; j < units.size(); ++j) {
        ++counts[i * n_units + units[words.below(static_cast<std::uint32_t>(units.size()))]];
      }
    }
  }
  return counts;
}

void draws_agree() {
  // 100000 and more: some replicates reject words. 3 * 2^16 leaves a large remainder.
  for (const std::int64_t n_units :
       {1, 2, 3, 4, 5, 20, 63, 64, 65, 130, 255, 256, 257, 1000, 100000, 196608, 400003, 4300003}) {
    const int n_replicates = n_units < 2000 ? 64 : n_units < 1000000 ? 3 : 2;
    std::vector<std::int32_t> units(static_cast<std::size_t>(n_units));
    std::iota(units.begin(), units.end(), 0);
    const auto expected = one_by_one(99, 4, 1000, 9, n_replicates, {units}, n_units);
    std::vector<std::vector<std::int32_t>> strata(3);
    for (const auto unit : units) strata[static_cast<std::size_t>(unit % 7 / 3)].push_back(unit);
    std::erase_if(strata, [](const auto& members) { return members.empty(); });
    const auto within = one_by_one(99, 4, 1000, 9, n_replicates, strata, n_units);
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      const UnitDraws draws(99, 4);
      std::vector<std::uint16_t> counts(expected.size());
      draws.add(1000, n_replicates, 9, n_units, counts.data());
      CHECK_FOR(counts == expected, std::string(level) + " " + std::to_string(n_units));
      std::fill(counts.begin(), counts.end(), std::uint16_t{0});
      for (int i = 0; i < n_replicates; ++i) {
        draws.add(1000 + i, 9, strata, counts.data() + i * n_units);
      }
      CHECK_FOR(counts == within, std::string(level) + " strata " + std::to_string(n_units));
    }
  }
}

/// Few units reject hardly a word: with 1000 and this seed, replicate 12679 is the first to do so.
void rejection_among_others() {
  const std::int64_t first = 12650;
  std::vector<std::int32_t> units(1000);
  std::iota(units.begin(), units.end(), 0);
  const auto expected = one_by_one(7, 0, first, 0, 64, {units}, 1000);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    std::vector<std::uint16_t> counts(expected.size());
    const PhiloxRange range{philox_key(7), 0, 0, static_cast<std::uint32_t>(first), 0};
    const auto again =
        draw_kernel(simd_level()).draw_replicate_batch(range, 64, 1000, counts.data());
    CHECK_FOR(again == std::uint64_t{1} << (12679 - first), level);
    std::fill(counts.begin(), counts.end(), std::uint16_t{0});
    UnitDraws(7, 0).add(first, 64, 0, 1000, counts.data());
    CHECK_FOR(counts == expected, level);
  }
}

/// Where rejections are common: a bound just above 2^31 rejects nearly half of all words.
void many_rejections() {
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const DrawKernel& kernel = draw_kernel(simd_level());
    const PhiloxRange range{{1, 2}, 0, 0, 0, 0};
    std::uint32_t made[4 * (64 + kPhiloxStep)];
    CHECK(!kernel.scaled(range, 64, 0x80000001U, made));
    CHECK(kernel.scaled(range, 64, 0x80000000U, made));
  }
}

void sampler_draws_blocks() {
  problem::set_level("avx512");
  Resampling resampling;
  resampling.seed = 3;
  for (const bool grouped : {false, true}) {
    for (const bool stratified : {false, true}) {
      resampling.units.clear();
      resampling.strata.clear();
      for (std::int32_t row = 0; row < 50; ++row) {
        if (grouped) resampling.units.push_back(row % 13);
        if (stratified) resampling.strata.push_back(grouped ? row % 13 % 2 : row % 3);
      }
      const Sampler sampler(50, resampling);
      std::vector<std::uint16_t> draw_replicate_batch(7 * 50);
      sampler.draw(5, 7, 1, draw_replicate_batch.data());
      for (int i = 0; i < 7; ++i) {
        std::vector<std::uint16_t> alone(50);
        sampler.draw(5 + i, 1, alone.data());
        CHECK(std::equal(alone.begin(), alone.end(), draw_replicate_batch.begin() + i * 50));
      }
    }
  }
}

}  // namespace

int main() {
  known_answers();
  stream_layout();
  kernels_agree();
  together_agrees();
  draws_agree();
  rejection_among_others();
  many_rejections();
  sampler_draws_blocks();
  return check::report();
}
