#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tree.sh: prints a hash of the content of this tree and of the variables that select what the tests do. The hash does
# not cover build/.
{
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -z --cached --others --exclude-standard
	else
		find . -path ./build -prune -o -type f -print0
	fi | sort -zu | xargs -0 sh -c 'stat -c "%a %n" "$@"; sha256sum "$@"' sh 2>&1
	env | grep -E '^(BAREPROF|MATRIX|KINDS|LINUX|XEN|LLVM)' | grep -vE '^(BAREPROF_(JOBS|PASSED|TREE|RESUME)|MATRIX_JOBS)=' | sort
} | sha256sum | cut -d' ' -f1
