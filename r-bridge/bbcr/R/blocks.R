# Blocks of neighbouring rows, which are drawn together where rows are in order of time.

# The problem that `problem_with(groups)` makes, whose groups are blocks where `block_length` is given.
in_blocks <- function(block_length, options, groups, problem_with, n_rows, threads) {
  if (is.null(block_length)) return(problem_with(groups))
  length <- rows_of_a_block(block_length, options, groups, problem_with, threads)
  problem <- problem_with(blocks_of(length, n_rows))
  problem$block_length <- length
  problem$time_ordered <- TRUE
  problem
}

# How many rows are in a block, which the kernel finds from the problem.
rows_of_a_block <- function(block_length, options, groups, problem_with, threads) {
  if (!is.null(groups)) abort("`groups` are units of their own: give `groups` or `block_length`")
  if (options$method == "bbc-f") {
    abort('`block_length` is for draws of rows, not of folds as by `method = "bbc-f"`')
  }
  if (!is.character(block_length)) return(whole_number(block_length, "block_length", 1))
  if (!identical(block_length, "auto")) {
    abort('`block_length` must be a number of rows or "auto", not %s', shown(block_length))
  }
  if (!is.null(options$metric$score)) {
    abort(paste('`block_length = "auto"` reads what rows contribute, which the function "%s" does not',
                "tell; give a number of rows"), options$metric$name)
  }
  problem <- problem_with(NULL)
  checked(kernel_block_length(kernel_target(problem$truth), problem$predictions,
                              kernel_options(problem, options), threads), problem)
}

blocks_of <- function(block_length, n_rows) {
  if (block_length >= n_rows) {
    abort("`block_length` of %.0f makes one block of all %d rows", block_length, n_rows)
  }
  (seq_len(n_rows) - 1) %/% block_length
}

note_of_blocks <- function(problem) {
  if (is.null(problem$block_length)) return(NULL)
  sprintf("rows in their order are drawn in blocks of %.0f", problem$block_length)
}
