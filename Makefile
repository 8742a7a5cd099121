# SPDX-License-Identifier: BSD-2-Clause
# This makefile is for plain GNU make. `make help` lists the targets.

BUILD := build
PREFIX ?= /usr/local

# The compiler for images: the newest installed clang, or clang N if LLVM=N is given.
LLVM ?= $(lastword $(sort $(patsubst /usr/bin/clang-%,%,$(wildcard /usr/bin/clang-[1-9][0-9]))))
# The compiler for the host program.
CC = gcc
CFLAGS ?= -O2 -g

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# To read the lists of headers of the host program and of its tests takes make 20 ms. So make reads them only if a goal
# can need them. The tests call `make image` some hundred times.
NEEDS_HOST := $(MIP)$(filter-out image linker drop-in%,$(or $(MAKECMDGOALS),all))

all: $(BUILD)/bareprof $(BUILD)/bareprof.1 $(BUILD)/libbareprof.a

include runtime/runtime.mk
include linker/linker.mk
include host-tools/host.mk
include host-tools/lib.mk
include qemu/qemu.mk
include ports/linux/linux.mk
include ports/xen/xen.mk
include ports/uboot/uboot.mk
include tests/tests.mk

help:
	@echo 'make              the host program, $(BUILD)/bareprof, its manual page and libbareprof.a'
	@echo 'make static       the host program without shared libraries: $(BUILD)/static/bareprof'
	@echo 'make demo         boot the demo kernel on every board and show its coverage'
	@echo 'make hypervisor   a small hypervisor and a guest that pulls its profile: qemu/hyper/hyper.mk'
	@echo 'make check        the tests; make check-fast: the quick ones, before a commit'
	@echo 'make test-programs  build the programs that sh tests/run.sh TEST needs; runs no test'
	@echo 'make check-all    also the slow and wide tests; continues an interrupted run, FRESH=1 starts again'
	@echo 'make size         bytes and stack of the target side, for each capability and target'
	@echo 'make bench        speed, compared with compiler-rt, memcpy and LLVM; bytes on a slow line'
	@echo 'make image        one image: BOARD= LLVM= KIND= OPT= OUT=, see qemu/qemu.mk'
	@echo 'make drop-in DIR= the target side as one bareprof.c and one bareprof.h'
	@echo 'make drop-in-linux DIR=  the Linux port as one folder: ports/linux/README.md'
	@echo 'make drop-in-xen DIR=    the Xen port as one folder: ports/xen/README.md'
	@echo 'make drop-in-uboot DIR=  the U-Boot port as one folder: ports/uboot/README.md'
	@echo 'make linker       the linker scripts to add to yours, $(BUILD)/linker/*.ld'
	@echo 'make menuconfig   choose what the drop-in contains'
	@echo 'make install      program, manual page, library, boards and drop-in files, under PREFIX=$(PREFIX)'
	@echo 'make deps         install the Debian packages that are missing'
	@echo 'make compdb       $(BUILD)/compile_commands.json, for clangd and other tools'
	@echo 'make format       apply .clang-format; make clean: remove $(BUILD)'

# Installs the missing Debian packages; .ci/deps has the list.
deps:
	@sh .ci/deps

menuconfig:
	kconfig-mconf Kconfig

SHARE = $(DESTDIR)$(PREFIX)/share

install: all install-lib
	install -D -m 755 $(BUILD)/bareprof $(DESTDIR)$(PREFIX)/bin/bareprof
	install -D -m 644 $(BUILD)/bareprof.1 $(SHARE)/man/man1/bareprof.1
	for conf in qemu/*/board.conf; do \
		install -D -m 644 $$conf $(SHARE)/bareprof/boards/$${conf#qemu/} || exit; \
	done
	$(MAKE) --no-print-directory drop-in DIR=$(BUILD)/drop-in
	install -d $(SHARE)/bareprof/drop-in
	install -m 644 $(BUILD)/drop-in/* $(SHARE)/bareprof/drop-in

# Writes compile_commands.json, which clangd finds in build/. It contains the commands that compile
# the host program, and commands that compile the runtime for this machine.
compdb:
	@mkdir -p $(BUILD)
	@{ $(MAKE) -Bn --no-print-directory $(BUILD)/bareprof; \
		for file in runtime/*.c; do echo 'clang $(RUNTIME_CFLAGS) -DBAREPROF_VALUES -c -o x.o' $$file; done; } | \
		awk -v folder='$(CURDIR)' '/ -c -o / { gsub(/["\\]/, "\\\\&"); \
			printf "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"%s\"}", n++ ? ",\n" : "[\n", folder, $$NF, $$0 } \
			END { print "\n]" }' >$(BUILD)/compile_commands.json
	@echo '$(BUILD)/compile_commands.json'

format:
	clang-format-14 -i $$(git ls-files '*.c' '*.h' ':!tests/vectors')

clean:
	rm -rf $(BUILD)

.PHONY: all help deps menuconfig install compdb format clean
