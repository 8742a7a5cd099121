# SPDX-License-Identifier: BSD-2-Clause
# Copies the Linux port into one folder, which can be built there or installed into a kernel tree.

LINUX_FILES := $(filter-out %/platform.h %/linux.mk,$(wildcard ports/linux/*)) ports/install.lib.sh

drop-in-linux: linker
	@PLATFORM=ports/linux/platform.h RUNTIME_FILES="$(DROP_IN_RUNTIME)" sh runtime/dropin.sh "$(DIR)"
	@sed '/^#include <bareprof\//d' include/bareprof/producer.h >"$(DIR)/producer.h"
	@for arch in x86_64 arm; do sed -e '/^#include <bareprof\//d' -e '/^#include "mip_stub.h"/d' arch/$$arch/mip_stub.h arch/$$arch/mip_first.c >"$(DIR)/mip_first_$$arch.h"; done
	@cp $(LINUX_FILES) "$(DIR)/"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in-linux
