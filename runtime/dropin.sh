#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dropin.sh DIR - writes the whole target side to DIR as one bareprof.c and one bareprof.h,
# which compile without this tree. Also writes the hostile guest and the fragments for linker and make. A port
# copies these files. If a port has its own platform.h, the variable PLATFORM must be the
# path of that file.
set -eu
dir=$1
platform=${PLATFORM:-include/bareprof/platform.h}
mkdir -p "$dir"

# If the port has its own platform.h, the drop-in uses the types of the tree. Otherwise all types
# in the drop-in get names that begin with bareprof_. So the drop-in needs no header of the tree and
# cannot conflict with one. The exception is uint64_t between push_macro and pop_macro in producer.h.
# There the name stays, because the header of compiler-rt that producer.h includes there uses it.
case $platform in
include/*) types='/push_macro/,/pop_macro/!s/\<\(u\{0,1\}int[0-9ptr]*_t\|size_t\)\>/bareprof_\1/g; s/\<offsetof(/__builtin_offsetof(/g' ;;
*) types= ;;
esac

# body FILE...: prints the files without three kinds of lines: includes of this tree's headers,
# licence lines, and guards of headers.
body() {
	for file; do
		echo
		awk '/^#ifndef BAREPROF_[A-Z_]*_H$/ && !guard { guard = $2; next }
			guard && $0 == "#define " guard { next }
			{ line[++n] = $0 }
			END {
				if (guard)
					while (line[n] != "#endif") n--
				for (i = 1; i <= n - (guard != ""); i++) print line[i]
			}' "$file" |
			sed -e '/^\/\* SPDX-License-Identifier:/d' -e "/^#include [<\"]\($ours\)/d" -e "$types"
	done
}
ours='bareprof\/\|hostile_memory\.h\|mip_stub\.h\|image_walk\.h\|image_bounds\.h\|capture_blocks\.h\|capture_small\.h\|values_serialize\.h\|values_atomic\.h\|atomic\.h\|mask\.h\|sample_hook\.h'

# only_if CONDITION FILE...: prints the files between #if CONDITION and #endif.
only_if() {
	printf '\n#if %s\n' "$1"
	shift
	body "$@"
	printf '\n#endif\n'
}

# either CONDITION FILE OTHER: prints FILE for targets that meet CONDITION, and OTHER for all others.
either() {
	printf '\n#if %s\n' "$1"
	body "$2"
	printf '\n#else\n'
	body "$3"
	printf '\n#endif\n'
}

# piece OPTION NAME: prints runtime/NAME.c. A port compiles this file if OPTION is set, or if no
# option selects parts.
piece() {
	only_if "defined(BAREPROF_ALL) || defined(CONFIG_BAREPROF_$1)" "runtime/$2.c"
}

# on_request NAME FILE: prints FILE. A port compiles this file if BAREPROF_NAME is defined, or the
# option of this name is set.
on_request() {
	only_if "defined(BAREPROF_$1) || defined(CONFIG_BAREPROF_$1)" "$2"
}

# selection: prints the lines that find out whether options select parts of the file. A tree may
# have an option of its own with the name CONFIG_BAREPROF, so that name alone selects nothing.
selection() {
	cat <<-'END'

		/*
		 * Kconfig selects parts of this file. Without bareprof's Kconfig the file has all parts, and the
		 * linker can drop what is not used (-ffunction-sections and --gc-sections).
		 */
		#if !defined(CONFIG_BAREPROF_CORE) && !defined(CONFIG_BAREPROF_SMALL) && !defined(CONFIG_BAREPROF_HYPERCALL_CLIENT) && \
			!defined(CONFIG_BAREPROF_MIP) && !defined(CONFIG_BAREPROF_MIP_SMALL) && !defined(CONFIG_BAREPROF_SAMPLES)
		#ifdef CONFIG_BAREPROF_KCONFIG
		#error "nothing of bareprof.c is selected: set CONFIG_BAREPROF_CORE, CONFIG_BAREPROF_SMALL, CONFIG_BAREPROF_MIP, CONFIG_BAREPROF_MIP_SMALL, CONFIG_BAREPROF_SAMPLES or CONFIG_BAREPROF_HYPERCALL_CLIENT, or leave the file out"
		#endif
		#define BAREPROF_ALL 1
		#endif
	END
}

# config: if `make menuconfig` was used, prints a macro for each option that was chosen
# there.
config() {
	config=${KCONFIG_CONFIG:-.config}
	test ! -f "$config" || sed -n -e 's/^\(CONFIG_BAREPROF[A-Z_]*\)=y$/#define \1 1/p' \
		-e 's/^\(CONFIG_BAREPROF[A-Z_]*\)=\([0-9]*\)$/#define \1 \2/p' "$config"
}

{
	echo '/* SPDX-License-Identifier: BSD-2-Clause */'
	echo '/* bareprof.h - made by "make drop-in" of bareprof; do not edit. */'
	echo '#ifndef BAREPROF_H'
	echo '#define BAREPROF_H'
	config
	test -z "$types" || { echo; grep '^typedef' include/bareprof/types.h | sed -e "$types"; }
	body "$platform" include/bareprof/layout.h include/bareprof/bareprof.h \
		include/bareprof/wire.h include/bareprof/capture.h include/bareprof/state.h include/bareprof/values.h \
		include/bareprof/snapshot.h include/bareprof/keep.h include/bareprof/image_set.h include/bareprof/hypercall.h include/bareprof/semihosting.h \
		include/bareprof/hypercall_client.h include/bareprof/mip_layout.h include/bareprof/mip.h \
		include/bareprof/sample.h
	echo '#endif'
} >"$dir/bareprof.h.new"

{
	echo '/* SPDX-License-Identifier: BSD-2-Clause */'
	echo '/* bareprof.c - made by "make drop-in" of bareprof; do not edit. */'
	echo '#include "bareprof.h"'
	test -z "$types" || printf '\n#ifndef NULL\n#define NULL ((void *)0)\n#endif\n'
	selection
	body include/bareprof/producer.h runtime/image_walk.h runtime/capture_blocks.h runtime/image_bounds.h runtime/capture_small.h runtime/atomic.h runtime/mask.h runtime/sample_hook.h runtime/values_serialize.h runtime/values_atomic.h
	for name in $RUNTIME_FILES; do
		case $name in
		copy) either 'defined(__x86_64__)' arch/x86_64/copy.c runtime/copy.c ;;
		image_diagnose) piece DIAGNOSE "$name" ;;
		image_weak_duplicates) piece WEAK_DUPLICATES "$name" ;;
		strerror) piece STRERROR "$name" ;;
		image_walk | image | profraw | profraw_write) piece CORE "$name" ;;
		reset | read)
			only_if 'defined(BAREPROF_ALL) || defined(CONFIG_BAREPROF_CORE) || defined(CONFIG_BAREPROF_MIP) || defined(BAREPROF_MIP)' \
				"runtime/$name.c"
			;;
		mip)
			printf '\n#if defined(BAREPROF_MIP) || defined(CONFIG_BAREPROF_MIP) || defined(CONFIG_BAREPROF_MIP_IMAGE)\n'
			body "runtime/$name.c"
			printf '\n#endif\n'
			;;
		mip_self | mip_small)
			# These files refer to bounds that only the linker fragments for machine
			# profiles define. So they are compiled only on request.
			option=MIP
			[ "$name" = mip_self ] || option=MIP_SMALL
			only_if "defined(BAREPROF_MIP) || defined(CONFIG_BAREPROF_$option)" "runtime/$name.c"
			;;
		mip_sancov)
			# Other libraries define these functions too. So they are compiled only on request.
			only_if 'defined(BAREPROF_MIP_BLOCKS_MODE) || defined(CONFIG_BAREPROF_MIP_BLOCKS)' "runtime/$name.c"
			;;
		mip_first)
			# This file refers to BAREPROF_STATE, which the integrator defines.
			# So it is compiled only on request.
			printf '\n#if defined(BAREPROF_MIP_CALLS_MODE) || defined(CONFIG_BAREPROF_MIP_CALLS) || '
			printf 'defined(BAREPROF_MIP_SAMPLES_MODE) || defined(CONFIG_BAREPROF_MIP_SAMPLES)\n'
			either 'defined(__x86_64__)' arch/x86_64/mip_stub.h arch/arm/mip_stub.h
			printf '#endif\n'
			printf '\n#if defined(BAREPROF_MIP_CALLS_MODE) || defined(CONFIG_BAREPROF_MIP_CALLS)\n'
			either 'defined(__x86_64__)' arch/x86_64/mip_first.c arch/arm/mip_first.c
			printf '#endif\n'
			;;
		mip_sample)
			printf '\n#if defined(BAREPROF_MIP_SAMPLES_MODE) || defined(CONFIG_BAREPROF_MIP_SAMPLES)\n'
			either 'defined(__x86_64__)' arch/x86_64/mip_sample.c arch/arm/mip_sample.c
			printf '#endif\n'
			;;
		# Without this option the coder of captures cannot code samples.
		sample* | capture_samples) on_request SAMPLES "runtime/$name.c" ;;
		image_self) piece SELF "$name" ;;
		capture_blocks | crc32c) piece BLOCKS "$name" ;;
		capture | capture_send | capture_file) piece CAPTURE "$name" ;;
		counter_codec) piece COUNTER_CODEC "$name" ;;
		capture_counters | capture_values) piece CAPTURE_COUNTERS "$name" ;;
		capture_profraw) piece CAPTURE_PROFRAW "$name" ;;
		capture_small) piece SMALL "$name" ;;
		encode_text) piece TEXT "$name" ;;
		encode_frame) piece FRAMES "$name" ;;
		encode_file) piece CAPTURE_FILE "$name" ;;
		capture_uniform) piece UNIFORM "$name" ;;
		capture_answer) piece ANSWER "$name" ;;
		snapshot) piece SNAPSHOT "$name" ;;
		keep) piece KEEP "$name" ;;
		image_set | image_set_dump) piece IMAGE_SET "$name" ;;
		hypercall) piece HYPERCALL "$name" ;;
		hypercall_client) piece HYPERCALL_CLIENT "$name" ;;
		hypercall_strerror)
			only_if 'defined(BAREPROF_ALL) || defined(CONFIG_BAREPROF_HYPERCALL_CLIENT) && defined(CONFIG_BAREPROF_STRERROR)' \
				"runtime/$name.c"
			;;
		hypercall_instructions)
			printf '\n#if defined(BAREPROF_ALL) || defined(CONFIG_BAREPROF_HYPERCALL_CLIENT)\n'
			printf '#if defined(__x86_64__)\n'
			body arch/x86_64/hypercall.c
			printf '\n#elif defined(__aarch64__) || (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 65 /* A */)\n'
			body arch/arm/hypercall.c
			printf '\n#endif\n#endif\n'
			;;
		image_build_id) piece BUILD_ID_NOTE "$name" ;;
		# This file refers to BAREPROF_STATE, which the integrator defines. So it is compiled only
		# on request.
		timestamp) on_request TEMPORAL runtime/timestamp.c ;;
		# This file refers to the validity word, which the linker fragment for NOLOAD counters
		# defines. So it is compiled only on request.
		start) on_request NOLOAD runtime/start.c ;;
		# The note takes memory in the image, so this file is compiled only on request.
		stamp) on_request STAMP runtime/stamp.c ;;
		# A C library may define the same functions, so this file is compiled only on request, and
		# only for Cortex-M.
		atomic)
			only_if '(defined(BAREPROF_ATOMIC) || defined(CONFIG_BAREPROF_ATOMIC)) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 77 /* M */' \
				arch/arm/atomic.c
			;;
		# Without a debugger, the functions raise an exception, so this file is compiled only on
		# request. Other CPUs have other instructions.
		semihosting)
			only_if '(defined(BAREPROF_SEMIHOSTING) || defined(CONFIG_BAREPROF_SEMIHOSTING)) && (defined(__arm__) || defined(__aarch64__))' \
				arch/arm/semihosting.c
			;;
		*) body "runtime/$name.c" ;;
		esac
	done
} >"$dir/bareprof.c.new"

# A test guest links this file and bareprof.c. It is a file of its own, because hypervisors and other guests do not
# need it.
if [ "${HOSTILE_FILES-}" ]; then
	{
		echo '/* SPDX-License-Identifier: BSD-2-Clause */'
		echo '/* bareprof_hostile_guest.h - made by "make drop-in" of bareprof; do not edit. */'
		echo '#ifndef BAREPROF_HOSTILE_GUEST_H'
		echo '#define BAREPROF_HOSTILE_GUEST_H'
		echo '#include "bareprof.h"'
		body include/bareprof/hostile_guest.h
		echo '#endif'
	} >"$dir/bareprof_hostile_guest.h"
	{
		echo '/* SPDX-License-Identifier: BSD-2-Clause */'
		echo '/* bareprof_hostile_guest.c - made by "make drop-in" of bareprof; do not edit. */'
		echo '#include "bareprof_hostile_guest.h"'
		body runtime/hostile_memory.h
		for name in $HOSTILE_FILES; do body "runtime/$name.c"; done
	} >"$dir/bareprof_hostile_guest.c"
fi

for fragment in ${LINKER_FRAGMENTS:-} linker/bareprof.lds.h linker/mip.lds.h ports/make/bareprof.mk; do
	cp "$fragment" "$dir/"
done
mv "$dir/bareprof.h.new" "$dir/bareprof.h"
mv "$dir/bareprof.c.new" "$dir/bareprof.c"
