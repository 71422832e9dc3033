#!/usr/bin/env bash
# R packages for check.sh and site.sh, which source this; run, it says what Debian calls them all.
needed="codetools cpp11 generics testthat"
suggested="MASS rpart caret ggplot2 knitr rmarkdown pROC survival glmnet rsample ranger randomForest e1071 mlbench future.apply"

lacking() {
  command -v Rscript > /dev/null || { echo "R $*"; return; }
  Rscript -e 'for (p in commandArgs(TRUE)) if (!nzchar(system.file(package = p))) cat(p, "")' "$@"
}

debian_names() {
  echo r-base-core pandoc devscripts
  for p in decor "$@"; do echo "r-cran-$p"; done | tr '[:upper:]' '[:lower:]'
}

# As root on Debian only.
install_by_apt() {
  if [ -z "$(lacking "$@")" ] || [ "$(id -u)" != 0 ] || [ ! -f /etc/debian_version ]; then return; fi
  echo "R: installing $(lacking "$@")by apt"
  apt-get update -qq > "$build/apt.log" 2>&1
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends \
    $(debian_names "$@") >> "$build/apt.log" 2>&1 || { tail -20 "$build/apt.log"; exit 1; }
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then debian_names $needed $suggested pkgdown; fi
