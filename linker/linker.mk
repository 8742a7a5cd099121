# SPDX-License-Identifier: BSD-2-Clause
# Plain linker scripts from the preprocessor form, for those who use -T. The
# comment at the top, licence and use, goes with them.

LINKER_FRAGMENTS := $(patsubst linker/%.lds.S,$(BUILD)/linker/%.ld,$(wildcard linker/*.lds.S))

linker: $(LINKER_FRAGMENTS)

$(BUILD)/linker/%.ld: linker/%.lds.S $(wildcard linker/*)
	@mkdir -p $(@D)
	@sed '/^#/,$$d' $< >$@
	$(CC) -E -P -undef -x c -Ilinker $< >>$@

.PHONY: linker
