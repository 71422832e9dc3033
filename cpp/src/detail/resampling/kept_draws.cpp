#include "detail/resampling/kept_draws.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_map>
#include <utility>

#include "detail/support/aligned.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

std::atomic<std::int64_t> most_bytes{std::int64_t{64} << 20U};
std::atomic<std::int64_t> bytes_used{0};

}  // namespace

void set_draw_memory(std::int64_t bytes) { most_bytes = std::max<std::int64_t>(bytes, 0); }
std::int64_t draw_memory() { return most_bytes; }

namespace detail {
namespace {

/// The plans of this process, the one used last in front.
class Plans {
 public:
  std::shared_ptr<KeptDraws> take(std::int64_t n_counts, const Resampling& plan) {
    const std::uint64_t hash = hash_of(n_counts, plan);
    if (const auto found = places_.find(hash); found != places_.end()) {
      if (found->second->second->is_of(n_counts, plan)) {
        plans_.splice(plans_.begin(), plans_, found->second);
        return plans_.front().second;
      }
      plans_.erase(found->second);
      places_.erase(found);
    }
    plans_.emplace_front(hash, std::make_shared<KeptDraws>(n_counts, plan));
    places_.emplace(hash, plans_.begin());
    while (plans_.size() > 1 && (plans_.size() > kMostPlans || bytes_used > most_bytes)) {
      forget_oldest();
    }
    return plans_.front().second;
  }
  /// Forgets other plans until there is room for so many bytes.
  bool make_room(const KeptDraws* of, std::int64_t bytes) {
    if (bytes > most_bytes) return false;
    while (bytes_used + bytes > most_bytes) {
      if (plans_.empty() || plans_.back().second.get() == of) return false;
      forget_oldest();
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostPlans = 256;

  static std::uint64_t hash_of(std::int64_t n_counts, const Resampling& plan) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32U;
    };
    add(static_cast<std::uint64_t>(n_counts));
    add(plan.seed);
    add(plan.stream);
    add(static_cast<std::uint64_t>(plan.n_bootstraps));
    for (const auto* codes : {&plan.units, &plan.strata, &plan.folds}) {
      add(codes->size());
      for (const std::int32_t code : *codes) add(static_cast<std::uint64_t>(code));
    }
    return hash;
  }
  void forget_oldest() {
    places_.erase(plans_.back().first);
    plans_.pop_back();
  }

  using List = std::list<std::pair<std::uint64_t, std::shared_ptr<KeptDraws>>>;
  List plans_;
  std::unordered_map<std::uint64_t, List::iterator> places_;
};

struct Registry {
  std::mutex mutex;
  Plans plans;
};

/// In use until the last thread ends, so it is never destroyed.
Registry& registry() {
  static Registry* const one = new Registry;
  return *one;
}

/// Does something with the plans, unless others do for long: the child of a fork may find them
/// locked by a thread that it does not have, and goes without.
template <class Work>
void with_plans(const Work& work) {
  constexpr int kTries = 1000;
  Registry& all = registry();
  for (int i = 0; i < kTries; ++i) {
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (lock.owns_lock()) {
      work(all.plans);
      return;
    }
    std::this_thread::yield();
  }
}

std::uint64_t bits_of(std::int64_t first, int n) {
  const std::uint64_t ones =
      n == KeptDraws::kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  return ones << (first % KeptDraws::kBlock);
}

/// Four bits each, unit i beside unit i + half; false if a count does not fit.
bool pack(const std::uint16_t* counts, std::int64_t n, std::uint8_t* packed) {
  const std::int64_t half = (n + 1) / 2;
  std::uint16_t any = 0;
  for (std::int64_t i = 0; i < n; ++i) any = static_cast<std::uint16_t>(any | counts[i]);
  if (any > 15) return false;
  for (std::int64_t i = 0; i < n - half; ++i) {
    packed[i] = static_cast<std::uint8_t>(counts[i] | (counts[i + half] << 4U));
  }
  if (n % 2 != 0) packed[half - 1] = static_cast<std::uint8_t>(counts[half - 1]);
  return true;
}

void unpack(const std::uint8_t* packed, std::int64_t n, std::uint16_t* counts) {
  const std::int64_t half = (n + 1) / 2;
  for (std::int64_t i = 0; i < half; ++i) counts[i] = packed[i] & 15U;
  for (std::int64_t i = 0; i < n - half; ++i) {
    counts[i + half] = static_cast<std::uint16_t>(packed[i] >> 4U);
  }
}

}  // namespace

KeptDraws::KeptDraws(std::int64_t n_counts, Resampling plan)
    : n_counts_(n_counts),
      plan_(std::move(plan)),
      blocks_(static_cast<std::size_t>((plan_.n_bootstraps + kBlock - 1) / kBlock)),
      n_bytes_(static_cast<std::int64_t>(
          blocks_.size() * sizeof(Block) +
          (plan_.units.size() + plan_.strata.size() + plan_.folds.size()) * sizeof(std::int32_t))) {
  bytes_used += n_bytes_;
}

KeptDraws::~KeptDraws() {
  delete[] packed_.load();
  bytes_used -= n_bytes_;
}

bool KeptDraws::find(std::int64_t first, int n, std::uint16_t* counts) const {
  const std::uint64_t bits = bits_of(first, n);
  const Block& block = blocks_[static_cast<std::size_t>(first / kBlock)];
  if ((block.kept.load(std::memory_order_acquire) & bits) != bits) return false;
  const std::uint8_t* packed = packed_.load() + first * bytes_of_replicate();
  for (int i = 0; i < n; ++i) {
    unpack(packed + i * bytes_of_replicate(), n_counts_, counts + i * n_counts_);
  }
  return true;
}

void KeptDraws::drawn(std::int64_t first, int n, const std::uint16_t* counts) {
  const std::uint64_t bits = bits_of(first, n);
  Block& block = blocks_[static_cast<std::size_t>(first / kBlock)];
  const std::uint64_t before = block.drawn.fetch_or(bits);
  const std::uint64_t wanted = keeps_first_ ? bits : before & bits;
  if (wanted == 0 || (wanted & ~block.taken.load()) == 0) return;
  std::uint8_t* const to = room();
  if (to == nullptr) return;
  const std::uint64_t own = wanted & ~block.taken.fetch_or(wanted);
  std::uint64_t done = 0;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t bit = bits_of(first + i, 1);
    if ((own & bit) != 0 &&
        pack(counts + i * n_counts_, n_counts_, to + (first + i) * bytes_of_replicate())) {
      done |= bit;
    }
  }
  block.kept.fetch_or(done, std::memory_order_release);
}

std::uint8_t* KeptDraws::room() {
  if (std::uint8_t* const known = packed_.load()) return known;
  const std::int64_t bytes = plan_.n_bootstraps * bytes_of_replicate();
  std::uint8_t* made = nullptr;
  with_plans([&](Plans& plans) {
    made = packed_.load();
    if (made != nullptr || !plans.make_room(this, bytes)) return;
    made = new (std::nothrow) std::uint8_t[static_cast<std::size_t>(bytes)];
    if (made == nullptr) return;
    ask_for_large_pages(made, static_cast<std::size_t>(bytes));
    n_bytes_ += bytes;
    bytes_used += bytes;
    packed_ = made;
  });
  return made;
}

std::shared_ptr<KeptDraws> kept_draws(std::int64_t n_counts, const Resampling& plan) {
  std::shared_ptr<KeptDraws> found;
  const double bytes = 0.5 * static_cast<double>(n_counts) * static_cast<double>(plan.n_bootstraps);
  if (bytes > static_cast<double>(most_bytes)) return found;
  with_plans([&](Plans& plans) { found = plans.take(n_counts, plan); });
  return found;
}

}  // namespace detail
}  // namespace bbc
