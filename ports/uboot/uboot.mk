# SPDX-License-Identifier: BSD-2-Clause
# Makes the U-Boot port as one folder, which contains install.sh.

UBOOT_FILES := $(filter-out %/uboot.mk %.md,$(wildcard ports/uboot/*)) ports/install.lib.sh

drop-in-uboot: linker
	@RUNTIME_FILES="$(DROP_IN_RUNTIME)" sh runtime/dropin.sh "$(DIR)"
	@cp $(UBOOT_FILES) "$(DIR)/"
	@echo "$(DIR):" $$(cd "$(DIR)" && ls)

.PHONY: drop-in-uboot
