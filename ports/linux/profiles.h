/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profiles.h - within the Linux port: what there are profiles of, the kernel and each
 * instrumented module, by name.
 */
#ifndef BAREPROF_PROFILES_H
#define BAREPROF_PROFILES_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "instances.h"

/* The name of the kernel itself. */
#define BAREPROF_KERNEL "vmlinux"

/* All of one name, a directory in debugfs. */
struct profile {
	struct list_head list;
	struct kref ref; /* of the directory, and of each open file */
	char name[MODULE_NAME_LEN];
	struct bareprof_set set; /* what can be read: loads that have gone, and the one that is there */
	struct instance *instance; /* the one that is there, since it is live in the set; NULL: it has gone */
	int error; /* enum bareprof_error: why nothing can be read of that one */
	unsigned int kept; /* loads that have gone */
	unsigned int resets;
	unsigned int readers; /* open files that want lists of values not to change */
	bool held; /* as those of instance do not */
	struct dentry *dir;
};

/* Protects all of it. Not held while debugfs waits for the users of a file. */
extern struct mutex bareprof_lock;

/* Tells apart what was captured in different boots. */
extern size_t bareprof_boot;

/*
 * A load of @name is coming: no code of it runs yet. From here on it counts. When it is
 * live, its build id is known: one of the @size bytes of ELF notes. When it is going, none of
 * its code runs any more, and what it counted is kept.
 */
void bareprof_coming(const char *name, const struct bareprof_unit *unit);
void bareprof_live(const char *name, const void *notes, size_t size);
void bareprof_going(const char *name);

/* The rest is for files, with the lock held. */

/* All counters to zero; what has gone is forgotten, and the directory with it. */
void bareprof_reset_profile(struct profile *profile);

/* No list of values changes from here on. Returns 0, or -EBUSY: one is being changed. */
int bareprof_begin_reading(struct profile *profile);
void bareprof_end_reading(struct profile *profile);

/* Of a file that is closed; without the lock. */
void bareprof_put_profile(struct profile *profile);

/* A negative errno for an enum bareprof_error. */
int bareprof_errno(intptr_t error);

/* What there is to read of a profile, in a directory of its own; see files.h. */
struct profile_files {
	struct dentry *(*make)(struct profile *profile);
	void (*remove)(struct dentry *dir); /* waits for those who use a file of it */
};

/* Of the core as a whole. */
void bareprof_profiles_start(const struct profile_files *files);
void bareprof_profiles_stop(void);

#endif
