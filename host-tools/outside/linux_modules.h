/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linux_modules.h - finds the modules of a Linux kernel in its memory. The kernel loads each section of a module to an
 * address of its own.
 */
#ifndef BAREPROF_HOST_LINUX_MODULES_H
#define BAREPROF_HOST_LINUX_MODULES_H

#include "debug_member.h"
#include "placed.h"

/* The variable of the kernel that has the list of all modules. */
#define LINUX_MODULES "modules"

/* The members that a walk over the list of modules needs. */
enum linux_member {
	LINUX_LIST_NEXT,
	LINUX_MODULE_LIST,
	LINUX_MODULE_NAME,
	LINUX_MODULE_SECTIONS,
	LINUX_SECTIONS_COUNT,
	LINUX_SECTIONS_FIRST,
	LINUX_SECTION_ADDRESS,
	LINUX_SECTION_ATTRIBUTE,
	LINUX_BINARY_ATTRIBUTE,
	LINUX_ATTRIBUTE_NAME,
	LINUX_MEMBERS,
};

/* The list of modules of one kernel. */
struct linux_modules {
	const struct placed *kernel; /* NULL: the target has no such list */
	uint64_t list; /* link address of the list of all modules */
	struct debug_member member[LINUX_MEMBERS];
};

/*
 * linux_modules_prepare - sets all members but modules->kernel: finds the list and the layout of its structs in the ELF file of a kernel, vmlinux. Needs no
 * target, and takes up to some seconds. Errors: INVALID_INPUT.
 */
enum status linux_modules_prepare(struct linux_modules *modules, const struct program *kernel, struct error *error);

/*
 * linux_module_place - finds the module @program in the memory of the kernel modules->kernel, which the caller sets when
 * it has found the kernel. The build id in memory shows that the module is the right one. The caller frees
 * placed->section_at, also after an error. Errors: INVALID_INPUT (the module is not loaded, another build of it is loaded,
 * or the list is damaged), SYSTEM.
 */
enum status linux_module_place(
	const struct linux_modules *modules, struct placed *placed, struct program *program, struct error *error);

#endif
