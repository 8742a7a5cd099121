#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report.sh: compares the output of `bareprof report` with that of llvm-cov, which the test calls directly, for
# programs of every installed clang.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp"
cat >"$WORK/program.c" <<'C'
int never(int a)
{
	return a;
}

int twice(int a)
{
	if (a > 100)
		return 0;
	return 2 * a;
}

int main(void)
{
	return twice(3) == 6 ? 0 : 1;
}
C
# llvm-cov counts 12 lines, and 9 of them ran, so the coverage is 75%. --fail-under is tested with values below and
# above 75.
TMPDIR=$WORK/tmp
export TMPDIR
status_of() {
	"$@" >"$WORK/status.out" 2>"$WORK/status.err"
	echo $?
}

seen=
for major in 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do
	command -v "clang-$major" >/dev/null || continue
	seen=$major
	elf=$WORK/program-$major
	raw=$elf.profraw
	if ! "clang-$major" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$elf" "$WORK/program.c" \
		2>"$WORK/clang.log"; then
		skip "clang-$major: does not link hosted programs with a profile runtime"
		continue
	fi
	LLVM_PROFILE_FILE=$raw "$elf"
	"llvm-profdata-$major" merge -o "$elf.profdata" "$raw"
	"llvm-cov-$major" report "$elf" -instr-profile="$elf.profdata" >"$WORK/expected"
	"$BAREPROF" report "$elf" "$raw" --html "$elf.html" --lcov "$elf.lcov" >"$WORK/got" 2>"$WORK/chosen"
	check "clang-$major: report succeeds" test $? -eq 0
	sed -i '/index.html$/d' "$WORK/got"
	check "clang-$major: the table is that of llvm-cov" diff "$WORK/expected" "$WORK/got"
	check "clang-$major: the llvm-cov of its own release made the HTML" grep -q "^bareprof: using .*/llvm-cov-$major\$" "$WORK/chosen"
	"clang-$major" -g -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$elf-g" "$WORK/program.c"
	"llvm-objcopy-$major" -R .comment "$elf-g"
	LLVM_PROFILE_FILE=$raw-g "$elf-g"
	"$BAREPROF" report "$elf-g" "$raw-g" --html "$elf.html" >/dev/null 2>"$WORK/chosen"
	check "clang-$major: the release is found in the debug information, too" grep -q "/llvm-cov-$major\$" "$WORK/chosen"
	check "clang-$major: HTML" test -s "$elf.html/index.html"
	"llvm-cov-$major" export -format=lcov "$elf" -instr-profile="$elf.profdata" >"$WORK/expected"
	check "clang-$major: LCOV" cmp "$WORK/expected" "$elf.lcov"
	check "clang-$major: --fail-under 100 fails with 6" test "$(status_of "$BAREPROF" report "$elf" "$raw" \
		--fail-under 100)" -eq 6
	check "clang-$major: --fail-under 100: the message" grep -q 'lines are covered ([0-9]* of [0-9]*), below 100 %' "$WORK/status.err"
	check "clang-$major: --fail-under 50 passes" test "$(status_of "$BAREPROF" report "$elf" "$raw" \
		--fail-under 50)" -eq 0
done
# --llvm N counts as release N does. The llvm-cov of the newest release reads the profiles of all older ones.
for elf in "$WORK"/program-*.profdata; do
	elf=${elf%.profdata}
	"llvm-cov-$seen" report "$elf" -instr-profile="$elf.profdata" >"$WORK/expected"
	"llvm-cov-$seen" export -format=lcov "$elf" -instr-profile="$elf.profdata" >>"$WORK/expected"
	"$BAREPROF" report "$elf" "$elf.profraw" --llvm "$seen" >"$WORK/got" 2>/dev/null
	"$BAREPROF" report "$elf" "$elf.profraw" --llvm "$seen" --lcov - >>"$WORK/got" 2>/dev/null
	check "--llvm $seen counts ${elf##*/} as that release" diff "$WORK/expected" "$WORK/got"
done
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
[ -n "$seen" ] || { skip "report: no clang-N installed" && exit 0; }

elf=$WORK/program-$seen
raw=$elf.profraw
"clang-$seen" -O1 -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/other" "$WORK/program.c"
LLVM_PROFILE_FILE=$WORK/other.profraw "$WORK/other"
refuses "a profile of another build" "comes from another build: its build id is [0-9a-f]+, but that of $elf is [0-9a-f]+" \
	"$BAREPROF" report "$elf" "$WORK/other.profraw"
"clang-$seen" -fprofile-generate -mllvm -disable-vp=true -Wl,--build-id -o "$WORK/ir" "$WORK/program.c"
LLVM_PROFILE_FILE=$WORK/ir.profraw "$WORK/ir"
refuses "a PGO profile" 'is a PGO profile without coverage mapping.*llvm-profdata show' \
	"$BAREPROF" report "$WORK/ir" "$WORK/ir.profraw"
"clang-$seen" -fprofile-instr-generate -Wl,--build-id -o "$WORK/bare" "$WORK/program.c"
LLVM_PROFILE_FILE=$WORK/bare.profraw "$WORK/bare"
refuses "a program without coverage mapping" "$WORK/bare: has no coverage mapping .*-fcoverage-mapping" \
	"$BAREPROF" report "$WORK/bare" "$WORK/bare.profraw"
touch "$WORK/bare-syms"
refuses "a program that Xen's build stripped" "$WORK/bare: has no coverage mapping .* was stripped; give $WORK/bare-syms, the same" \
	"$BAREPROF" report "$WORK/bare" "$WORK/bare.profraw"
# llvm-cov lists the header of this program among the files that contain no functions.
echo '#define PICK(x) ((x) ? 0 : 1)' >"$WORK/pick.h"
printf '#include "pick.h"\nint main(int n, char **words) { (void)words; return PICK(n); }\n' >"$WORK/pick.c"
"clang-$seen" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/pick" "$WORK/pick.c"
LLVM_PROFILE_FILE=$WORK/pick.profraw "$WORK/pick"
"llvm-profdata-$seen" merge -o "$WORK/pick.profdata" "$WORK/pick.profraw"
"llvm-cov-$seen" report "$WORK/pick" -instr-profile="$WORK/pick.profdata" >"$WORK/pick.theirs"
"$BAREPROF" report "$WORK/pick" "$WORK/pick.profraw" 2>"$WORK/pick.err" >"$WORK/pick.ours"
check "the table hides files without functions" sh -c \
	"grep -q pick.h '$WORK/pick.theirs' && grep -q pick.c '$WORK/pick.ours' && ! grep -q -e pick.h -e Files '$WORK/pick.ours'"
check "the table ends with llvm-cov's total" sh -c \
	"tail -n 2 '$WORK/pick.theirs' >'$WORK/pick.end'; tail -n 2 '$WORK/pick.ours' | cmp - '$WORK/pick.end' && grep -q ^TOTAL '$WORK/pick.end'"
refuses "the profile before the program" "$raw: is not an ELF file" "$BAREPROF" report "$raw" "$elf"
refuses "a program alone" "$elf: has no profile after it; usage: bareprof report" "$BAREPROF" report "$elf"
refuses "a profile alone" "$raw: is not an ELF file; report needs a program and its profile" "$BAREPROF" report "$raw"
"llvm-objcopy-$seen" -O binary "$elf" "$WORK/binary"
refuses "a binary made by objcopy" 'binary: is not an ELF file; give the linker.s output, not a file that objcopy or gzip made from it' \
	"$BAREPROF" report "$WORK/binary" "$raw"
refuses "-o" "report has no option '-o'; use '--html DIR', '--lcov FILE' or" "$BAREPROF" report "$elf" "$raw" -o "$WORK/out.html"
refuses "--lcov FOLDER" 'tmp: is a folder; name a file in it' "$BAREPROF" report "$elf" "$raw" --lcov "$WORK/tmp"
refuses "--html FILE" 'program.c: is not a folder; --html writes several files' \
	"$BAREPROF" report "$elf" "$raw" --html "$WORK/program.c"
check "--fail-under with a fraction: a warning" sh -c \
	"'$BAREPROF' report '$elf' '$raw' --fail-under 0.8 2>&1 >/dev/null | grep -q 'fail-under takes a percentage, and 0.8 means 0.8 %; .*: --fail-under 80'"
# The index version is in the 4 bytes after the first 8 bytes of an indexed profile.
cp "$elf.profdata" "$WORK/future.profdata"
printf '\143' | dd of="$WORK/future.profdata" bs=1 seek=8 conv=notrunc 2>/dev/null
refuses "an indexed profile of a version that no one knows yet" \
	'future.profdata: has index version 99, but this bareprof reads only 1 to [0-9]* .*: use a newer bareprof' \
	"$BAREPROF" report "$elf" "$WORK/future.profdata"
check "--llvm with a release that no one knows yet: a warning" sh -c \
	"'$BAREPROF' report '$elf' '$raw' --llvm 99 2>&1 >/dev/null | grep -q -- '--llvm 99: report knows how LLVM 13 to [0-9]* count, and counts as LLVM 2[0-9] does'"
refuses "an invalid percentage" "takes a percentage" "$BAREPROF" report "$elf" "$raw" --fail-under many
# These tools are found before the installed ones. Each of them says that it ran, and fails.
trap_llvm "touch '$WORK/ran'; exit 1"
# trapped OPTIONS...: runs report with these tools, and prints its status and "ran" if it ran one of them.
trapped() {
	rm -f "$WORK/ran"
	status=$(PATH=$WORK/traps:$PATH status_of "$BAREPROF" report "$elf" "$raw" "$@")
	echo "$status$([ ! -e "$WORK/ran" ] || echo " ran")"
}
check "the table, LCOV, JSON and Cobertura need no tool of LLVM" test "$(trapped --lcov "$WORK/trapped.lcov" \
	--json "$WORK/trapped.json" --cobertura "$WORK/trapped.xml" --fail-under 10)" = 0
check "LCOV made without tools is the same" cmp "$WORK/trapped.lcov" "$elf.lcov"
check "--with-llvm runs llvm-cov" test "$(trapped --with-llvm)" = "1 ran"
check "--compare runs llvm-cov" test "$(trapped --compare)" = "1 ran"
check "--with-llvm: the message" grep -q "traps/llvm-cov-$seen report failed with status 1; see its message above" "$WORK/status.err"
if [ "$seen" -gt 18 ]; then
	refuses "--html with a release that is too old" \
		"program-$seen: was compiled by LLVM [0-9a-z ]*: llvm-cov of LLVM 13 is too old for it; leave out --llvm" \
		"$BAREPROF" report "$elf" "$raw" --llvm 13 --html "$WORK/old.html"
fi
# Tests two cases: llvm-cov is not installed, or it is installed without a release in its name.
for missing in 17 20 21 30; do
	[ ! -d "/usr/lib/llvm-$missing" ] && [ "$missing" -gt "$seen" ] || continue
	refuses "missing tools" "llvm-cov of LLVM $missing is not installed, but --html, .* need it: install the Debian package llvm-$missing" \
		"$BAREPROF" report "$elf" "$raw" --llvm $missing --html "$WORK/missing.html"
	mkdir -p "$WORK/bin"
	printf '#!/bin/sh\n[ "$1" != --version ] || { echo LLVM version %s.1; exit; }\nexec llvm-cov-%s "$@"\n' \
		$missing "$seen" >"$WORK/bin/llvm-cov"
	chmod +x "$WORK/bin/llvm-cov"
	PATH=$WORK/bin:$PATH "$BAREPROF" report "$elf" "$raw" --llvm $missing --with-llvm >"$WORK/out" 2>"$WORK/err"
	check "a tool without a release in its name" grep -q "using $WORK/bin/llvm-cov\$" "$WORK/err"
	check "a tool without a release in its name: the table" grep -q TOTAL "$WORK/out"
	break
done
cp "$elf" "$WORK/-dash"
check "a program whose name begins with a dash" sh -c "cd '$WORK' && '$BAREPROF' report -- -dash '$raw'"
check "no temporary files left after errors" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
