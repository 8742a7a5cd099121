#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# page.sh: runs the commands in the chapter about kernels in ports/linux/README.md literally, with a small
# configuration. Commands that the page runs on the new kernel run in a guest.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

# The page uses plain names: the project is in the home folder, and LLVM's tools have names without a release. The links
# lead to the installed tools, because a compiler that was started in advance (tests/warm) is chosen by the name of the link.
mkdir -p "$WORK/home" "$WORK/bin"
ln -s "$ROOT" "$WORK/home/bareprof"
for tool in clang ld.lld llvm-ar llvm-nm llvm-objcopy llvm-objdump llvm-readelf llvm-strip llvm-profdata llvm-cov; do
	ln -s "/usr/bin/$tool-$LINUX_LLVM" "$WORK/bin/$tool"
done
unset MAKEFLAGS MAKEOVERRIDES
export HOME="$WORK/home"
PATH=$WORK/bin:$PATH
PAGE=$WORK/page
EXAMPLE_TIME=3000
examples ports/linux/README.md "$PAGE"

# Makes the source tree and the configuration that a reader of the page has.
linux_source "$PAGE/linux" || exit
TREE=$PAGE/linux
# shellcheck disable=SC2086
check "a kernel is configured" linux_config "$WORK/O" $LINUX_X86
cp "$WORK/O/.config" "$TREE/"
(cd "$TREE" && find . -type f ! -name .config -exec sha256sum {} + | sort -k 2 >"$WORK/before")

# boot SCRIPT: boots the kernel in a guest that runs SCRIPT. The guest's profiles are copied back.
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
			check "the page gives the same number of lines: $lines" grep -q "and ${lines:-no} lines to" ports/linux/README.md
			;;
		*"report vmlinux"*)
			check "the report is about a kernel" awk '/^TOTAL/ && $5 > 10000 { found = 1 } END { exit !found }' "$said"
			check "the HTML report is written" test -s "$TREE/html/index.html"
			;;
		esac
		;;
	"show tests/ports/linux/page.sh runs it") check "$document:$line: the kernel boots, and its profile is read" boot "$steps/$number.show" ;;
	esac
done <"$steps/list"

# At the end, the page uninstalls bareprof. `make mrproper` then removes the built files, except those of objtool.
# Therefore make is also called in the folder of objtool.
rm -rf "$TREE/html" "$TREE"/*.profraw
make -s -C "$TREE" LLVM=1 mrproper >"$WORK/mrproper.log" 2>&1
make -s -C "$TREE/tools/objtool" clean >>"$WORK/mrproper.log" 2>&1
(cd "$TREE" && find . -type f ! -name .config -exec sha256sum {} + | sort -k 2 >"$WORK/after")
check "the tree is as it was" diff "$WORK/before" "$WORK/after"
