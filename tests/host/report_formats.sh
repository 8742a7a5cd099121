#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# report_formats.sh: tests the files that `bareprof report` writes. The sources of the programs have odd names and
# were moved after they were compiled. Output with renamed paths must equal the output of llvm-cov for the same
# sources compiled in their new folder. xmllint checks the XML.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$WORK/tmp"
TMPDIR=$WORK/tmp
SOURCE_DATE_EPOCH=1700000000
export TMPDIR SOURCE_DATE_EPOCH
now=$WORK/now
before=$WORK/then
odd=$(printf 'a "q" & <x>'"'"', t\303\244st.c')
mkdir -p "$now/src dir" "$now/include" "$now/build"
cat >"$now/include/half.h" <<'C'
static inline int half(int a)
{
	return a / 2;
}
C
cat >"$now/src dir/$odd" <<'C'
#include <half.h>

int never(int a)
{
	return a;
}

int twice(int a, int b)
{
	if ((a > 100 && b) || half(b) > 1000)
		return 0;
	return 2 * a;
}

int main(void)
{
	return twice(3, 1) + twice(300, 1) == 6 ? 0 : 1;
}
C
# The DTD of Cobertura's XML, which GitLab, Jenkins and Azure expect.
cat >"$WORK/cobertura.dtd" <<'DTD'
<!ENTITY % rates "line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED">
<!ELEMENT coverage (sources?, packages)>
<!ATTLIST coverage %rates; lines-covered CDATA #REQUIRED lines-valid CDATA #REQUIRED
	branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED
	version CDATA #REQUIRED timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)>
<!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)>
<!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED %rates;>
<!ELEMENT classes (class*)>
<!ELEMENT class (methods, lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED %rates;>
<!ELEMENT methods (method*)>
<!ELEMENT method (lines)>
<!ELEMENT lines (line*)>
<!ELEMENT line EMPTY>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch (true|false) "false"
	condition-coverage CDATA "100%">
DTD
# xpath EXPRESSION: evaluates EXPRESSION in the XML file that was written last.
xpath() { xmllint --nonet --xpath "$1" "$xml"; }
valid() { check "$1" xmllint --nonet --noout --dtdvalid "$WORK/cobertura.dtd" "$xml"; }

# compile FOLDER NAME: compiles the sources of FOLDER in a build folder and with relative names, as build systems do.
# It then runs the program.
compile() {
	mcdc=
	[ "$major" -lt 18 ] || mcdc=-fcoverage-mcdc
	(cd "$1/build" && "clang-$major" $mcdc -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -I../include \
		-o "$2" "../src dir/$odd") && LLVM_PROFILE_FILE=$2.profraw "$2"
}
# same_pages A B: succeeds if the HTML pages in A and B are the same, except for the time at which they were made.
same_pages() {
	find "$1" "$2" -type f -name '*.html' -exec sed -i 's/Created: [-0-9: ]*//' {} +
	diff -r "$1" "$2"
}

seen=
for major in 13 14 15 16 17 18 19 20 21 22 23; do
	command -v "clang-$major" >/dev/null || continue
	seen=$major
	here=$WORK/here$major
	moved=$WORK/moved$major
	xml=$moved.xml
	compile "$now" "$here" || { not_ok "clang-$major compiles" && continue; }
	mv "$now" "$before"
	compile "$before" "$moved"
	mv "$before" "$now"
	"llvm-profdata-$major" merge -o "$here.profdata" "$here.profraw"
	summary=
	[ "$major" -lt 18 ] || summary=-show-mcdc-summary
	# shellcheck disable=SC2086
	"llvm-cov-$major" report "$here" -instr-profile="$here.profdata" $summary >"$here.txt"
	# shellcheck disable=SC2086
	"llvm-cov-$major" show "$here" -instr-profile="$here.profdata" -format=html -output-dir="$here.html" \
		$summary ${summary:+-show-mcdc} >/dev/null
	"llvm-cov-$major" export "$here" -instr-profile="$here.profdata" >"$here.json"
	"llvm-cov-$major" export "$here" -instr-profile="$here.profdata" -format=lcov >"$here.lcov"
	# llvm-cov before release 15 leaves ".." in the file names that it writes, so the test removes them.
	sed -i 's|/build/\.\./|/|g' "$here.lcov" "$here.json"
	(cd "$now" && "$BAREPROF" report "$moved" "$moved.profraw" --path-map "$before/src dir/=$now/src dir" \
		--path-map /nowhere=/else --path-map "$before=$now" --html "$moved.html" --lcov "$moved.lcov" \
		--json "$moved.json" --cobertura "$xml" --show-mcdc >"$moved.txt" 2>"$moved.err")
	check "clang-$major: succeeds" test $? -eq 0
	sed -i '/index.html$/d' "$moved.txt"
	check "clang-$major, moved: table" diff "$here.txt" "$moved.txt"
	check "clang-$major, moved: HTML" same_pages "$here.html" "$moved.html"
	check "clang-$major, moved: LCOV" diff "$here.lcov" "$moved.lcov"
	check "clang-$major, moved: JSON" diff "$here.json" "$moved.json"
	check "clang-$major: a warning about a map that fits nothing" grep -q 'compiled in the folder /nowhere$' "$moved.err"
	if [ "$major" -lt 18 ]; then
		check "clang-$major: a message that it has no MC/DC" grep -q -- "--show-mcdc: LLVM $major has no MC/DC; compile with clang 19 or later" "$moved.err"
	else
		check "clang-$major: MC/DC in the table" grep -Eq '^Filename.*MC/DC Conditions' "$moved.txt"
		check "clang-$major: MC/DC in the HTML" sh -c "grep -rqF 'MC/DC Decision Region' '$moved.html'"
	fi
	# The sources have no macros, so the sum of all lines in the XML must equal llvm-cov's totals.
	valid "clang-$major: Cobertura's XML is valid"
	totals=$("llvm-cov-$major" export -summary-only "$here" -instr-profile="$here.profdata" | sed 's/.*"totals"://')
	for what in lines branches; do
		check "clang-$major: Cobertura's $what" test "$(xpath "concat(/*/@$what-valid, ' ', /*/@$what-covered)")" = \
			"$(echo "$totals" | sed "s/.*\"$what\":{\"count\":\([0-9]*\),\"covered\":\([0-9]*\),.*/\1 \2/")"
	done
	check "clang-$major: Cobertura has all lines" test "$(xpath 'count(//line)')" = "$(xpath 'string(/*/@lines-valid)')"
	check "clang-$major: Cobertura's lines that ran" test "$(xpath 'count(//line[@hits > 0])')" = \
		"$(xpath 'string(/*/@lines-covered)')"
	check "clang-$major: Cobertura's branches" test "$(xpath 'string(//line[@number=10]/@condition-coverage)')" = \
		"$(awk -F, '/^BRDA:10,/ { n++; if ($4 + 0) t++ } END { printf "%d%% (%d/%d)", t * 100 / n, t, n }' "$here.lcov")"
	check "clang-$major: Cobertura's file names" test "$(xpath 'string(//class[lines/line/@number=10]/@filename)')" = "src dir/$odd"
	check "clang-$major: Cobertura's folders" test "$(xpath 'string(//package[1]/@name)'),$(xpath 'string(//package[2]/@name)')" = \
		"include,src dir"
	check "clang-$major: Cobertura's source and time" test "$(xpath 'string(//source)') $(xpath 'string(/*/@timestamp)')" = \
		"$(realpath "$now") 1700000000000"
	(cd "$now" && "$BAREPROF" report "$here" "$here.profraw" --cobertura "$xml" >/dev/null 2>&1)
	check "clang-$major: Cobertura's file names without a map" test "$(xpath 'string(//class[1]/@filename)')" = include/half.h
done
[ -n "$seen" ] || { skip "report formats: no clang-N installed" && exit 0; }

# The names of some files are not absolute. The names of some folders begin with the name of another folder.
elf=$WORK/here$seen
raw=$elf.profraw
names() { "$BAREPROF" report "$elf" "$raw" --lcov - "$@" 2>/dev/null | sed -n 's/^SF://p'; }
check "--path-map does not replace a part of a folder's name" test "$(names --path-map "${now%w}=/x")" = "$(names)"
check "--path-map with an empty B" test "$(names --path-map "$now/src dir/=" --path-map "$now=inc")" = "$odd
inc/include/half.h"
check "--path-map of the root folder" test "$(names --path-map /=/r | head -n 1)" = "/r$now/include/half.h"
(cd "$now/build" && "clang-$seen" -fprofile-instr-generate -fcoverage-mapping -fcoverage-compilation-dir=. \
	-I../include -o "$WORK/relative" "../src dir/$odd" && LLVM_PROFILE_FILE=$WORK/relative.profraw "$WORK/relative")
elf=$WORK/relative
raw=$elf.profraw
check "--path-map of names that are not absolute" test "$(names --path-map .=/abs/build | sed -n 2p)" = "/abs/build/../src dir/$odd"
elf=$WORK/here$seen
raw=$elf.profraw

# The names of these files are not valid UTF-8.
wild=$(printf 'w\001\377 \357\277\276.c')
printf 'int main(void) { return 0; }\n' >"$WORK/$wild"
"clang-$seen" -fprofile-instr-generate -fcoverage-mapping -o "$WORK/wild" "$WORK/$wild"
LLVM_PROFILE_FILE=$WORK/wild.profraw "$WORK/wild"
xml=$WORK/wild.xml
"$BAREPROF" report "$WORK/wild" "$WORK/wild.profraw" --cobertura "$xml" >/dev/null 2>&1
valid "a name that is not text"
check "a name that is not text: its replacement" test "$(xpath 'string(//class/@name)')" = "$(printf 'w?\303\277 ?.c')"

# For a large program with macros, the XML must agree with LCOV.
make -s image BOARD=mps2-an385 LLVM="$seen" DROPIN="$DROP_IN" OUT="$WORK/image" >"$WORK/make.log" 2>&1 &&
	"$BAREPROF" run --board mps2-an385 --send 'test\ncov dump\nexit\n' -o "$WORK/image.profraw" "$WORK/image/kernel.elf" \
		>/dev/null 2>&1
xml=$WORK/image.xml
"$BAREPROF" report "$WORK/image/kernel.elf" "$WORK/image.profraw" --cobertura - >"$xml" 2>/dev/null
"$BAREPROF" report "$WORK/image/kernel.elf" "$WORK/image.profraw" --lcov "$WORK/lcov" >/dev/null 2>&1
valid "demo kernel: Cobertura's XML is valid"
check "demo kernel: Cobertura and LCOV" test \
	"$(xpath "concat(count(//class), ' ', /*/@lines-valid, ' ', /*/@lines-covered, ' ', /*/@branches-valid, ' ', /*/@branches-covered)")" = \
	"$(awk -F'[:,]' '/^SF/ { f++ } /^DA/ { n++; if ($3 > 0) h++ } /^BRDA/ { b++; if ($5 + 0) t++ } END { print f, n, h, b, t }' "$WORK/lcov")"

for epoch in yesterday -5 99999999999999999999; do
	check "SOURCE_DATE_EPOCH=$epoch: a warning" sh -c "SOURCE_DATE_EPOCH=$epoch '$BAREPROF' report '$elf' '$raw' \
		--cobertura '$WORK/epoch.xml' 2>&1 | grep -q \"SOURCE_DATE_EPOCH takes seconds since 1970, not '$epoch'\""
	check "SOURCE_DATE_EPOCH=$epoch: the current time" grep -Eq 'timestamp="[12][0-9]{12}"' "$WORK/epoch.xml"
done

# Tests reports on standard output, and report files that cannot be written.
for format in lcov json cobertura; do
	"$BAREPROF" report "$elf" "$raw" --$format - >"$WORK/piped" 2>/dev/null
	"$BAREPROF" report "$elf" "$raw" --$format "$WORK/file" >/dev/null 2>&1
	check "--$format -: the same, and no table" cmp "$WORK/piped" "$WORK/file"
	refuses "--$format to a full disk" '/dev/full: cannot be written: No space' \
		sh -c "'$BAREPROF' report '$elf' '$raw' --$format /dev/full 2>&1 >/dev/null | sed '/: using /d' >&2; exit 3"
	refuses "--$format - to a full disk" 'standard output: cannot be written' \
		sh -c "'$BAREPROF' report '$elf' '$raw' --$format - 2>&1 >/dev/full | sed '/: using /d' >&2; exit 3"
	refuses "--$format into a folder that does not exist" "$WORK/none/x: cannot be created: .*check the folder" \
		"$BAREPROF" report "$elf" "$raw" --$format "$WORK/none/x"
done
refuses "--html in a file instead of a folder" 'file/html: cannot be created: .*/file is not a folder' \
	"$BAREPROF" report "$elf" "$raw" --html "$WORK/file/html"
refuses "--html -" '^bareprof: -: is not a folder; --html writes several files: name a folder' \
	"$BAREPROF" report "$elf" "$raw" --html -
mkdir -p "$WORK/pages" "$WORK/broken"
refuses "a file that --html writes" 'pages/index.html: is a file that --html writes, too; name another file' \
	"$BAREPROF" report "$elf" "$raw" --html "$WORK/pages" --lcov "$WORK/pages/../pages/index.html"
check "another file in the folder of --html" sh -c "'$BAREPROF' report '$elf' '$raw' --html '$WORK/pages' \
	--lcov '$WORK/pages/lcov.info' && grep -q '^SF:' '$WORK/pages/lcov.info' && grep -qi html '$WORK/pages/index.html'"
as_user=
[ "$(id -u)" -ne 0 ] || as_user='setpriv --reuid=65534 --clear-groups'
chmod 555 "$WORK/pages"
for folder in pages pages/new/folder; do
	# shellcheck disable=SC2086
	refuses "--html in a folder without permission" "$folder: cannot be written to: Permission denied; name another folder" \
		$as_user "$BAREPROF" report "$elf" "$raw" --html "$WORK/$folder"
done
chmod 755 "$WORK/pages"
printf '#!/bin/sh\n[ "$1" != show ] || { echo "no room" >&2; exit 1; }\nexec "%s" "$@"\n' "$(command -v "llvm-cov-$seen")" \
	>"$WORK/broken/llvm-cov-$seen"
chmod +x "$WORK"/broken/*
PATH=$WORK/broken:$PATH "$BAREPROF" report "$elf" "$raw" --html "$WORK/pages" >/dev/null 2>"$WORK/err"
check "llvm-cov cannot write the pages: status" test $? -eq 3
check "llvm-cov cannot write the pages: the message" grep -q "llvm-cov-$seen cannot write the pages into .*/pages, see its message above; check" "$WORK/err"
# broken OPTIONS...: runs report with the llvm-cov in $WORK/broken.
broken() { PATH=$WORK/broken:$PATH "$BAREPROF" report "$elf" "$raw" "$@" >"$WORK/out" 2>"$WORK/err"; }
printf '#!/bin/sh\necho "libLLVM.so: cannot open" >&2; exit 127\n' >"$WORK/broken/llvm-cov-$seen"
for options in --with-llvm "--html $WORK/unloaded"; do
	# shellcheck disable=SC2086
	broken $options
	check "$options: llvm-cov cannot be loaded: status" test $? -eq 3
	check "$options: llvm-cov cannot be loaded: the message" grep -q "llvm-cov-$seen [a-z]* failed with status 127; see its message above" "$WORK/err"
done
# In the first test, the first llvm-cov in PATH is a folder, which must be skipped. In the next tests, llvm-cov is a
# script that does nothing and exits with 0.
rm "$WORK"/broken/*
mkdir "$WORK/broken/llvm-cov-$seen"
check "a folder called llvm-cov in PATH" broken --with-llvm
rmdir "$WORK/broken/llvm-cov-$seen"
printf '#!/bin/sh\nexit 0\n' >"$WORK/broken/llvm-cov-$seen"
chmod +x "$WORK"/broken/*
broken --json "$WORK/nothing" --with-llvm
check "llvm-cov does nothing: status" test $? -eq 3 -a ! -e "$WORK/nothing"
check "llvm-cov does nothing: the message" grep -Eq "llvm-cov-$seen report printed nothing; check that this program is llvm-cov\$" "$WORK/err"
broken --html "$WORK/silent"
check "--html: llvm-cov does nothing: status" test $? -eq 3
check "--html: llvm-cov does nothing: the message" grep -q "llvm-cov has not written $WORK/silent/index.html; check that" "$WORK/err"
rm "$WORK"/broken/*
# full FILE OPTIONS...: without room for files, report must fail with a message that names a temporary file like FILE.
full() {
	file=$1
	shift
	refuses "a full disk of temporary files: $*" "the temporary file .*/$file cannot be written: .*; set TMPDIR" \
		sh -c "trap '' XFSZ; { (ulimit -f 0; '$BAREPROF' report '$elf' '$raw' $* 2>&1 >/dev/null) | sed '/: using /d' >&2; }; exit 3"
}
full dump.profdata --with-llvm
full dump.profdata "--html '$WORK/room'"
check "a full disk of temporary files: the table needs none" sh -c "trap '' XFSZ; ulimit -f 0; '$BAREPROF' report '$elf' '$raw' | grep -q TOTAL"
refuses "two formats to standard output" '--lcov and --json would both go to standard output; name a file for one of them' \
	"$BAREPROF" report "$elf" "$raw" --lcov - --json -
refuses "--path-map without =" "--path-map takes A=B, not '/a': " "$BAREPROF" report "$elf" "$raw" --path-map /a
refuses "--path-map without A" "--path-map takes A=B, not '=b': " "$BAREPROF" report "$elf" "$raw" --path-map =b
set --
while [ $# -lt 34 ]; do set -- "$@" --path-map a=b; done
refuses "--path-map too often" '--path-map can be given at most 16 times' "$BAREPROF" report "$elf" "$raw" "$@"
"clang-$seen" -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id -o "$WORK/plain" "$WORK/$wild"
LLVM_PROFILE_FILE=$WORK/plain.profraw "$WORK/plain"
[ "$seen" -lt 18 ] || check "--show-mcdc without MC/DC in the profile" sh -c \
	"'$BAREPROF' report '$WORK/plain' '$WORK/plain.profraw' --show-mcdc 2>&1 | grep -q 'the profile has no MC/DC: compile with -fcoverage-mapping and -fcoverage-mcdc'"
# Tests coverage mappings with hostile file names. Each name gets the name of its folder, which has 60,000 bytes here. The
# limits for the names grow with the size of the mapping. In `bomb`, about 300 bytes of names are 200,000 times the same
# name, which would be 12 GB to read. In `large`, 1,000 names would take 60 MB. Both are refused at once. In `allowed`, a
# long name that is never used makes the limit larger than these 60 MB, so report must say that the memory is used up.
python3 - "$WORK" <<'PY'
import struct, sys, zlib


def uleb(value):
    return bytes([value & 127 | 128]) + uleb(value >> 7) if value > 127 else bytes([value])


def write(path, names, pack):
    text = b"".join(uleb(len(name)) + name for name in names)
    packed = zlib.compress(text, 9) if pack else b""
    part = uleb(len(names)) + uleb(len(text)) + uleb(len(packed)) + (packed or text)
    with open(f"{sys.argv[1]}/{path}.covmap", "wb") as file:
        file.write(struct.pack("<4I", 0, len(part), 0, 5) + part + bytes(-len(part) % 8))


folder = b"/" + b"a" * 59999
distinct = [b"%d" % i for i in range(1000)]
write("bomb", [folder] + [b""] * 200000, True)
write("large", [folder] + distinct, True)
write("allowed", [folder, b"/" + b"b" * 3000000] + distinct, False)
PY
for map in bomb large allowed; do
	"llvm-objcopy-$seen" --update-section "__llvm_covmap=$WORK/$map.covmap" "$elf" "$WORK/$map"
done
# limited KIB PATTERN PROGRAM: report with at most KIB of memory must fail with a message that matches PATTERN.
limited() {
	start=$(date +%s)
	refuses "hostile file names: $3" "$2" sh -c "{ (ulimit -v $1; '$BAREPROF' report '$WORK/$3' '$raw' \
		--path-map /=/x 2>&1 >/dev/null) | sed '/shared/d' >&2; }; exit 3"
	check "hostile file names: $3: at once" test $(($(date +%s) - start)) -lt 10
	check "hostile file names: $3: no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
}
limited 1000000 'bomb: has a coverage mapping whose file names at offset 0 of __llvm_covmap are damaged' bomb
limited 1000000 'large: has a coverage mapping whose file names at offset 0 of __llvm_covmap are damaged' large
limited 60000 '^bareprof: out of memory$' allowed
mv "$now" "$WORK/away"
"$BAREPROF" report "$elf" "$raw" --html "$WORK/lost" >/dev/null 2>"$WORK/err"
check "a warning about missing sources" grep -q "bareprof: $now/.*: does not exist, .*--path-map A=B" "$WORK/err"
mv "$WORK/away" "$now"

# While llvm-cov runs, llvm-cov is killed or bareprof is interrupted.
mkdir -p "$WORK/bin"
export REAL="llvm-cov-$seen"
printf '#!/bin/sh\n[ "$1" != export ] && [ "$1" != show ] || kill -9 $$\nexec "$REAL" "$@"\n' >"$WORK/bin/llvm-cov"
chmod +x "$WORK/bin/llvm-cov"
ln -sf llvm-cov "$WORK/bin/llvm-cov-$seen"
REAL=$(command -v "llvm-cov-$seen")
PATH=$WORK/bin:$PATH "$BAREPROF" report "$elf" "$raw" --with-llvm --lcov "$WORK/killed" >/dev/null 2>"$WORK/err"
check "llvm-cov killed: status" test $? -eq 3
check "llvm-cov killed: the message" grep -q "llvm-cov-$seen export was ended by signal 9" "$WORK/err"
check "llvm-cov killed: nothing written" test ! -e "$WORK/killed"
PATH=$WORK/bin:$PATH "$BAREPROF" report "$elf" "$raw" --html "$WORK/killed.html" --lcov "$WORK/killed" >/dev/null 2>"$WORK/err"
check "--html: llvm-cov killed: status" test $? -eq 3
check "--html: llvm-cov killed: the message" grep -q "llvm-cov-$seen show was ended by signal 9" "$WORK/err"
check "--html: llvm-cov killed: nothing written" test ! -e "$WORK/killed"
printf '#!/bin/sh\n[ "$1" != export ] && [ "$1" != show ] || { echo SF:x; touch "%s"; exec sleep 60; }\nexec "$REAL" "$@"\n' \
	"$WORK/started" >"$WORK/bin/llvm-cov"
# interrupted SIGNAL STATUS OPTIONS...: ends report by SIGNAL while llvm-cov runs. It must then end with STATUS.
interrupted() {
	signal=$1
	number=$2
	shift 2
	rm -f "$WORK/started"
	# A shell makes programs that it starts with & ignore SIGINT. env restores the default action.
	PATH=$WORK/bin:$PATH env --default-signal=INT "$BAREPROF" report "$elf" "$raw" "$@" --lcov "$WORK/killed" \
		>/dev/null 2>&1 &
	pid=$!
	tries=0
	while [ ! -e "$WORK/started" ] && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	start=$(date +%s)
	kill -s "$signal" $pid
	{ wait $pid; } 2>/dev/null
	check "SIG$signal, $1: ends it" test $? -eq "$number"
	check "SIG$signal, $1: at once" test $(($(date +%s) - start)) -lt 20
	check "SIG$signal, $1: nothing written" test ! -e "$WORK/killed"
	check "SIG$signal, $1: temporary files gone" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
}
interrupted INT 130 --with-llvm
interrupted TERM 143 --html "$WORK/killed.html"
check "no temporary files left" sh -c "! ls '$TMPDIR'/* 2>/dev/null"
