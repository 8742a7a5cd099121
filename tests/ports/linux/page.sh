#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# page.sh: the chapter about kernels of ports/linux/README.md, done literally, on a small
# configuration; what it does on the kernel that was built, it does in a guest.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

# What the page calls by its plain name: the project in the home folder, and tools of one release.
mkdir -p "$WORK/home" "$WORK/bin"
ln -s "$ROOT" "$WORK/home/bareprof"
for tool in clang ld.lld llvm-ar llvm-nm llvm-objcopy llvm-objdump llvm-readelf llvm-strip llvm-profdata llvm-cov; do
	ln -s "$(command -v "$tool-$LINUX_LLVM")" "$WORK/bin/$tool"
done
unset MAKEFLAGS MAKEOVERRIDES
export HOME="$WORK/home"
PATH=$WORK/bin:$PATH
PAGE=$WORK/page
EXAMPLE_TIME=3000
examples ports/linux/README.md "$PAGE"

# The reader's tree, with the configuration that the reader has.
linux_source "$PAGE/linux" || exit
TREE=$PAGE/linux
# shellcheck disable=SC2086
check "a configuration" linux_config "$WORK/O" $LINUX_X86
cp "$WORK/O/.config" "$TREE/"
(cd "$TREE" && find . -type f ! -name .config -exec sha256sum {} + | sort -k 2 >"$WORK/before")

# boot SCRIPT: the kernel, in a guest that does that; files it makes come back.
boot() {
	guest=$WORK/root
	linux_root "$guest"
	{
		echo 'set -e'
		cat "$1"
		echo 'cp *.profraw /out'
	} >"$guest/test/run"
	linux_initramfs "$guest" "$WORK/initramfs" && linux_boot "$TREE/arch/x86/boot/bzImage" "$WORK/initramfs" "$WORK/out" &&
		cp "$WORK"/out/*.profraw "$TREE/"
}
while read -r number kind line place rest; do
	[ "$place" = linux ] || continue
	case "$kind $rest" in
	run*)
		said=$steps/$number.out
		check "$document:$line: works: $(head -n 1 "$steps/$number.run")" in_folder "$folder/$place" "$steps/$number.run"
		case $(cat "$steps/$number.run") in
		*"install.sh ."*)
			lines=$(sed -n 's/.*; \([0-9]*\) lines were added.*/\1/p' "$said")
			check "as many lines as the page says: $lines" grep -q "and ${lines:-no} lines to" ports/linux/README.md
			;;
		*"report vmlinux"*)
			check "it is a report of a kernel" awk '/^TOTAL/ && $5 > 10000 { found = 1 } END { exit !found }' "$said"
			check "a page of it" test -s "$TREE/html/index.html"
			;;
		esac
		;;
	"show tests/ports/linux/page.sh runs it") check "$document:$line: boots, and is read" boot "$steps/$number.show" ;;
	esac
done <"$steps/list"

# Taken out at the end; what make has made goes by make's own means, of which Linux forgets one.
rm -rf "$TREE/html" "$TREE"/*.profraw
make -s -C "$TREE" LLVM=1 mrproper >"$WORK/mrproper.log" 2>&1
make -s -C "$TREE/tools/objtool" clean >>"$WORK/mrproper.log" 2>&1
(cd "$TREE" && find . -type f ! -name .config -exec sha256sum {} + | sort -k 2 >"$WORK/after")
check "the tree is as it was" diff "$WORK/before" "$WORK/after"
