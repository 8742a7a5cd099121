#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kconfig.sh: tests that Kconfig works alone and inside another Kconfig, and that the drop-in contains the code that
# the configuration selects.
. "$(dirname "$0")/../lib.sh"

# drop_in NAME: makes the drop-in for the configuration $WORK/NAME.config and compiles it.
drop_in() {
	KCONFIG_CONFIG="$WORK/$1.config" make -s drop-in DIR="$WORK/$1" >/dev/null &&
		clang-22 --target=thumbv7m-none-eabi -std=gnu99 -ffreestanding -Wall -Wextra -Werror -Oz -fomit-frame-pointer \
			-c "$WORK/$1/bareprof.c" -o "$WORK/$1.o" && llvm-nm-22 --defined-only "$WORK/$1.o" >"$WORK/$1.symbols"
}
configure() {
	name=$1
	shift
	for line; do echo "$line"; done >"$WORK/$name.config"
	KCONFIG_CONFIG="$WORK/$name.config" kconfig-conf --olddefconfig Kconfig
}
has() { grep -q " T $2\$" "$WORK/$1.symbols"; }
lacks() { ! has "$@"; }

check "Kconfig works alone" configure all
check "the drop-in with the defaults" drop_in all
for symbol in bareprof_send bareprof_capture_open bareprof_capture_profraw bareprof_encode_text bareprof_encode_frame \
	bareprof_diagnose bareprof_strerror bareprof_drain bareprof_set_read; do
	check "the defaults contain $symbol" has all $symbol
done
check "the defaults leave NOLOAD counters out" lacks all bareprof_start
check "the defaults leave the small form out" lacks all bareprof_small_dump

check "the smallest configuration" configure core "# CONFIG_BAREPROF_CAPTURE is not set" \
	"# CONFIG_BAREPROF_SNAPSHOT is not set" "# CONFIG_BAREPROF_IMAGE_SET is not set" \
	"# CONFIG_BAREPROF_DIAGNOSE is not set" "# CONFIG_BAREPROF_STRERROR is not set"
check "the drop-in with it" drop_in core
check "the smallest configuration still writes a profile" has core bareprof_write
for symbol in bareprof_send bareprof_capture_open bareprof_capture_profraw bareprof_encode_text bareprof_encode_frame \
	bareprof_diagnose bareprof_strerror bareprof_crc32c bareprof_drain bareprof_set_read; do
	check "the smallest leaves out $symbol" lacks core $symbol
done

newest=$(sed -n 's/^#define BAREPROF_RAW_NEWEST BAREPROF_RAW_V//p' include/bareprof/layout.h)
check "any raw version can be preferred" grep -q "range 0 $newest\$" Kconfig
check "one layout only" configure one CONFIG_BAREPROF_RAW_VERSION=10 CONFIG_BAREPROF_ONE_LAYOUT=y
check "the drop-in with one layout" drop_in one
size_of() { llvm-size-22 "$WORK/$1.o" | awk 'NR == 2 { print $1 }'; }
check "it is smaller" test "$(size_of one)" -lt "$(size_of all)"

check "the defaults leave hypercalls out" lacks all bareprof_hypercall
check "hypercalls" configure hypercall CONFIG_BAREPROF_HYPERCALL=y "# CONFIG_BAREPROF_CAPTURE is not set" \
	"# CONFIG_BAREPROF_SNAPSHOT is not set"
check "the drop-in with them" drop_in hypercall
for symbol in bareprof_hypercall bareprof_block bareprof_snapshot; do
	check "it has $symbol" has hypercall $symbol
done

check "the defaults leave the client of hypercalls out" lacks all bareprof_client_send
check "a guest with nothing but the client of hypercalls" configure client CONFIG_BAREPROF_HYPERCALL_CLIENT=y \
	"# CONFIG_BAREPROF_CORE is not set" "# CONFIG_BAREPROF_FRAMES is not set"
check "the drop-in with it" drop_in client
for symbol in bareprof_client_send bareprof_client_strerror bareprof_encode_text; do
	check "it has $symbol" has client $symbol
done
for symbol in bareprof_image_self bareprof_block bareprof_small_dump bareprof_encode_frame bareprof_hypercall; do
	check "it leaves out $symbol" lacks client $symbol
done

check "the defaults leave atomic updates out" lacks all __atomic_fetch_add_8
check "atomic updates" configure atomic CONFIG_BAREPROF_ATOMIC=y
check "the drop-in with them" drop_in atomic
for symbol in __atomic_fetch_add_8 __sync_fetch_and_add_8; do
	check "it has $symbol" has atomic $symbol
done

check "the defaults leave semihosting out" lacks all bareprof_semihosting_write
check "semihosting" configure semihosting CONFIG_BAREPROF_SEMIHOSTING=y
check "the drop-in with it" drop_in semihosting
for symbol in bareprof_semihosting_create bareprof_semihosting_write bareprof_semihosting_close bareprof_encode_file; do
	check "it has $symbol" has semihosting $symbol
done

check "NOLOAD counters" configure noload CONFIG_BAREPROF_NOLOAD=y
check "the drop-in with them" drop_in noload
check "it has the function that fills them" has noload bareprof_start

check "kept counts" configure keep CONFIG_BAREPROF_KEEP=y
check "the drop-in with them" drop_in keep
check "it has the function that finds them" has keep bareprof_kept
check "the defaults leave kept counts out" lacks all bareprof_kept

check "captures of the counters alone" configure counters "# CONFIG_BAREPROF_CAPTURE_PROFRAW is not set" CONFIG_BAREPROF_SMALL=y
check "the drop-in with them" drop_in counters
check "it has the small form" has counters bareprof_small_dump
check "it leaves out captures of a whole profile" lacks counters bareprof_capture_profraw
check "captures of a whole profile alone" configure whole "# CONFIG_BAREPROF_CAPTURE_COUNTERS is not set"
check "the drop-in with them" drop_in whole
check "it has them" has whole bareprof_capture_profraw
check "it leaves out those of the counters" lacks whole bareprof_capture_open

# With the small form alone, the drop-in must contain only the two functions of the small form and one encoder.
text_of() { llvm-size-22 -A "$WORK/$1.o" | awk '$1 ~ /^\.(text|rodata|data|bss)/ { n += $2 } END { print n }'; }
check "the small form alone" configure small "# CONFIG_BAREPROF_CORE is not set" \
	"# CONFIG_BAREPROF_TEXT is not set" "# CONFIG_BAREPROF_STRERROR is not set"
check "the drop-in with it" drop_in small
for symbol in bareprof_small_start bareprof_small_dump bareprof_encode_frame; do
	check "it contains $symbol" has small $symbol
done
for symbol in bareprof_image_self bareprof_image_init bareprof_write bareprof_capture_open bareprof_block bareprof_send \
	bareprof_encode_text bareprof_diagnose bareprof_strerror; do
	check "it leaves out $symbol" lacks small $symbol
done
check "all of it is $(text_of small) bytes, at most 1100" test "$(text_of small)" -le 1100
check "the small form alone is more than 700 bytes" test "$(text_of small)" -gt 700

# Samples, without the code that reads LLVM's records.
check "the defaults leave samples out" lacks all bareprof_sample
check "samples alone" configure samples CONFIG_BAREPROF_SAMPLES=y "# CONFIG_BAREPROF_CORE is not set" \
	"# CONFIG_BAREPROF_STRERROR is not set"
check "the drop-in with them" drop_in samples
for symbol in bareprof_ring_init bareprof_sample bareprof_samples_collect bareprof_histogram_sample bareprof_capture_samples \
	bareprof_send bareprof_put_data; do
	check "it contains $symbol" has samples $symbol
done
for symbol in bareprof_image_self bareprof_capture_open bareprof_small_dump bareprof_sample_stack; do
	check "it leaves out $symbol" lacks samples $symbol
done
check "samples with stacks, stored, beside counters" configure stacks CONFIG_BAREPROF_SAMPLES=y CONFIG_BAREPROF_SAMPLE_STACKS=y \
	CONFIG_BAREPROF_STORED=y
check "the drop-in with them" drop_in stacks
for symbol in bareprof_sample_stack bareprof_capture_samples bareprof_capture_open; do
	check "it contains $symbol" has stacks $symbol
done
check "it does not pack samples" lacks stacks bareprof_put_data

# Machine profiles, without the code that reads LLVM's records.
check "the defaults leave machine profiles out" lacks all bareprof_mip_image_self
check "machine profiles alone" configure mip CONFIG_BAREPROF_MIP=y CONFIG_BAREPROF_MIP_CALLS=y "# CONFIG_BAREPROF_CORE is not set" \
	"# CONFIG_BAREPROF_STRERROR is not set"
check "the drop-in with them" drop_in mip
for symbol in bareprof_mip_image_self bareprof_mip_start bareprof_mip_open bareprof_read bareprof_reset bareprof_capture_open \
	bareprof_send bareprof_snapshot __bareprof_mip_first; do
	check "it contains $symbol" has mip $symbol
done
for symbol in bareprof_image_self bareprof_image_init bareprof_open bareprof_mip_small_dump bareprof_small_dump; do
	check "it leaves out $symbol" lacks mip $symbol
done
check "machine profiles with samples" configure samples CONFIG_BAREPROF_MIP=y CONFIG_BAREPROF_MIP_SAMPLES=y "# CONFIG_BAREPROF_CORE is not set"
check "the drop-in with samples" drop_in samples
check "it contains __bareprof_mip_sample" has samples __bareprof_mip_sample
check "it leaves out __bareprof_mip_first" lacks samples __bareprof_mip_first
for stored in "# CONFIG_BAREPROF_STORED is not set" CONFIG_BAREPROF_STORED=y; do
	check "the small form of machine profiles, $stored" configure mip_small CONFIG_BAREPROF_MIP_SMALL=y "$stored" \
		"# CONFIG_BAREPROF_CORE is not set" "# CONFIG_BAREPROF_FRAMES is not set" "# CONFIG_BAREPROF_STRERROR is not set"
	check "the drop-in with it" drop_in mip_small
	check "it has both functions" sh -c "test $(grep -c ' T bareprof_mip_small_' "$WORK/mip_small.symbols") -eq 2"
	check "it leaves out bareprof_block" lacks mip_small bareprof_block
	most=1100
	case $stored in *=y) most=850 ;; esac
	check "all of it is $(text_of mip_small) bytes, at most $most" test "$(text_of mip_small)" -le $most
done

# The Kconfig of a kernel includes bareprof's Kconfig.
printf 'mainmenu "A kernel"\n\nconfig KERNEL\n\tbool "Kernel"\n\tdefault y\n\nsource "%s"\n' "$ROOT/Kconfig" >"$WORK/Kconfig"
check "Kconfig can be sourced" env KCONFIG_CONFIG="$WORK/sourced.config" kconfig-conf --olddefconfig "$WORK/Kconfig"
check "the configuration of a kernel that sources Kconfig contains bareprof" grep -q CONFIG_BAREPROF=y "$WORK/sourced.config"
