#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hide.sh FOLDER COMMAND...: runs COMMAND in a mount namespace in which llvm-cov and llvm-profdata do not exist. FOLDER
# is an empty folder. lib.sh runs this script in a new namespace, because otherwise the tools would be hidden from all.
empty=$1
shift
mount --make-rprivate / || exit 125
for folder in $(echo "$PATH:$(echo /usr/lib/llvm-*/bin | tr ' ' :)" | tr : ' '); do
	for tool in "$folder"/llvm-cov* "$folder"/llvm-profdata*; do
		[ ! -e "$tool" ] || realpath "$tool"
	done
done | sort -u | while read -r tool; do
	# The folder of a release is hidden as a whole, because this takes fewer mounts.
	case $tool in
	*/llvm-*/bin/*) [ ! -e "$tool" ] || mount --bind "$empty" "$(dirname "$tool")" ;;
	*) mount --bind /dev/null "$tool" ;;
	esac || exit 125
done || exit 125
exec "$@"
