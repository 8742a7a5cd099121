# SPDX-License-Identifier: BSD-2-Clause
# Makes plain linker scripts, for use with -T, from those for the preprocessor. The
# comment at the top of each file, with licence and use, is copied.

LINKER_FRAGMENTS := $(patsubst linker/%.lds.S,$(BUILD)/linker/%.ld,$(wildcard linker/*.lds.S))

linker: $(LINKER_FRAGMENTS)

$(BUILD)/linker/%.ld: linker/%.lds.S $(wildcard linker/*)
	@mkdir -p $(@D)
	@sed '/^#/,$$d' $< >$@
	$(CC) -E -P -undef -x c -Ilinker $< >>$@

.PHONY: linker
