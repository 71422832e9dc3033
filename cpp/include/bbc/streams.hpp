#pragma once

#include <cstdint>

namespace bbc::stream {

// Who draws from which Philox stream, so that one seed never serves two purposes. The correction
// has stream 0 and the t-th dropping test stream t; all others count from the top half.
inline constexpr std::uint32_t kSplit = 0x80000000U;             ///< learn / evaluation split
inline constexpr std::uint32_t kTilting = 0x80000001U;           ///< replicates of BT and MABT
inline constexpr std::uint32_t kWinnerFolds = 0x80000002U;       ///< NB: the winner's fold scores
inline constexpr std::uint32_t kNaiveBootstrap = 0x80000003U;    ///< one fixed configuration
inline constexpr std::uint32_t kModelLuck = 0x80000004U;         ///< permutations of fold labels
inline constexpr std::uint32_t kErrorTails = 0x80000005U;        ///< few rows, for tails of errors
inline constexpr std::uint32_t kFoldPermutations = 0x80000006U;  ///< the same, for what is left
inline constexpr std::uint32_t kMultipliers = 0x80000010U;  ///< of rows, for the winner's interval
inline constexpr std::uint32_t kMultiplierScales = 0x80000012U;  ///< of draws of kMultipliers
inline constexpr std::uint32_t kMeanErrors = 0x80000011U;        ///< normal errors of WMC

}  // namespace bbc::stream
