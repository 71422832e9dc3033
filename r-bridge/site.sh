#!/usr/bin/env bash
# The R pages of the documentation, by pkgdown and without the network, in build/r/site: make docs.
# Where R or pkgdown are missing, and cannot be installed, the documentation is built without them.
set -euo pipefail
cd "$(dirname "$0")/.."
. r-bridge/packages.sh
build=build/r
mkdir -p "$build"
rm -rf "$build/site"
install_by_apt $needed $suggested pkgdown
missing=$(lacking $needed $suggested pkgdown)
if [ -n "$missing" ] || ! command -v pandoc > /dev/null; then
  echo "Documentation: the R pages are left out: ${missing:-pandoc }missing"
  exit 0
fi

echo "Documentation: the R package is installed, if it changed"
install_bbcr > "$build/site.log" || { tail -20 "$build/site.log"; exit 1; }

rm -rf "$build/bbcr"
cp -r r-bridge/bbcr "$build/bbcr"
export TZ=${TZ:-UTC} LANG=${LANG:-C.UTF-8} R_LIBS=$PWD/$build/lib:${R_LIBS:-}
# pkgdown fetches scripts, from 2.1 on, and downlit the addresses of packages that are not installed:
# these pages do without both.
Rscript -e 'options(pkgdown.internet = FALSE)
  replace <- function(name, package, value) {
    if (exists(name, asNamespace(package))) utils::assignInNamespace(name, value, package)
  }
  replace("external_dependencies", "pkgdown", function(...) list())
  replace("CRAN_urls", "downlit", function(...) data.frame(Package = character(), URL = character()))
  pkgdown::build_site(commandArgs(TRUE), override = list(destination = "../site"), preview = FALSE,
                      install = FALSE, new_process = FALSE)' "$build/bbcr" > "$build/site.log" 2>&1 ||
  { tail -20 "$build/site.log"; exit 1; }
rm -rf "$build/bbcr"
echo "Documentation: the R pages are in $build/site, after $SECONDS s"
