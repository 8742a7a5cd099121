# SPDX-License-Identifier: BSD-2-Clause
#
# bareprof.mk - which objects of a tree are instrumented, and how; for makefiles of
# others, GNU make 3.82 and up. Where objects are compiled, $(bareprof-flags) is what
# bareprof has to say about $@:
#
#	include bareprof.mk
#
#	%.o: %.c
#		$(CC) $(CFLAGS) $(bareprof-flags) -c $< -o $@
#
# The variables, to be set before or behind the include. The first of the four in the
# middle that says y or n is what holds:
#
# BAREPROF            y to instrument; without it no object is (default: $(CONFIG_BAREPROF))
#
# BAREPROF_FILE_x.o   y or n: x.o in any directory; with a path, dir/x.o alone, which goes first
# BAREPROF_FILES_dir  y or n: all objects below dir, of the nearest dir that says anything
# BAREPROF_FILES      y or n: all objects of this make, in a recursive build a directory
# BAREPROF_ALL        y or n: all others (default: y)
#
# What Kbuild has for gcov holds as well, behind those for a file (GCOV_PROFILE_x.o) and
# those for directories (GCOV_PROFILE).
#
# BAREPROF_OBJ        the folder that paths of objects begin with, to be left away in names above
# BAREPROF_KIND       coverage (default), mcdc, bytes (coverage by single bytes), irpgo,
#                     values (irpgo, with targets of calls and sizes of copies),
#                     entries (irpgo, whether functions ran)
# BAREPROF_ATOMIC     y: counts are exact when several CPUs count
# BAREPROF_EXTRA      more flags for objects that are instrumented
# BAREPROF_CLANG      major version of $(CC), if asking it takes too long
#
# bareprof.o is never instrumented, and neither is what is made of assembler files.
#
# Whoever has no other means to rebuild objects when their flags change puts this
# behind the rules:
#
#	$(call bareprof-rebuild,$(OBJECTS))

BAREPROF ?= $(CONFIG_BAREPROF)

bareprof-coverage := -fprofile-instr-generate -fcoverage-mapping
bareprof-mcdc := $(bareprof-coverage) -fcoverage-mcdc
bareprof-bytes := $(bareprof-coverage) -mllvm -enable-single-byte-coverage
# Whoever reads while a loop runs is to find what it has counted: not in registers until its end.
bareprof-values := -fprofile-generate -mllvm -do-counter-promotion=false
bareprof-irpgo := $(bareprof-values) -mllvm -disable-vp=true
bareprof-entries := $(bareprof-irpgo) -mllvm -pgo-function-entry-coverage

# Which of the releases that bareprof knows are too old for a kind.
bareprof-old-mcdc := 13 14 15 16 17
bareprof-old-bytes := 13 14 15 16 17 18
bareprof-old-entries := 13

# Clang 13 to 16 do not take -fprofile-update for IR PGO. Bytes are only ever set to 0,
# which needs nothing.
bareprof-atomic-coverage := -fprofile-update=atomic
bareprof-atomic-mcdc := -fprofile-update=atomic
bareprof-atomic-irpgo := -mllvm -instrprof-atomic-counter-update-all=true
bareprof-atomic-values := $(bareprof-atomic-irpgo)

# $(call bareprof-said,NAME): y or n, or nothing if nobody said anything.
bareprof-said = $(if $(findstring |$(strip $($(1)))|,||y|n|),$(strip $($(1))),$(error \
	$(1) is "$(strip $($(1)))"; it can be y or n))

# $(call bareprof-stem,OBJECT): its path without suffix, from the top of the tree.
bareprof-plain = $(patsubst ./%,%,$(strip $(1)))
bareprof-top = $(patsubst %/,%,$(call bareprof-plain,$(BAREPROF_OBJ)))
bareprof-stem = $(basename $(patsubst $(or $(bareprof-top),.)/%,%,$(call bareprof-plain,$(1))))

# $(call bareprof-below,DIR): what DIR or the nearest one above says.
bareprof-parent = $(patsubst %/,%,$(dir $(1)))
bareprof-below = $(if $(filter-out . ..,$(1)),$(or \
	$(call bareprof-said,BAREPROF_FILES_$(1)),\
	$(call bareprof-below,$(call bareprof-parent,$(1)))))

# $(call bareprof-gcov,NAME): the same of Kbuild's, which takes all that does not begin with n for y.
bareprof-gcov = $(if $($(1)),$(if $(patsubst n%,,$($(1))),y,n))

# $(call bareprof-choice,STEM): y or n.
bareprof-choice = $(or \
	$(call bareprof-said,BAREPROF_FILE_$(1).o),\
	$(call bareprof-said,BAREPROF_FILE_$(notdir $(1)).o),\
	$(call bareprof-gcov,GCOV_PROFILE_$(notdir $(1)).o),\
	$(call bareprof-below,$(call bareprof-parent,$(1))),\
	$(call bareprof-said,BAREPROF_FILES),\
	$(call bareprof-gcov,GCOV_PROFILE),\
	$(call bareprof-said,BAREPROF_ALL),\
	y)

# What would do nothing, or harm, without a word.
bareprof-misnamed = $(firstword $(filter-out %.o,$(filter BAREPROF_FILE BAREPROF_FILE_%,$(.VARIABLES))))
bareprof-check-names = $(if $(bareprof-misnamed),$(error \
	$(bareprof-misnamed) names no object; say BAREPROF_FILE_x.o, or BAREPROF_FILES for all of a directory))
bareprof-check-runtime = $(if $(filter y,$(BAREPROF_FILE_bareprof.o)),$(error \
	BAREPROF_FILE_bareprof.o is "y"; a runtime that counts would change what it is reading))

# Asked once, and only for kinds that not every clang has.
bareprof-release = $(eval bareprof-release := $$(or $$(strip $$(BAREPROF_CLANG)),$$(shell \
	echo __clang_major__ | $$(CC) -E -P -x c - 2>/dev/null)))$(bareprof-release)

bareprof-kind = $(or $(strip $(BAREPROF_KIND)),coverage)
bareprof-check-kind = $(if $(findstring |$(bareprof-kind)|,|coverage|mcdc|bytes|irpgo|values|entries|),,$(error \
	BAREPROF_KIND is "$(bareprof-kind)"; it can be coverage, mcdc, bytes, irpgo, values or entries))
bareprof-old = $(bareprof-old-$(bareprof-kind))
bareprof-check-release = $(if $(bareprof-old),$(if $(filter $(bareprof-old),$(bareprof-release)),$(error \
	BAREPROF_KIND is "$(bareprof-kind)", for which clang $(bareprof-release) is too old; \
	take one that is newer than $(lastword $(bareprof-old)))))

# The flags of the kind, for a tree that itself knows which objects get them.
bareprof-kind-flags = $(strip $(bareprof-check-kind) $(bareprof-check-release) $(bareprof-$(bareprof-kind)) \
	$(if $(filter y,$(call bareprof-said,BAREPROF_ATOMIC)),$(bareprof-atomic-$(bareprof-kind))) $(BAREPROF_EXTRA))

# $(call bareprof-object,STEM): the flags of an object, if it is not of assembler.
bareprof-object = $(if $(filter y,$(call bareprof-said,BAREPROF)),$(bareprof-check-names)$(bareprof-check-runtime)$(if \
	$(filter bareprof,$(notdir $(1))),,$(if $(filter y,$(call bareprof-choice,$(1))),$(bareprof-kind-flags))))

bareprof-flags = $(if $@,,$(error \
	bareprof-flags is for a recipe, where $$@ is an object, or for a variable that is set with = and used in one))$(if \
	$(filter %.S %.s %.sx %.asm,$<),,$(call bareprof-object,$(call bareprof-stem,$@)))

# Beside each object a file with its flags, which changes when they do.
bareprof-rebuild = $(foreach object,$(1),$(eval $(object): $(object).bareprof))
bareprof-quoted = '$(subst ','\'',$(call bareprof-object,$(call bareprof-stem,$*)))'

%.bareprof: bareprof-always
	@mkdir -p $(@D)
	@echo $(bareprof-quoted) | cmp -s - $@ || echo $(bareprof-quoted) >$@

.PHONY: bareprof-always
