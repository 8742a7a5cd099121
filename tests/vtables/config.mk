# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=../tests/vtables: the demo kernel with C++ in it, which is the self test "work".

CONFIG_SOURCES := tests/vtables/test_work.cc
CONFIG_SOURCES_CFLAGS = $(filter-out -std=%,$(IMAGE_CFLAGS)) -std=gnu++17 -fno-exceptions -fno-rtti
CONFIG_CFLAGS := -DDEMO_WORK

$(OUT)/%.o: %.cc
	@echo '  compile $<'
	@$(IMAGE_COMPILE) -MMD -MP -c $< -o $@
