# SPDX-License-Identifier: BSD-2-Clause
# The target side: which files there are, and the dialect they are written in.

# The core: find, learn, check, reset, read and write.
RUNTIME_CORE := symbols self walk image reset dump write
# What a build can add.
RUNTIME_MORE := diagnose separate strerror start blocks capture tokens counters whole send memory crc32c text frames small buildid snapshot several setdump hypercall
# What clang calls for values and timestamps: these need BAREPROF_STATE; and all else -DBAREPROF_VALUES.
RUNTIME_STATE := values valuelists valuedata valuecapture timestamp
# Copy and fill: in C, or one of arch/ARCH/copy.c instead.
RUNTIME_COPY := copy
# Room for a build id, where the linker makes none.
RUNTIME_STAMP := stamp
# For -fprofile-update=atomic on a Cortex-M: of arch/arm.
RUNTIME_ATOMIC := atomic

RUNTIME_CFLAGS := -std=gnu99 -ffreestanding -nostdinc -Iinclude -Wall -Wextra -Wvla \
	-Wdeclaration-after-statement -Wconversion -Wmissing-prototypes -Werror

DROP_IN_RUNTIME := $(RUNTIME_CORE) $(RUNTIME_COPY) $(RUNTIME_MORE) $(RUNTIME_STAMP) $(RUNTIME_STATE) $(RUNTIME_ATOMIC)

# One bareprof.c, one bareprof.h and the fragments, for a tree of one's own.
drop-in: linker
	@test -n "$(DIR)" || { echo "usage: make drop-in DIR=where" >&2; exit 2; }
	@RUNTIME_FILES="$(DROP_IN_RUNTIME)" LINKER_FRAGMENTS="$(LINKER_FRAGMENTS)" sh runtime/dropin.sh "$(DIR)"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in
