# R packages for check.sh and site.sh, which source this. As root on Debian they are installed.
needed="cpp11 generics testthat"
suggested="caret ggplot2 knitr rmarkdown pROC survival glmnet rsample ranger randomForest e1071 mlbench"

lacking() {
  command -v Rscript > /dev/null || { echo "R $*"; return; }
  Rscript -e 'for (p in commandArgs(TRUE)) if (!nzchar(system.file(package = p))) cat(p, "")' "$@"
}

install_by_apt() {
  if [ -z "$(lacking "$@")" ] || [ "$(id -u)" != 0 ] || [ ! -f /etc/debian_version ]; then return; fi
  echo "R: installing $(lacking "$@")by apt"
  names=$(for p in decor "$@"; do echo "r-cran-$p"; done | tr '[:upper:]' '[:lower:]')
  apt-get update -qq > "$build/apt.log" 2>&1
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends r-base-core pandoc \
    $names >> "$build/apt.log" 2>&1 || { tail -20 "$build/apt.log"; exit 1; }
}
