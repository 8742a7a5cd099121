# SPDX-License-Identifier: BSD-2-Clause
# Lists the files of the target side, and sets the dialect of C in which they are written.

# The core: finds the image and its record layout, and checks, resets, reads and writes
# the image.
RUNTIME_CORE := symbols image_self image_walk image reset profraw read profraw_write
# The guest's side of hypercalls.
RUNTIME_CLIENT := hypercall_client hypercall_strerror
# Files that a build can add to the core.
RUNTIME_MORE := image_diagnose image_weak_duplicates strerror start capture_blocks capture counter_codec capture_counters capture_profraw capture_send capture_uniform capture_answer capture_file crc32c encode_text encode_frame encode_file capture_small image_build_id snapshot keep image_set image_set_dump hypercall $(RUNTIME_CLIENT)
# The functions that clang's instrumentation calls for values and timestamps. They need
# BAREPROF_STATE. For values, all files must be compiled with -DBAREPROF_VALUES.
RUNTIME_STATE := values_record values_pool values_serialize capture_values timestamp
# A test for hypervisors. The drop-in has these files as one file of its own.
RUNTIME_HOSTILE := hostile_memory hostile_guest hostile_random
# Copies and fills memory, in C. arch/ARCH/copy.c can replace this file.
RUNTIME_COPY := copy
# Reserves memory for a build id, for linkers that cannot make a build id.
RUNTIME_STAMP := stamp
# Machine profiles. These files need the bounds that the linker fragments for machine profiles define.
RUNTIME_MIP := mip mip_self mip_small mip_sancov
# The files of a runtime for machine profiles alone, except RUNTIME_COPY and RUNTIME_MIP_FIRST.
RUNTIME_MIP_ALONE := $(RUNTIME_MIP) reset read snapshot capture_blocks capture counter_codec capture_counters capture_send \
	capture_uniform capture_answer capture_file crc32c encode_text encode_frame encode_file strerror
# Files of arch/, with the functions that code in the mode "calls" of a machine profile calls, and in the mode
# "calls,sample=N". They need BAREPROF_STATE.
RUNTIME_MIP_FIRST := mip_first
RUNTIME_MIP_SAMPLE := mip_sample
# Samples of the program counter. With -DBAREPROF_SAMPLES, captures can have samples; with -DBAREPROF_SAMPLE_STACKS, samples
# can have return addresses.
RUNTIME_SAMPLES := sample sample_drain sample_stack sample_collect sample_histogram capture_samples
# A file of arch/arm, for -fprofile-update=atomic on a Cortex-M.
RUNTIME_ATOMIC := atomic
# A file of arch/arm, with a sink that writes to a file on the debugger's host.
RUNTIME_SEMIHOSTING := semihosting

RUNTIME_CFLAGS := -std=gnu99 -ffreestanding -nostdinc -Iinclude -Wall -Wextra -Wvla \
	-Wdeclaration-after-statement -Wconversion -Wmissing-prototypes -Werror

# Files of arch/, with the instructions that make hypercalls.
RUNTIME_CALL := hypercall_instructions

DROP_IN_RUNTIME := $(RUNTIME_CORE) $(RUNTIME_COPY) $(RUNTIME_MORE) $(RUNTIME_CALL) $(RUNTIME_STAMP) $(RUNTIME_STATE) $(RUNTIME_MIP) $(RUNTIME_MIP_FIRST) $(RUNTIME_MIP_SAMPLE) $(RUNTIME_SAMPLES) $(RUNTIME_ATOMIC) $(RUNTIME_SEMIHOSTING)

# Writes bareprof.c, bareprof.h, the hostile guest and the linker script fragments into a folder of another
# tree.
drop-in: linker
	@test -n "$(DIR)" || { echo "usage: make drop-in DIR=where" >&2; exit 2; }
	@RUNTIME_FILES="$(DROP_IN_RUNTIME)" HOSTILE_FILES="$(RUNTIME_HOSTILE)" LINKER_FRAGMENTS="$(LINKER_FRAGMENTS)" sh runtime/dropin.sh "$(DIR)"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in
