# SPDX-License-Identifier: BSD-2-Clause
# Makes plain linker scripts, for use with -T, from the scripts for the preprocessor. The
# comment at the top of each script is copied too, because it contains the licence and
# explains the use of the script. Tests that run at the same time may make the same script, so it is
# written under a temporary name.

LINKER_FRAGMENTS := $(patsubst linker/%.lds.S,$(BUILD)/linker/%.ld,$(wildcard linker/*.lds.S))

linker: $(LINKER_FRAGMENTS)

$(BUILD)/linker/%.ld: linker/%.lds.S $(wildcard linker/*)
	@mkdir -p $(@D)
	{ sed '/^#/,$$d' $< && $(CC) -E -P -undef -x c -Ilinker $<; } >$@.$$$$ && mv $@.$$$$ $@

.PHONY: linker
