# SPDX-License-Identifier: BSD-2-Clause
# Builds the programs that start compilers in advance (warm.h). Also makes a folder for PATH, with a link for each tool.

TESTS_WARM := $(BUILD)/warm/warm $(BUILD)/warm/keeper.so $(BUILD)/warm/tools
TESTS_NEED += $(TESTS_WARM)
WARM_CFLAGS := -std=gnu11 -O2 -Wall -Wextra -Werror

$(BUILD)/warm/warm: tests/warm/caller.c tests/warm/warm.h
	@mkdir -p $(@D)
	$(CC) $(WARM_CFLAGS) -static -o $@ $<

$(BUILD)/warm/keeper.so: tests/warm/keeper.c tests/warm/warm.h
	@mkdir -p $(@D)
	$(CC) $(WARM_CFLAGS) -shared -fPIC -o $@ $<

# The links are always made again, because compilers may have been installed or removed.
$(BUILD)/warm/tools: warm-always
	@rm -rf $@ && mkdir -p $@
	@cd $@ && for tool in $(notdir $(wildcard $(addprefix /usr/bin/,clang-[1-9]* clang++-[1-9]* ld.lld-[1-9]* llvm-*-[1-9]*))); do \
		ln -s ../warm $$tool || exit; \
	done

warm-always:

.PHONY: warm-always
