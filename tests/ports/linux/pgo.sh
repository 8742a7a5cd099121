#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pgo.sh: optimizes lib/ and fs/ of Linux for a workload that uses files and directories. A kernel counts the workload
# in two boots, and bareprof merges the profiles. Then lib/ and fs/ are compiled with the merged profile. Their code
# must have promoted indirect calls and branch weights. The kernel must boot and run the same workload.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

linux_source "$WORK/linux" || exit
check "install.sh works" sh ports/linux/install.sh "$LINUX_TREE"
O=$WORK/O
KERNEL=$O/arch/x86/boot/bzImage
# shellcheck disable=SC2086
check "it is configured" linux_config "$O" $LINUX_X86 BAREPROF=y BAREPROF_PGO=y 'BAREPROF_PROFILE_DIRS="lib fs"'
check "a kernel that counts builds" linux_make "$O" bzImage
cp "$KERNEL" "$WORK/counts"

# Each boot does one part of the work, and repeats it.
guest=$WORK/root
linux_root "$guest"
cat >"$guest/test/run" <<'END_OF_RUN'
mkdir /mnt || exit
start=$(cut -d ' ' -f 1 /proc/uptime)
case $(cat /proc/cmdline) in
*files*)
	mount -t ramfs none /mnt && cp /bin/busybox /mnt/file || exit
	for i in 1 2 3 4 5 6 7 8; do md5sum /mnt/file >/mnt/sum && cat /mnt/sum || exit; done >/out/md5
	;;
*)
	mke2fs /dev/ram0 && mount -t ext2 /dev/ram0 /mnt && cp -R /bin /mnt/bin || exit
	for i in 1 2 3 4; do find /mnt | sort | wc -l && rm -r /mnt/bin && cp -R /bin /mnt/bin || exit; done
	;;
esac
umount /mnt || exit
awk -v a="$start" '{ printf "%.2f\n", $1 - a }' /proc/uptime >/out/took
b=/sys/kernel/debug/bareprof/vmlinux
test -d $b || exit 0
cp $b/info $b/profraw $b/capture /out/
END_OF_RUN
linux_initramfs "$guest" "$WORK/initramfs"
# works KERNEL OUT WORK: boots KERNEL, which does the part WORK of the work. Its results go to $WORK/OUT.
works() { linux_boot "$1" "$WORK/initramfs" "$WORK/$2" "$3"; }
check "it boots, and works with files" works "$WORK/counts" one files
check "it boots, and works with directories" works "$WORK/counts" two directories
OUT=$WORK/one
check "info: $(says info kind), $(says info 'value sites') value sites, $(says info 'values dropped') dropped" \
	test "$(says info kind)" = "IR, values" -a "$(says info 'value sites')" -gt 500 -a "$(says info 'values dropped')" -eq 0

check "bareprof merges the profiles" "$BAREPROF" merge -o "$WORK/all.profdata" "$WORK/one/profraw" "$WORK/two/profraw"
check "bareprof merges the captures" "$BAREPROF" merge -o "$WORK/captures.profdata" --elf "$O/vmlinux" "$WORK/one/capture" "$WORK/two/capture"
llvm="llvm-profdata-$LINUX_LLVM"
check "llvm-profdata merges the profiles" $llvm merge -o "$WORK/theirs.profdata" "$WORK/one/profraw" "$WORK/two/profraw"
# known FILE: prints the counts, and those targets of calls that are functions in the profile. Other targets are left
# out. The raw profile has only their addresses, and LLVM may merge several addresses into one target.
known() { $llvm show --all-functions --counts --ic-targets "$1" | grep -v '\[ *[0-9]*, , ' | sed '/^Statistics/,$d; s/ ([0-9.]*%)$//' | sort; }
for file in all theirs captures; do known "$WORK/$file.profdata" >"$WORK/$file.shown"; done
check "both results are the same" cmp "$WORK/all.shown" "$WORK/theirs.shown"
check "they have $(wc -l <"$WORK/all.shown") lines" test "$(wc -l <"$WORK/all.shown")" -gt 10000
check "the merged captures have as many functions" test \
	"$($llvm show "$WORK/captures.profdata" | grep '^Total')" = "$($llvm show "$WORK/all.profdata" | grep '^Total')"
# d_walk() walks through directories and calls select_collect() for each entry. Both functions are in one file.
walks() { $llvm show --function=d_walk --ic-targets "$1" | sed -n 's/.*select_collect, *\([0-9]*\) .*/\1/p' | sort -n | tail -n 1; }
check "a walk calls select_collect() $(walks "$WORK/all.profdata") times" test "$(walks "$WORK/all.profdata")" -gt 1000
check "it does so in the merged captures, too" test "$(walks "$WORK/captures.profdata")" -ge "$(walks "$WORK/all.profdata")"

# The objects are compiled without the profile first and then with it, so that the test can show the difference.
OBJECTS="fs/dcache.o fs/namei.o fs/read_write.o lib/vsprintf.o lib/radix-tree.o"
# look NAME: stores properties of the objects in files. It stores the sections of each object. For the object of
# dcache.c, it also stores the references, the address of select_collect(), and the IR.
look() {
	for object in $OBJECTS; do
		"llvm-readelf-$LINUX_LLVM" -SW "$O/$object" | grep -oE ' \.text\.(hot|unlikely)\.? ' | sed "s,^,$object,"
	done | sort -u >"$WORK/$1.sections"
	"llvm-objdump-$LINUX_LLVM" -dr "$O/fs/dcache.o" | awk '/^[0-9a-f]+ </ { here = $2 } $2 ~ /^R_/ { print here, $2, $3 }' >"$WORK/$1.refers"
	"llvm-nm-$LINUX_LLVM" "$O/fs/dcache.o" | awk '$3 == "select_collect" { sub(/^0*/, "", $1); print $1 }' >"$WORK/$1.address"
	cp "$O/fs/dcache.ll" "$WORK/$1.ll"
}
for dir in lib fs; do echo 'subdir-ccflags-y += $(PROFILE)' >>"$LINUX_TREE/$dir/Makefile"; done
sed -i 's/^CONFIG_BAREPROF=y/# CONFIG_BAREPROF is not set/' "$O/.config"
# shellcheck disable=SC2086
check "objects without bareprof build" linux_make "$O" olddefconfig $OBJECTS fs/dcache.ll
check "their properties are stored" look plain
use="-fprofile-use=$WORK/all.profdata"
check "a kernel that uses the profile builds" linux_make "$O" PROFILE="$use" bzImage
warnings "$O"
check "the profile fits all functions" not grep -iE 'profile|hash' "$O.warnings"
check "the IR of one file is made" linux_make "$O" PROFILE="$use" fs/dcache.ll
check "the properties are stored" look used
check "branches have weights" grep -q '"branch_weights"' "$WORK/used.ll"
check "functions have counts" grep -qE '"function_entry_count", i64 [1-9][0-9]+}' "$WORK/used.ll"
check "without the profile they have none" not grep -E 'function_entry_count' "$WORK/plain.ll"
check "hot and cold code is separated: $(wc -l <"$WORK/used.sections") sections" test \
	"$(grep -c 'text\.hot' "$WORK/used.sections")" -ge 2 -a "$(grep -c 'text\.unlikely' "$WORK/used.sections")" -ge 3
check "without the profile it is not" not grep hot "$WORK/plain.sections"
# promoted NAME: succeeds if the code of d_walk() compares with the address of select_collect().
promoted() {
	grep 'd_walk' "$WORK/$1.refers"
	cat "$WORK/$1.address"
	grep -qE "^<d_walk>: R_X86_64_32S (select_collect|\.text[a-z.]*\+0x$(cat "$WORK/$1.address"))$" "$WORK/$1.refers"
}
check "calls are promoted" promoted used
check "without the profile they are not" not promoted plain
check "the optimized kernel boots, and works with files" works "$KERNEL" three files
check "the optimized kernel boots, and works with directories" works "$KERNEL" four directories
check "the results are the same" diff "$WORK/one/md5" "$WORK/three/md5"
row() { printf '    %-28s %12s %12s\n' "$@"; }
row "" counts "uses it"
row "bzImage, bytes" "$(size "$WORK/counts")" "$(size "$KERNEL")"
row "files, s of the guest" "$(cat "$WORK/one/took")" "$(cat "$WORK/three/took")"
row "directories, s of the guest" "$(cat "$WORK/two/took")" "$(cat "$WORK/four/took")"
