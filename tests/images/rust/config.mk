# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=../tests/rust: the demo kernel of x86_64 with an object of Rust in it, which is
# the self test "work". Debian has Rust's core only as Linux programs want it: an object
# that needs no code of it, for the kernel's addresses, fits all the same.

RUSTC ?= /usr/bin/rustc
CONFIG_SOURCES := tests/images/rust/test_work.c
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK
CONFIG_ARCHIVES := $(OUT)/letters.o

# No vectors: the kernel does not save their registers.
$(OUT)/letters.o: tests/images/rust/letters.rs tests/images/rust/config.mk
	@mkdir -p $(@D)
	@echo '  compile $<'
	@$(RUSTC) --edition=2021 --crate-type=lib --emit=obj -C panic=abort -C instrument-coverage -C opt-level=1 \
		-C code-model=kernel -C relocation-model=static -C no-redzone=y -C no-vectorize-loops -C no-vectorize-slp $< -o $@

$(OUT)/kernel.elf: $(CONFIG_ARCHIVES)
