# The test by which bbc_tune() drops configurations: which are strictly worse than the best in nearly all
# replicates. A replicate is drawn again only if it leaves the metric undefined in bag.

# The kernel's answer for unpacked predictions: `best`, `share_worse` and `dominated`, whether that share is
# above the level.
dominance <- function(given, options, level, groups = NULL, threads = 0L) {
  problem <- problem_of(given, options, groups)
  list(raw = checked(kernel_dominated(kernel_target(problem$truth), problem$predictions,
                                      kernel_options(problem, options), level, threads), problem))
}
