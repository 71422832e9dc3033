# AUC of the winner, 1000 replicates: bbcr beside loops that R users write. Run it by: make bench-r
#
# All do the same work on the same kind of data: the in-bag AUC of every configuration in each
# replicate, the winner, its out-of-bag AUC. Peers:
#   pROC     pROC::roc() and auc() per replicate and configuration
#   ranks    the rank formula per replicate and configuration, with R's rank()
#   product  no loop over replicates: per configuration one matrix product of the replicates' counts
#            with the table of right pairs, as fast as plain R gets
# First the peers' replicates are checked against those of bbcr on the same draws. Then all take
# turns on one thread each, and the least processor time of some rounds counts, because a machine's
# speed drifts and others may work on it. Loops run few replicates, and their time is scaled.
# Results go to versus_loops.csv with the CPU's name.
library(bbcr)

shapes <- list(c(100, 20), c(200, 100), c(1000, 100))
n_bootstraps <- 1000
replicates_of <- c(pROC = 1, ranks = 10, product = n_bootstraps)
rounds <- 3

auc_by_pROC <- function(truth, scores) {
  apply(scores, 2, function(column) {
    roc <- pROC::roc(truth, column, levels = 0:1, direction = "<")
    as.numeric(pROC::auc(roc))
  })
}

auc_by_ranks <- function(truth, scores) {
  positive <- truth == 1
  n <- as.double(sum(positive))
  others <- length(truth) - n
  apply(scores, 2, function(column) {
    (sum(rank(column)[positive]) - n * (n + 1) / 2) / (n * others)
  })
}

loop <- function(auc) {
  function(truth, scores, drawn) {
    apply(drawn, 1, function(rows) {
      winner <- which.max(auc(truth[rows], scores[rows, , drop = FALSE]))
      out <- setdiff(seq_along(truth), rows)
      auc(truth[out], scores[out, winner, drop = FALSE])
    })
  }
}

product <- function(truth, scores, drawn) {
  n <- length(truth)
  counts <- t(apply(drawn, 1, tabulate, nbins = n))
  positive <- which(truth == 1)
  negative <- which(truth == 0)
  aucs <- function(counts, column) {
    difference <- outer(column[positive], column[negative], "-")
    right <- (difference > 0) + 0.5 * (difference == 0)
    own <- counts[, positive, drop = FALSE]
    others <- counts[, negative, drop = FALSE]
    rowSums((own %*% right) * others) / (rowSums(own) * rowSums(others))
  }
  winners <- max.col(apply(scores, 2, function(column) aucs(counts, column)), "first")
  out <- numeric(nrow(drawn))
  for (winner in unique(winners)) {
    mine <- winners == winner
    out[mine] <- aucs(1 * (counts[mine, , drop = FALSE] == 0), scores[, winner])
  }
  out
}

peers <- list(pROC = loop(auc_by_pROC), ranks = loop(auc_by_ranks), product = product)

cpu_name <- function() {
  lines <- grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)
  sub("^[^:]*: *", "", lines[[1]])
}

# Milliseconds of the processor; work shorter than the clock's grain is repeated.
processor_time <- function(work) {
  times <- 1
  repeat {
    seconds <- sum(system.time(for (i in seq_len(times)) work())[c("user.self", "sys.self")])
    if (seconds >= 0.2) return(1000 * seconds / times)
    times <- times * 4
  }
}

measured <- lapply(shapes, function(shape) {
  set.seed(1)
  truth <- rep(0:1, length.out = shape[[1]])
  scores <- truth + matrix(rnorm(prod(shape)), shape[[1]])
  draw <- function(count) t(replicate(count, sample.int(shape[[1]], replace = TRUE)))
  few <- draw(40)
  expected <- bbc_correct(scores, truth, "roc_auc", resamples = few)$replicates
  for (peer in names(peers)) {
    shown <- few[seq_len(if (peer == "pROC") 2 else 40), , drop = FALSE]
    stopifnot(all.equal(peers[[peer]](truth, scores, shown), expected[seq_len(nrow(shown))]))
  }
  ours <- function() {
    bbc_correct(scores, truth, "roc_auc", n_bootstraps = n_bootstraps, seed = 1, n_threads = 1)
  }
  works <- c(
    list(bbcr = ours),
    lapply(stats::setNames(nm = names(peers)), function(peer) {
      function() peers[[peer]](truth, scores, draw(replicates_of[[peer]]))
    })
  )
  best <- rep(Inf, length(works))
  for (round in seq_len(rounds)) best <- pmin(best, vapply(works, processor_time, 0))
  names(best) <- names(works)
  best[names(peers)] <- best[names(peers)] * n_bootstraps / replicates_of[names(peers)]
  ratios <- best[names(peers)] / best[["bbcr"]]
  line <- data.frame(
    rows = shape[[1]], configurations = shape[[2]],
    as.list(stats::setNames(signif(best, 4), paste0(names(best), "_ms"))),
    as.list(stats::setNames(signif(ratios, 3), paste0(names(peers), "_ratio"))), cpu = cpu_name()
  )
  print(line)
  line
})
utils::write.csv(do.call(rbind, measured), "benches/r/versus_loops.csv", row.names = FALSE,
                 quote = FALSE)
