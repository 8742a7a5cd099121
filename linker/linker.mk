# SPDX-License-Identifier: BSD-2-Clause
# Plain linker scripts from the preprocessor form, for those who use -T. The
# comment at the top, licence and use, goes with them.

LINKER_FRAGMENTS := $(BUILD)/linker/bareprof.ld $(BUILD)/linker/bareprof-rom.ld

linker: $(LINKER_FRAGMENTS)

$(BUILD)/linker/%.ld: linker/%.lds.S linker/bareprof.lds.h
	@mkdir -p $(@D)
	@sed '/^#include/,$$d' $< >$@
	$(CC) -E -P -undef -x c -Ilinker $< >>$@

.PHONY: linker
