#!/usr/bin/env bash
# bbcr.dll: R's own build of the R package, with Makevars.win, another compiler, and a stub of R.dll
# that has the symbols of this machine's libR.   usage: r_windows.sh FOLDER COMPILER
set -euo pipefail
package=$PWD/r-bridge/bbcr
compiler=$2
rm -rf "$1/bbcr"
cp -rL "$package" "$1/bbcr"
cd "$1/bbcr"
rm -f src/*.o src/*.so
sh ./configure.win
cd src
mv Makevars.win Makevars

library=$(R RHOME)/lib/libR.so
{
  echo "LIBRARY R.dll"
  echo "EXPORTS"
  nm -D --defined-only "$library" | sed -n 's/^[0-9a-f]* [BDR] \(.*\)/\1 DATA/p; s/^[0-9a-f]* T //p'
} > ../R.def
"${compiler%%-g++*}-dlltool" --input-def ../R.def --output-lib ../libR.dll.a

cat > ../compiler.mk <<EOF
CXX20 = $compiler
CXX20FLAGS = -O2 -Wall
CXX20PICFLAGS =
LDFLAGS =
LIBR0 =
LIBR = -L.. -lR
EOF
export R_MAKEVARS_USER=$PWD/../compiler.mk MAKEFLAGS="-j$(nproc)"
CLINK_CPPFLAGS=-I$(Rscript -e 'cat(system.file("include", package = "cpp11"))')
export CLINK_CPPFLAGS
R CMD SHLIB --output=../bbcr.dll *.cpp

# The only library that is not Windows's own or the compiler's is R.
"${compiler%%-g++*}-objdump" -p ../bbcr.dll | sed -n 's/.*DLL Name: //p' | tee ../needs
grep -qx R.dll ../needs
! grep -Evi '^(R|kernel32|msvcrt|ucrtbase|api-ms-.*|lib(gcc_s_seh|stdc\+\+|winpthread)-[0-9]+)\.dll$' ../needs
