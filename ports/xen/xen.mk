# SPDX-License-Identifier: BSD-2-Clause
# Makes the Xen port as one folder, which contains install.sh.

XEN_FILES := $(filter-out %/platform.h %/xen.mk,$(wildcard ports/xen/*)) ports/install.lib.sh

drop-in-xen: linker
	@PLATFORM=ports/xen/platform.h RUNTIME_FILES="$(DROP_IN_RUNTIME)" sh runtime/dropin.sh "$(DIR)"
	@cp $(XEN_FILES) "$(DIR)/"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in-xen
