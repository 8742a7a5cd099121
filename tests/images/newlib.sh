#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# newlib.sh - tests the demo kernel with newlib's string and stdlib functions, which are all instrumented. With its
# records, the kernel is too large for the flash of lm3s6965evb. The lean kernel must fit into this flash and pass its
# self tests on this board. The report must have each function, with the same counts as the report of the full kernel,
# which runs on a board with more memory.
. "$(dirname "$0")/../lib.sh"

NEWEST=$(newest_clang)
versions=$NEWEST
[ -z "${BAREPROF_WIDE-}" ] || versions="19 $NEWEST"

# image BOARD LINKER NAME [VARIABLE=VALUE]: builds a kernel as NAME.elf. The output of make goes to $WORK/make.log.
image() {
	make -s -j2 image CONFIG=newlib LLVM="$version" BOARD="$1" LINKER="$2" OUT="$WORK/$version-$1" ${4+"$4"} \
		>"$WORK/make.log" 2>&1 && cp "$WORK/$version-$1/kernel.elf" "$WORK/$3.elf"
}

# overflows LINKER: succeeds if the link of the full kernel fails because the flash is too small.
OVERFLOW="region .ROM.*overflowed by [1-9]"
overflows() {
	! image lm3s6965evb "$1" overflow && grep -q "$OVERFLOW" "$WORK/make.log" && return
	cat "$WORK/make.log"
	return 1
}

# runs BOARD NAME: boots the kernel NAME; its self tests must pass. The report of the run is stored in NAME.lcov and
# NAME.json.
runs() {
	timeout 100 "$BAREPROF" run --board "$1" --timeout 90 --send 'test\ncov counters\nexit\n' \
		--log "$WORK/$2.log" -o "$WORK/$2.profraw" "$WORK/$2.elf" || return
	grep -q '^pass newlib' "$WORK/$2.log" && grep -q '^pass library' "$WORK/$2.log" || return
	"$BAREPROF" report --lcov "$WORK/$2.lcov" "$WORK/$2.elf" "$WORK/$2.profraw" &&
		"$BAREPROF" report --json "$WORK/$2.json" "$WORK/$2.elf" "$WORK/$2.profraw"
}

# complete NAME: each function in the coverage mapping must be in the report, and each record must have a mapping.
complete() {
	python3 - "$WORK/$1.elf" "$WORK/$1.json" "$version" <<'PYTHON'
import json
import struct
import sys
sys.path.insert(0, "tests/capture")
import profraw
from elf import Elf
elf = Elf(sys.argv[1])
covfun = elf.sections["__llvm_covfun"].content
mapped, at = set(), 0
while at + 28 <= len(covfun):
    name, size, code, _ = struct.unpack_from("<QIQQ", covfun, at)
    mapped.add((name, code))
    at = (at + 28 + size + 7) & ~7
data = json.load(open(sys.argv[2]))["data"][0]
reported = len(data["functions"])
newlib = [file for file in data["files"] if "/newlib/libc/" in file["filename"]]
count, ran = (sum(file["summary"]["functions"][what] for file in newlib) for what in ("count", "covered"))
print(f"mapped: {len(mapped)} functions, those in headers once for each file; reported: {reported}; "
      f"in newlib: {count} in {len(newlib)} files, of which {ran} ran")
assert reported == len(mapped), "the report lacks functions"
assert {record[:2] for record in profraw.records(int(sys.argv[3]), elf)} <= mapped, "a record has no mapping"
assert len(newlib) > 200 and count > 400 and ran > 80, "too few functions of newlib"
PYTHON
}

# same_reports: compares both reports. newlib's memchr() takes single bytes up to the first aligned word, so its counts
# depend on the addresses of strings, which differ. Of its lines and branches, only whether they ran is compared.
same_reports() {
	for name in lean full; do
		awk '/^SF:/ { moves = /\/memchr\.c$/ } moves && /^(DA|BRDA):/ { sub(/,[1-9][0-9]*$/, ",1") } { print }' \
			"$WORK/$name.lcov" >"$WORK/$name.compared" || return
	done
	cmp "$WORK/lean.compared" "$WORK/full.compared"
}

for version in $versions; do
	if ! command -v "clang-$version" "ld.lld-$version" "llvm-objcopy-$version" >/dev/null; then
		skip "newlib kernel of clang $version: it is not installed with its lld"
		continue
	fi
	for linker in lld ${BAREPROF_WIDE:+gnu}; do
		check "clang $version, $linker: the full kernel overflows lm3s6965evb" overflows $linker
		grep "$OVERFLOW" "$WORK/make.log" | tail -n 1
		check "clang $version, $linker: the lean kernel fits" image lm3s6965evb $linker lean LEAN=1
		check "clang $version, $linker: the lean kernel runs and passes newlib's tests" runs lm3s6965evb lean
		check "clang $version, $linker: the lean kernel's report has all functions" complete lean
		complete lean
		check "clang $version, $linker: the full kernel links for mps2-an385" image mps2-an385 $linker full
		check "clang $version, $linker: the full kernel runs there and passes" runs mps2-an385 full
		check "clang $version, $linker: both reports are the same" same_reports
		check "clang $version, $linker: the full kernel's report has all functions" complete full
	done
done
