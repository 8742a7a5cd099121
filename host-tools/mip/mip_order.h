/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_order.h - the order in which a linker should place the functions that ran. */
#ifndef BAREPROF_HOST_MIP_ORDER_H
#define BAREPROF_HOST_MIP_ORDER_H

#include "image.h"
#include "mip_profile.h"

/* The key by which functions are sorted. Functions with equal keys are sorted by address. */
enum mip_order_key {
	MIP_ORDER_START, /* the order of first calls; functions whose order is not known come last */
	MIP_ORDER_CALLS, /* most calls first; functions whose calls were not counted come last */
};

struct mip_order_entry {
	const char *name; /* of the profile or of the image, which must stay open */
	const struct mip_function *function; /* NULL: the function does not record */
};

/* The functions that ran, sorted. mip_order_free() frees it. */
struct mip_order {
	const struct mip_profile *profile;
	struct mip_order_entry *list; /* each name occurs once */
	size_t count;
	size_t callees; /* number of functions in @list that do not record */
	size_t absent; /* number of functions that ran, but that the image does not contain */
	size_t unnamed; /* number of functions that ran, but whose names a list for the linker cannot contain */
};

/*
 * mip_order_make - sorts the functions of @profile that ran. @image is the program to which the order will apply, or
 * NULL. If it is not NULL, the order lacks functions whose names @image does not have.
 */
void mip_order_make(
	struct mip_order *order, const struct mip_profile *profile, const struct image *image, enum mip_order_key key);
void mip_order_free(struct mip_order *order);

/*
 * mip_order_add_callees - adds functions of @image that do not record, and so are not known to have run: the entry
 * point, and functions that functions in the order call directly, which includes functions that were added. Each comes
 * after its first caller. Functions that record, but did not run, are not added, and their calls are not followed.
 */
void mip_order_add_callees(struct mip_order *order, const struct image *image);

/*
 * mip_order_drop_repeated - keeps only the first of several functions with one name, because linkers find a function by
 * its name. lld warns about a name that comes again.
 */
void mip_order_drop_repeated(struct mip_order *order);

/* mip_order_writable - tells if a list for linkers can contain @name. */
bool mip_order_writable(const char *name);

/*
 * mip_order_lld - appends a list of symbols for the option --symbol-ordering-file of lld.
 * mip_order_ld - appends a list of input sections, which a linker script includes in the description of an output
 * section. Compilers name these sections if the option -ffunction-sections is given.
 */
void mip_order_lld(const struct mip_order *order, struct buffer *out);
void mip_order_ld(const struct mip_order *order, struct buffer *out);

/* The memory of the functions in an order that record. */
struct mip_order_size {
	uint64_t bytes; /* sum of the sizes of the functions */
	uint64_t pages; /* number of pages of 4 KiB that contain parts of these functions in the link of the profile */
};

struct mip_order_size mip_order_measure(const struct mip_order *order);

#define MIP_ORDER_PAGE 4096u

#endif
