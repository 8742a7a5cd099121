#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh: boot the demo kernel on every board, run its self tests there, pull
# the profile and show its coverage. Images are built by `make demo` before.
set -eu
build=${BUILD:-build}
bareprof=$build/bareprof
made=

for board in "$@"; do
	dir=$build/demo/$board
	echo "== $board"
	"$bareprof" run --board "$board" --send 'test\ncov dump\nexit\n' -o "$dir/kernel.profraw" \
		"$dir/kernel.elf" >"$dir/console.log" || {
		status=$?
		cat "$dir/console.log"
		exit $status
	}
	"$bareprof" report "$dir/kernel.elf" "$dir/kernel.profraw" --html "$dir/html"
	made="$made $dir/html/index.html"
done
echo "Reports to open in a browser:"
for page in $made; do
	echo "  $(pwd)/$page"
done
