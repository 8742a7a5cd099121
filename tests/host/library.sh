#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# library.sh: tests libbareprof.a as other programs use it. The script installs the library, finds it with pkg-config,
# uses it from C and C++, and lets it read new profiles. It also tests the examples in docs/LIBRARY.md.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

prefix=$WORK/prefix
check "make install" make -s install PREFIX="$prefix"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
flags() { pkg-config --cflags --libs "$@" bareprof; }

# The archive must export exactly the functions that the header declares.
nm -g --defined-only "$prefix/lib/libbareprof.a" | awk 'NF == 3 { print $3 }' | sort >"$WORK/shown"
tr '\n' ' ' <"$prefix/include/bareprof/profile.h" | sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' |
	grep -o 'bareprof_[a-z0-9_]*(' | tr -d '(' | sort -u >"$WORK/declared"
check "the library exports the $(wc -l <"$WORK/declared") functions of its header, nothing else" sh -c \
	"[ -s '$WORK/declared' ] && diff '$WORK/declared' '$WORK/shown'"
check "no other header is installed" test "$(find "$prefix/include" -type f)" = "$prefix/include/bareprof/profile.h"

# The programs are built outside of the source tree, so that compilers find only the installed files.
user=$WORK/user
mkdir -p "$user"
cp tests/host/programs/library.c tests/host/programs/library.cc "$user"
newest=$(find /usr/bin -name 'clang-[1-9][0-9]' | sed 's/.*-//' | sort -n | tail -n 1)
cd "$user" || exit 1
# shellcheck disable=SC2046 # the function flags() prints several options
{
	check "compiles as C11, with pkg-config --static" gcc -std=c11 -D_DEFAULT_SOURCE -pedantic -Wall -Wextra -Werror -o c library.c $(flags --static)
	check "compiles as C99" "clang-$newest" -std=c99 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -pedantic -Wall -Wextra -Werror -o c99 library.c $(flags)
	check "compiles as C++11" "clang++-$newest" -std=c++11 -pedantic -Wall -Wextra -Werror -o cc library.cc $(flags)
	echo '#include <bareprof/profile.h>
	struct bareprof_profile *start(void) { return bareprof_profile_new(); }' >shared.c
	check "links into a shared object" gcc -shared -fPIC -Wl,-z,defs -o libshared.so shared.c $(flags)
	check "the shared object exports no internal name" sh -c "nm -D --defined-only libshared.so | grep -qw start && ! nm -D --defined-only libshared.so | grep -Ev \" (start|bareprof_[a-z0-9_]*)$\""
	echo '#include <bareprof/profile.h>
	#include <bareprof/bareprof.h>' >both.c
	check "its header compiles together with the target's" gcc -c both.c -I"$ROOT/include"
}

# Makes new profiles with values, and the expected counts as text from llvm-profdata.
cat >ir.c <<'C'
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
int (*volatile op[2])(int, int) = {add, sub};
int never_called(int n) { return n; }
int main(void)
{
	int i, sum = 0;
	for (i = 0; i < 9; i++)
		sum = op[i % 3 == 2](sum, i);
	return sum > 100 ? never_called(sum) : 0;
}
C
for kind in "generate ir" "instr-generate fe"; do
	check "a profile (${kind#* })" sh -c "clang-$newest -O1 -fprofile-${kind% *} -Wl,--build-id=sha1 ir.c -o ${kind#* } &&
		LLVM_PROFILE_FILE=${kind#* }.profraw ./${kind#* } && llvm-profdata-$newest merge --text ${kind#* }.profraw -o ${kind#* }.proftext"
done
# lines: converts the counts of a text profile to the output format of programs/library.c.
lines() {
	awk '/^# Func Hash:/ { name = last; getline; line = name " " $0 }
		/^# Num Counters:/ { getline; n = $0 }
		/^# Counter Values:/ { for (; n; n--) { getline; line = line " " $0 }; print line }
		{ last = $0 }' "$1"
}
for kind in ir fe; do
	lines $kind.proftext >$kind.lines
	check "$kind: a C program reads the counts of llvm-profdata" sh -c "./c counts $kind.profraw $kind.7 >$kind.c && [ -s $kind.c ] && diff $kind.lines $kind.c"
	check "$kind: llvm-profdata-13 reads what it writes" sh -c "llvm-profdata-13 merge --text $kind.7 -o $kind.13 && diff $kind.proftext $kind.13"
	check "$kind: a C++ program writes the same text" sh -c "./cc $kind.profraw $kind.text >$kind.cc && diff $kind.proftext $kind.text &&
		cut -d' ' -f1,3 $kind.lines | diff - $kind.cc"
done
refuses "C: an empty file" '^empty: is empty: .*\.$' sh -c ": >empty; ./c counts empty x"
refuses "C++: an ELF file" '^ir: is an ELF file, neither a profile nor a log: .*\.$' ./cc ir x
check "a refused input leaves no output" test ! -e x

# The promises in the header's comments are tested with and without the sanitizers.
./c99 contract ir.profraw
check "the sanitizers find nothing, and no leak" sh -c "'$ROOT/build/tests/bin/library' contract ir.profraw >sanitized &&
	[ \"\$(grep -c '^ok' sanitized)\" -ge 20 ] && ! grep '^not ok' sanitized"
if command -v valgrind >/dev/null; then
	check "valgrind finds nothing" valgrind -q --error-exitcode=9 --leak-check=full ./c contract ir.profraw
	check "two threads that write two profiles do not race" \
		valgrind -q --tool=helgrind --error-exitcode=9 ./c threads ir.profraw threads.out
fi
truncate -s 200M large
./c memory large
check "out of memory without a handler: a message and an abort" sh -c \
	"! (ulimit -c 0; ulimit -v 65536; ./cc large x) 2>said && grep -qx 'bareprof: out of memory' said"
rm -f large

# Tests the examples in docs/LIBRARY.md.
cd "$ROOT" || exit 1
examples docs/LIBRARY.md "$WORK/example"
cp "$user/fe.profraw" "$WORK/example/default.profraw"
try_examples
