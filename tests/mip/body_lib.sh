# SPDX-License-Identifier: BSD-2-Clause
# body_lib.sh - for the tests that run a body, which body/build.sh builds, in QEMU's user mode. Include it with:
# . "$(dirname "$0")/body_lib.sh"
. "$(dirname "$0")/../lib.sh"

export BODY_SOURCES="$ROOT/build/sources"
BODY_EVERY_COMPILER="gcc $(clang_releases | sed 's/^/clang-/')"

# body_qemu TARGET: prints the name of QEMU's program for a target of body/build.sh.
body_qemu() {
	case $1 in
	thumb) echo qemu-arm ;;
	*) echo "qemu-$1" ;;
	esac
}

# body_needs FOLDER/NAME: makes the drop-in files in $WORK/drop, and compiles the plugin for QEMU. If that is not possible,
# body_needs reports it and ends the test. The drop-in files write the profile, so the tests also show that these files are
# complete.
body_needs() {
	command -v qemu-aarch64 >/dev/null || { fails "the package qemu-user is installed" /dev/null; exit; }
	make -s drop-in DIR="$WORK/drop" >"$WORK/drop.log" 2>&1 && qemu_plugin "$1" && return
	fails "the drop-in and the plugin are built" "$WORK/drop.log"
	exit
}
