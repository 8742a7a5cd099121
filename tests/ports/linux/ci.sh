#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ci.sh: runs the commands of docs/LINUX-CI.md literally, one by one. A kernel is built and booted twice, and its
# coverage is reported. Then the script causes each failure that the page describes, and the failure must look as
# described.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh

newcomer

EXAMPLE_TIME=3000
PAGE=$WORK/page
examples docs/LINUX-CI.md "$PAGE"
try_examples

for log in files processes; do
	check "KUnit ran in the boot with $log.test" grep -aqE 'ok [0-9]+ (- )?list-kunit-test' "$PAGE/$log.log"
done
# covered FILE MINIMUM LCOV: succeeds if at least MINIMUM lines of FILE ran.
covered() {
	awk -F '[:,]' -v file="/$1" -v least="$2" '/^SF:/ { in_file = substr($0, length($0) - length(file) + 1) == file }
		in_file && /^DA:/ && $3 > 0 { ran++ }
		END { print file, ran + 0; exit !(ran >= least) }' "$3"
}
check "KUnit tests covered lib/list-test.c" covered lib/list-test.c 100 "$PAGE/kernel.info"
check "the scripts covered fs/namei.c" covered fs/namei.c 100 "$PAGE/kernel.info"
# Code of fs/ramfs/inode.c runs in only one of the two boots. So it has counts only if the profile of that boot was
# merged.
check "the links of files.test are in the merged profile" covered fs/ramfs/inode.c 10 "$PAGE/kernel.info"
check "the table has over 10,000 functions: $(awk '$1 == "TOTAL" { print $5 }' "$PAGE/table.txt")" \
	awk '$1 == "TOTAL" && $5 > 10000 { found = 1 } END { exit !found }' "$PAGE/table.txt"
check "the HTML report is written" test -s "$PAGE/html/index.html"

status() {
	wanted=$1
	shift
	(cd "$PAGE" && "$@" >"$WORK/status.out" 2>&1)
	got=$?
	[ "$got" -eq "$wanted" ] || { echo "exit code $got"; tail -n 5 "$WORK/status.out"; return 1; }
}
check "coverage below the threshold fails" status 6 bareprof report --fail-under 99 linux/vmlinux all.profdata
check "a dump that lost bytes fails" status 1 sh -c \
	"dd if=files.dump bs=1 skip=3000 status=none | cat processes.dump - >lost.dump; head -c 3000 files.dump >short.dump; bareprof merge -o lost.profdata --elf linux/vmlinux short.dump"
check "no profile of it is left" test ! -e "$PAGE/lost.profdata"
echo false >"$PAGE/broken.test"
check "the boot fails if a test in it fails" status 1 sh boot.sh broken
