#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh BOARD...: boots the demo kernel on each BOARD, runs its self tests, pulls the profile and
# shows its coverage. `make demo` builds the images before it runs this script.
set -eu
build=${BUILD:-build}
bareprof=$build/bareprof
made=

# Prints the time in milliseconds.
now() { echo $(($(date +%s%N) / 1000000)); }

for board in "$@"; do
	dir=$build/demo/$board
	echo "== $board"
	start=$(now)
	dump='cov dump'
	# One board also has a machine profile.
	[ "$board" != lm3s6965evb ] || dump='mip both'
	"$bareprof" run --board "$board" --send "test\n$dump\nexit\n" --log "$dir/whole.log" -o "$dir/kernel.profraw" \
		"$dir/kernel.elf" >"$dir/console.log" || {
		status=$?
		cat "$dir/console.log"
		exit $status
	}
	# Only the HTML report needs llvm-cov. bareprof says so if there is none.
	if "$bareprof" report "$dir/kernel.elf" "$dir/kernel.profraw" --html "$dir/html"; then
		made="$made $dir/html/index.html"
	else
		"$bareprof" report "$dir/kernel.elf" "$dir/kernel.profraw"
	fi
	if [ "$board" = lm3s6965evb ]; then
		echo "The machine profile of the same boot:"
		"$bareprof" mip merge --elf "$dir/kernel.elf" "$dir/whole.log" -o "$dir/kernel.mip"
		"$bareprof" mip report "$dir/kernel.elf" "$dir/kernel.mip"
	fi
	echo "$board: $(($(now) - start)) ms from the start of QEMU to the report"
done
[ -z "$made" ] || echo "Reports to open in a browser:"
for page in $made; do
	echo "  $(pwd)/$page"
done
