# SPDX-License-Identifier: BSD-2-Clause
# The Linux port as one folder, to be built there or installed into a tree.

LINUX_FILES := $(addprefix ports/linux/,Makefile core.c files.c info.c loads.c loads.h modules.c modules.h \
	profiles.c profiles.h runtime.c unit.c unit.h vmlinux.c vmlinux.h) $(wildcard \
	$(addprefix ports/linux/,module.mk module.lds install.sh Kconfig Makefile.bareprof README.md))

drop-in-linux: linker
	@PLATFORM=ports/linux/platform.h RUNTIME_FILES="$(DROP_IN_RUNTIME)" sh runtime/dropin.sh "$(DIR)"
	@sed '/^#include <bareprof\//d' include/bareprof/producer.h >"$(DIR)/producer.h"
	@cp $(LINUX_FILES) "$(DIR)/"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in-linux
