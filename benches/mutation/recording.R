# The last file of a copy of the package: each function notes that it was called, in `.called`.
.called <- new.env()
for (.name in ls(all.names = TRUE)) {
  .value <- get(.name)
  if (is.function(.value) && !is.primitive(.value)) {
    .kept <- attributes(.value)
    body(.value) <- call("{", bquote(assign(.(.name), TRUE, envir = .called)), body(.value))
    attributes(.value) <- .kept[setdiff(names(.kept), "srcref")]
    assign(.name, .value)
  }
}
