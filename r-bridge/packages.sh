#!/usr/bin/env bash
# R packages, and ours, for check.sh and site.sh, which source this; run, it says what Debian calls them.
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

# The source package in $build, compiled into $build/lib unless that is newer than its sources, in the
# way of R CMD check, which then need not compile it: it reads install.log. `make test` takes the kernel
# that is built for Python, if it is; with BBC_NIGHTLY, all is compiled as users compile it.
install_bbcr() {
  local kernel=$PWD/build/default/cpp/libbbc.a
  if [ -z "${BBC_NIGHTLY:-}" ] && [ -e "$kernel" ]; then
    # The kernel is not compiled a second time: the same sources, eight at a time here as there.
    printf '%s\n' 'CXX20FLAGS = -O1' "PKG_LIBS = '$kernel' -lpthread -ldl" 'kernel_%.o: kernel_%.cpp' \
      '	$(CXX) -fpic -x c++ -c /dev/null -o $@'
  else
    # As users compile it, without debugging symbols, which would exceed 5 MB.
    echo 'CXX20FLAGS = -O2'
  fi > "$build/Makevars.asked"
  rm -f "$build"/bbcr_*.tar.gz
  (cd "$build" && R CMD build --no-build-vignettes ../../r-bridge/bbcr) || return 1
  if cmp -s "$build/Makevars.asked" "$build/Makevars" &&
    [ -e "$build/lib/bbcr/DESCRIPTION" ] && [ -z "$(find cpp/include cpp/src \
    r-bridge/bbcr/{DESCRIPTION,NAMESPACE,R,configure,inst,src} -type f \
    -newer "$build/lib/bbcr/DESCRIPTION" -print -quit)" ]; then return; fi
  mkdir -p "$build/lib"
  cp "$build/Makevars.asked" "$build/Makevars"
  (cd "$build" && MAKEFLAGS=-j2 R_MAKEVARS_USER=$PWD/Makevars _R_SHLIB_BUILD_OBJECTS_SYMBOL_TABLES_=TRUE \
    R CMD INSTALL --library=lib bbcr_*.tar.gz) > "$build/install.log" 2>&1 ||
    { tail -20 "$build/install.log"; return 1; }
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then debian_names $needed $suggested pkgdown; fi
