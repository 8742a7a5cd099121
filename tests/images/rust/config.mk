# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=../tests/images/rust selects this file. It builds the demo kernel of x86_64 with a Rust object that contains
# the self test "work". Debian has Rust's core library only for Linux programs. But an object that needs no code of this
# library can be linked into the kernel, if the object is compiled for the addresses of the kernel.

RUSTC ?= /usr/bin/rustc
CONFIG_SOURCES := tests/images/rust/test_work.c
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK
CONFIG_ARCHIVES := $(OUT)/letters.o

# The object is compiled without vector instructions, because the kernel does not save vector registers.
$(OUT)/letters.o: tests/images/rust/letters.rs tests/images/rust/config.mk
	@mkdir -p $(@D)
	@echo '  compile $<'
	@$(RUSTC) --edition=2021 --crate-type=lib --emit=obj -C panic=abort -C instrument-coverage -C opt-level=1 \
		-C code-model=kernel -C relocation-model=static -C no-redzone=y -C no-vectorize-loops -C no-vectorize-slp $< -o $@

$(OUT)/kernel.elf: $(CONFIG_ARCHIVES)
