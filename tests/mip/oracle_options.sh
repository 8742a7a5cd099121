#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# oracle_options.sh - compares machine profiles of body S with what QEMU sees from outside, for many options of the
# compilers. These options change the code of functions.
#
# ORACLE_TARGETS, ORACLE_COMPILERS and ORACLE_MODES select combinations.
. "$(dirname "$0")/oracle_lib.sh"

for target in ${ORACLE_TARGETS:-x86_64 aarch64 thumb arm}; do
	case $target in
	x86_64) more="-mstack-protector-guard=global -fstack-protector-all|-fcf-protection=full|-fpatchable-function-entry=3|-fPIC|-pg -mfentry" ;;
	aarch64) more="-fstack-protector-all|-mbranch-protection=standard|-fpatchable-function-entry=3|-fPIC|-mbranch-protection=standard -fpatchable-function-entry=5,2" ;;
	*) more="-fstack-protector-all|-fno-omit-frame-pointer|-mno-unaligned-access" ;;
	esac
	echo "-O0|-O3|-Os -fno-inline|-O1 -g|-fno-optimize-sibling-calls|$more" | tr '|' '\n' >"$WORK/options-$target"
	for compiler in ${ORACLE_COMPILERS:-$BODY_EVERY_COMPILER}; do
		while read -r options; do
			for mode in ${ORACLE_MODES:-$ORACLE_EVERY_MODE}; do
				oracle_possible "$compiler" "$mode" || continue
				dir=$WORK/$target-$compiler-$(echo "$mode" | tr , -)
				# shellcheck disable=SC2086
				check "body s, $target, $compiler, $mode, $options: the profile is what QEMU saw" \
					oracle_program s "$target" "$compiler" "$mode" $options
			done
		done <"$WORK/options-$target"
	done
done
