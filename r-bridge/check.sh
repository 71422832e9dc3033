#!/usr/bin/env bash
# Tests of the R package and of the bridge between R and Python: make test-r.
# As root on Debian it installs what is missing; elsewhere it says what it skipped and how to run it.
set -euo pipefail
cd "$(dirname "$0")/.."
. r-bridge/packages.sh
build=build/r
mkdir -p "$build"

step() { echo "R tests, after $SECONDS s: $1"; }

install_by_apt $needed $suggested
if [ -n "$(lacking $needed)" ]; then
  echo "R tests SKIPPED: $(lacking $needed)missing. Install R 4.1 or newer with the packages"
  echo "$needed (and, for all tests, $suggested), then run: make test-r"
  exit 0
fi

# R asks timedatectl for the time zone, which complains where systemd does not run: a NOTE.
export TZ=${TZ:-UTC}
export LANG=${LANG:-C.UTF-8}  # sources are UTF-8, and the check warns of a locale that is not there
export _R_CHECK_FORCE_SUGGESTS_=false
# Of CRAN's checks all but those that need a network or LaTeX; they ask for checkbashisms.
export _R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=false
as_cran=$(if command -v checkbashisms > /dev/null; then echo --as-cran; fi)
export NOT_CRAN=true  # no test is left out
# CRAN's limit of 5 MB is of the package as users compile it, which the nightly run does.
[ -n "${BBC_NIGHTLY:-}" ] || export _R_CHECK_PKG_SIZES_THRESHOLD_=8
# Many times what each takes, on a busy machine too: what hangs is named, and ends the run.
hang=1200
export _R_CHECK_ELAPSED_TIMEOUT_=$hang
Rscript() {
  if ! command -v timeout > /dev/null; then command Rscript "$@"; return; fi
  timeout --kill-after=60 "$hang" Rscript "$@" ||
    { local code=$?; [ $code != 124 ] || echo "Rscript ${*: -1} hung: ended after $hang s"; return $code; }
}
export _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=true # Debian has no mlr3
# Of two definitions of one name R keeps that of the last file.
Rscript -e 'files <- list.files("r-bridge/bbcr/R", "R$", full.names = TRUE)
  names <- unlist(lapply(files, function(file) lapply(as.list(parse(file)), function(code) {
    if (is.call(code) && identical(code[[1]], as.name("<-")) && is.name(code[[2]])) as.character(code[[2]])
  })))
  if (anyDuplicated(names)) stop(names[duplicated(names)][[1]], " is defined twice in r-bridge/bbcr/R")'
# The package is compiled once: all jobs run what is installed here.
step "the package is installed"
install_bbcr

check() {
  step "R CMD check"
  (cd "$build" && R CMD check $as_cran --no-manual --ignore-vignettes --library="$PWD/lib" \
    --install="check:$PWD/install.log" bbcr_*.tar.gz)
  if grep -E '^Status: .*(WARNING|NOTE|ERROR)' "$build/bbcr.Rcheck/00check.log"; then
    echo "R CMD check is not clean: see $build/bbcr.Rcheck/00check.log"
    return 1
  fi
  step "R CMD check done"
}

missing=$(lacking survival ranger glmnet randomForest e1071 caret)
if [ -n "$missing" ]; then
  echo "Bridge tests SKIPPED: the R packages $missing are missing; install them, then: make test-r"
else
  .venv/bin/pip install --quiet -e "r-bridge/python[test]"
fi

vignettes() {
  if [ -n "$(lacking knitr rmarkdown)" ] || ! command -v pandoc > /dev/null; then
    echo "R tests: the vignettes are not built: knitr, rmarkdown or pandoc is missing"
    return
  fi
  Rscript -e 'folder <- commandArgs(TRUE)
    files <- list.files(c("r-bridge/bbcr/vignettes", "r-bridge/examples"), "Rmd$", full.names = TRUE)
    for (file in files) {
      rmarkdown::render(file, "all", output_dir = folder, intermediates_dir = folder,
                        envir = new.env(), quiet = TRUE)
    }' "$build"
  if command -v quarto > /dev/null; then
    cp r-bridge/examples/paper.Rmd "$build"
    quarto render "$build/paper.Rmd" --to html --quiet
  fi
}

# The code of the pages for R users, then the examples, as users run them; where R or Python was first
# makes no difference.
examples() {
  if [ -n "$missing$(lacking mlbench)" ]; then
    echo "Examples SKIPPED: the R package mlbench, or one of the bridge, is missing; install it, then: make test-r"
    return
  fi
  .venv/bin/python tests/test_readme.py r
  sed -n '/^```r$/,/^```$/p' r-bridge/README.md | sed '/^```/d' > "$build/readme.R"
  Rscript "$build/readme.R"
  Rscript r-bridge/examples/caret_sonar.R
  Rscript r-bridge/examples/bbcd_sonar.R | tee "$build/bbcd_sonar.Rout"
  .venv/bin/python -m bbc_r r-bridge/examples/bbcd_sonar.R | diff "$build/bbcd_sonar.Rout" -
}

# How what is not R CMD check finds bbcr and Python. rpy2 talks to R through its shared library, which
# needs no compiler.
beside_python() {
  export RPY2_CFFI_MODE=ABI R_LIBS=$PWD/$build/lib:${R_LIBS:-} BBC_PYTHON=$PWD/.venv/bin/python
}

pages() {
  beside_python
  step "vignettes, and a paper"
  vignettes
  step "what the documentation shows of R"
  mkdir -p "$build/quickstart"  # it writes files
  cp docs/quickstart/quickstart.R docs/quickstart/scores.csv "$build/quickstart"
  (cd "$build/quickstart" && Rscript quickstart.R) | diff docs/quickstart/quickstart.Rout -
  step "examples"
  examples
  step "pages done"
}

bridge() {
  if [ -n "$missing" ]; then return; fi
  beside_python
  step "the bridge"
  .venv/bin/python -m pytest -c r-bridge/python/pyproject.toml --numprocesses=2 --dist=loadfile \
    --max-worker-restart=0 r-bridge/python/tests
  step "the bridge done"
}

# Side by side, since each has stretches for one core; what they say is shown one after the other.
for job in check bridge pages; do
  $job > "$build/$job.log" 2>&1 &
  of_job[$!]=$job
done
failed=
for process in "${!of_job[@]}"; do
  wait "$process" || failed=yes
  cat "$build/${of_job[$process]}.log"
done
if [ -n "$failed" ]; then exit 1; fi
step "all passed"
