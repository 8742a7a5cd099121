#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# picture: README.md contains the picture docs/report.svg. This test checks that the picture shows
# the coverage of the current demo kernel. With -icount, QEMU counts instructions instead of time,
# so each run gives the same counts.
. "$(dirname "$0")/../../lib.sh"

LLVM=22
PICTURE=docs/report.svg

check "README.md shows $PICTURE" grep -q "]($PICTURE)" README.md
if [ ! -e /usr/bin/llvm-cov-$LLVM ]; then
	skip "$PICTURE: it shows what clang-$LLVM counts, which is missing"
	exit 0
fi
check "the demo kernel" make -s image BOARD=x86_64 LLVM=$LLVM OUT="$WORK/demo"
check "it boots, tests itself and dumps" "$BAREPROF" run --board x86_64 --send 'test\ncov dump\nexit\n' \
	-o "$WORK/kernel.profraw" "$WORK/demo/kernel.elf" -- -icount shift=0
"$BAREPROF" report --llvm $LLVM "$WORK/demo/kernel.elf" "$WORK/kernel.profraw" >"$WORK/table" 2>"$WORK/report.err"
check "the report" test $? -eq 0
awk -f tests/docs/picture/picture.awk "$WORK/table" >"$WORK/report.svg"
check "the picture has files and a total" sh -c \
	"[ \$(grep -c '\\.c</text>' '$WORK/report.svg') -ge 15 ] && grep -q '>TOTAL<' '$WORK/report.svg'"
check "it is well-formed" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$WORK/report.svg"
check "$PICTURE is what the report shows; if not: cp $WORK/report.svg $PICTURE" diff $PICTURE "$WORK/report.svg"
