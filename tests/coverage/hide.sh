#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hide.sh FOLDER COMMAND...: runs COMMAND in a mount namespace in which llvm-cov and llvm-profdata do not exist. FOLDER
# is an empty folder. lib.sh runs this script in a new namespace, because otherwise the tools would be hidden from all.
empty=$1
shift
mount --make-rprivate / || exit 125
# The folder of a release is hidden as a whole. Then the links to its tools lead to nothing.
for folder in /usr/lib/llvm-*/bin; do
	[ ! -d "$folder" ] || mount --bind "$empty" "$folder" || exit 125
done
for folder in $(echo "$PATH" | tr : ' '); do
	for tool in "$folder"/llvm-cov* "$folder"/llvm-profdata*; do
		[ ! -e "$tool" ] || mount --bind /dev/null "$(realpath "$tool")" || exit 125
	done
done
exec "$@"
