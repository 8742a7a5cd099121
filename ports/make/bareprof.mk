# SPDX-License-Identifier: BSD-2-Clause
#
# bareprof.mk - selects the objects of a tree that are instrumented, and the kind of
# instrumentation. The makefiles of any tree can include bareprof.mk. They need GNU make 3.82 or later. In a recipe that
# compiles the object $@, $(bareprof-flags) has the flags for this object:
#
#	include bareprof.mk
#
#	%.o: %.c
#		$(CC) $(CFLAGS) $(bareprof-flags) -c $< -o $@
#
# Set these variables before or after the include. Four of these variables select objects, from
# BAREPROF_FILE_x.o to BAREPROF_ALL. These four variables are read in the order of this list. The
# first variable that is y or n for an object decides whether the object is instrumented:
#
# BAREPROF            y: objects are instrumented; otherwise no object is (default: $(CONFIG_BAREPROF))
#
# BAREPROF_FILE_x.o   y or n: x.o in any directory; with a path (dir/x.o): only that object,
#                     and the variable with the path is read first
# BAREPROF_FILES_dir  y or n: all objects below dir; the nearest directory decides
# BAREPROF_FILES      y or n: all objects of this make, which in a recursive build are
#                     the objects of one directory
# BAREPROF_ALL        y or n: all other objects (default: y)
#
# Kbuild's variables for gcov have an effect too. GCOV_PROFILE_x.o comes directly after
# BAREPROF_FILE_x.o in the order, and GCOV_PROFILE comes directly after BAREPROF_FILES.
#
# BAREPROF_OBJ        the build folder, if the paths of objects ($@) start with a build folder; the
#                     names of the variables above do not contain this folder
# BAREPROF_KIND       coverage (default), mcdc, bytes (coverage by byte counters), irpgo,
#                     values (irpgo, with targets of calls and sizes of copies),
#                     entries (irpgo, only whether functions ran)
# BAREPROF_ATOMIC     y: counts are exact even if several CPUs run the same code at the same time
# BAREPROF_LIMITED    y: coverage leaves out inline functions in headers if no code uses these
#                     functions; the section of names is then several times smaller
#                     (PORTING-NEWLIB.md compares sizes)
# BAREPROF_EXTRA      more flags for objects that are instrumented
# BAREPROF_CLANG      the major version of $(CC); if it is not set, make runs $(CC) to find it out
#
# bareprof.o and objects made from assembler files are never instrumented. For bareprof.o,
# $(bareprof-flags) has the defines that the runtime needs for BAREPROF_KIND and BAREPROF_ATOMIC. If
# another rule compiles bareprof.c, use the variable $(bareprof-runtime-flags) in this rule.
#
# Some functions of an instrumented object may have to stay without counters, for example naked
# functions. Give these functions __attribute__((no_profile_instrument_function)), or list them in
# the file of -fprofile-list (BAREPROF_EXTRA = -fprofile-list=FILE).
#
# Your makefile must rebuild an object when its flags or its compiler change. If it does not do so
# yet, add the next line after the rules. With this line, make also rebuilds an object if $(CC) or
# the version of $(CC) has changed:
#
#	$(call bareprof-rebuild,$(OBJECTS))

BAREPROF ?= $(CONFIG_BAREPROF)

bareprof-coverage := -fprofile-instr-generate -fcoverage-mapping
bareprof-mcdc := $(bareprof-coverage) -fcoverage-mcdc
bareprof-bytes := $(bareprof-coverage) -mllvm -enable-single-byte-coverage
# Without the second flag, a loop counts in a register until the loop ends. A profile that is read
# before the loop ends lacks these counts.
bareprof-values := -fprofile-generate -mllvm -do-counter-promotion=false
bareprof-irpgo := $(bareprof-values) -mllvm -disable-vp=true
bareprof-entries := $(bareprof-irpgo) -mllvm -pgo-function-entry-coverage

# For each kind: the releases of clang that bareprof supports, but that are too old for this kind.
bareprof-old-mcdc := 13 14 15 16 17
bareprof-old-bytes := 13 14 15 16 17 18
bareprof-old-entries := 13

# Clang 13 to 16 do not accept -fprofile-update for IR PGO. Byte counters need no atomic updates,
# because code only sets them to 0.
bareprof-atomic-coverage := -fprofile-update=atomic
bareprof-atomic-mcdc := -fprofile-update=atomic
bareprof-atomic-irpgo := -mllvm -instrprof-atomic-counter-update-all=true
bareprof-atomic-values := $(bareprof-atomic-irpgo)

# clang --help does not list this option, but clang 13 to 22 accept it.
bareprof-limited-coverage := -mllvm -limited-coverage-experimental=true
bareprof-limited-mcdc := $(bareprof-limited-coverage)
bareprof-limited-bytes := $(bareprof-limited-coverage)

# $(call bareprof-said,NAME): the value of the variable NAME, which is y, n or empty. Any other value is an error.
bareprof-said = $(if $(findstring |$(strip $($(1)))|,||y|n|),$(strip $($(1))),$(error \
	$(1) is "$(strip $($(1)))"; it can be y or n))

# $(call bareprof-stem,OBJECT): the object's path relative to the top of the tree, without suffix.
bareprof-plain = $(patsubst ./%,%,$(strip $(1)))
bareprof-top = $(patsubst %/,%,$(call bareprof-plain,$(BAREPROF_OBJ)))
bareprof-stem = $(basename $(patsubst $(or $(bareprof-top),.)/%,%,$(call bareprof-plain,$(1))))

# $(call bareprof-below,DIR): the value of BAREPROF_FILES_DIR. If this variable is not set, the
# value of BAREPROF_FILES_PARENT, where PARENT is the nearest parent of DIR for which such a
# variable is set.
bareprof-parent = $(patsubst %/,%,$(dir $(1)))
bareprof-below = $(if $(filter-out . ..,$(1)),$(or \
	$(call bareprof-said,BAREPROF_FILES_$(1)),\
	$(call bareprof-below,$(call bareprof-parent,$(1)))))

# $(call bareprof-gcov,NAME): the value of Kbuild's variable NAME. As in Kbuild, n and every value
# that begins with n mean n, and any other value means y.
bareprof-gcov = $(if $($(1)),$(if $(patsubst n%,,$($(1))),y,n))

# $(call bareprof-choice,STEM): y if the object has to be instrumented, otherwise n.
bareprof-choice = $(or \
	$(call bareprof-said,BAREPROF_FILE_$(1).o),\
	$(call bareprof-said,BAREPROF_FILE_$(notdir $(1)).o),\
	$(call bareprof-gcov,GCOV_PROFILE_$(notdir $(1)).o),\
	$(call bareprof-below,$(call bareprof-parent,$(1))),\
	$(call bareprof-said,BAREPROF_FILES),\
	$(call bareprof-gcov,GCOV_PROFILE),\
	$(call bareprof-said,BAREPROF_ALL),\
	y)

# Reports mistakes that would otherwise have no effect, or a wrong effect, without a message.
bareprof-misnamed = $(firstword $(filter-out %.o,$(filter BAREPROF_FILE BAREPROF_FILE_%,$(.VARIABLES))))
bareprof-check-names = $(if $(bareprof-misnamed),$(error \
	$(bareprof-misnamed) names no object; use BAREPROF_FILE_x.o, or BAREPROF_FILES for all objects of a directory))
bareprof-check-runtime = $(if $(filter y,$(BAREPROF_FILE_bareprof.o)),$(error \
	BAREPROF_FILE_bareprof.o is "y"; the runtime must not be instrumented, because it would change the counters that it reads))

# The major version of clang. $(CC) runs only once, and only for kinds that not every clang
# supports.
bareprof-release = $(eval bareprof-release := $$(or $$(strip $$(BAREPROF_CLANG)),$$(shell \
	echo __clang_major__ | $$(CC) -E -P -x c - 2>/dev/null)))$(bareprof-release)

bareprof-kind = $(or $(strip $(BAREPROF_KIND)),coverage)
bareprof-check-kind = $(if $(findstring |$(bareprof-kind)|,|coverage|mcdc|bytes|irpgo|values|entries|),,$(error \
	BAREPROF_KIND is "$(bareprof-kind)"; it can be coverage, mcdc, bytes, irpgo, values or entries))
bareprof-old = $(bareprof-old-$(bareprof-kind))
bareprof-check-release = $(if $(bareprof-old),$(if $(filter $(bareprof-old),$(bareprof-release)),$(error \
	BAREPROF_KIND is "$(bareprof-kind)", for which clang $(bareprof-release) is too old; \
	use a clang that is newer than $(lastword $(bareprof-old)))))

# The flags of BAREPROF_KIND, for a tree that decides by itself which objects get these flags.
bareprof-kind-flags = $(strip $(bareprof-check-kind) $(bareprof-check-release) $(bareprof-$(bareprof-kind)) \
	$(if $(filter y,$(call bareprof-said,BAREPROF_ATOMIC)),$(bareprof-atomic-$(bareprof-kind))) \
	$(if $(filter y,$(call bareprof-said,BAREPROF_LIMITED)),$(bareprof-limited-$(bareprof-kind))) $(BAREPROF_EXTRA))

# The flags of bareprof.o. If a kind has no atomic updates, its objects need no functions for atomic
# updates.
bareprof-serve-values := -DBAREPROF_VALUES
bareprof-runtime-flags = $(if $(filter y,$(call bareprof-said,BAREPROF)),$(strip $(bareprof-check-kind) $(bareprof-serve-$(bareprof-kind)) \
	$(if $(filter y,$(call bareprof-said,BAREPROF_ATOMIC)),$(if $(bareprof-atomic-$(bareprof-kind)),-DBAREPROF_ATOMIC))))

# $(call bareprof-object,STEM): the flags of an object that is not made from assembler.
bareprof-object = $(if $(filter y,$(call bareprof-said,BAREPROF)),$(bareprof-check-names)$(bareprof-check-runtime)$(if \
	$(filter bareprof,$(notdir $(1))),$(bareprof-runtime-flags),$(if $(filter y,$(call bareprof-choice,$(1))),$(bareprof-kind-flags))))

bareprof-flags = $(if $@,,$(error \
	bareprof-flags can be used only in a recipe, where $$@ is an object, or in a variable that is set with = and used in a recipe))$(if \
	$(filter %.S %.s %.sx %.asm,$<),,$(call bareprof-object,$(call bareprof-stem,$@)))

# The command that starts the compiler, and then the text that $(CC) --version prints. This text is
# kept in a variable, so $(CC) runs only once.
bareprof-compiler = $(CC) $(bareprof-version)
bareprof-version = $(eval bareprof-version := $$(shell $$(CC) --version 2>/dev/null))$(bareprof-version)

# Keeps a file beside each object. The file contains the object's compiler and flags, and is written
# only when one of them changes.
bareprof-rebuild = $(foreach object,$(1),$(eval $(object): $(object).bareprof))
bareprof-quoted = '$(subst ','\'',$(bareprof-compiler) | $(call bareprof-object,$(call bareprof-stem,$*)))'

%.bareprof: bareprof-always
	@mkdir -p $(@D)
	@echo $(bareprof-quoted) | cmp -s - $@ || echo $(bareprof-quoted) >$@

.PHONY: bareprof-always
