# SPDX-License-Identifier: BSD-2-Clause
# The target side: its files, and the dialect of C that they are written in.

# The core: finds the image and its record layout, and checks, resets, reads and writes
# the image.
RUNTIME_CORE := symbols image_self image_walk image reset profraw profraw_write
# Files that a build can add.
RUNTIME_MORE := image_diagnose image_weak_duplicates strerror start capture_blocks capture counter_codec capture_counters capture_profraw capture_send capture_file crc32c encode_text encode_frame capture_small image_build_id snapshot image_set image_set_dump hypercall
# The functions that clang calls for values and timestamps. They need BAREPROF_STATE, and values need
# -DBAREPROF_VALUES for all files.
RUNTIME_STATE := values_record values_pool values_serialize capture_values timestamp
# Copy and fill, in C; arch/ARCH/copy.c can replace it.
RUNTIME_COPY := copy
# Room for a build id, for linkers that cannot make one.
RUNTIME_STAMP := stamp
# For -fprofile-update=atomic on a Cortex-M: a file of arch/arm.
RUNTIME_ATOMIC := atomic

RUNTIME_CFLAGS := -std=gnu99 -ffreestanding -nostdinc -Iinclude -Wall -Wextra -Wvla \
	-Wdeclaration-after-statement -Wconversion -Wmissing-prototypes -Werror

DROP_IN_RUNTIME := $(RUNTIME_CORE) $(RUNTIME_COPY) $(RUNTIME_MORE) $(RUNTIME_STAMP) $(RUNTIME_STATE) $(RUNTIME_ATOMIC)

# One bareprof.c, one bareprof.h and the fragments, to copy into another tree.
drop-in: linker
	@test -n "$(DIR)" || { echo "usage: make drop-in DIR=where" >&2; exit 2; }
	@RUNTIME_FILES="$(DROP_IN_RUNTIME)" LINKER_FRAGMENTS="$(LINKER_FRAGMENTS)" sh runtime/dropin.sh "$(DIR)"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in
