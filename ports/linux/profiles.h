/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profiles.h - internal to the Linux port: the list of profiles. The kernel has a profile, and each instrumented module
 * has a profile. The name of a profile is the name of the module, or "vmlinux".
 *
 * A load of a module is the time from its insmod to its rmmod. Each load has one struct instance:
 *
 *	bareprof_coming()      bareprof_live()        bareprof_going()        reset, or a new load
 *	      |                      |                      |                 replaces it
 *	      |  code may count,     |  can be read,        |  unloaded, but       |
 *	      |  not readable yet    |  has a directory     |  a copy is kept      |  retired, freed
 *	------+----------------------+----------------------+----------------------+----------------
 *	      |<------ profile->instance ------------------>|
 *	                             |<------ member of profile->set ------------->|
 *
 * If the init function of the module fails, bareprof_going() follows bareprof_coming()
 * directly, and the copy is kept and readable as usual. If the profile of a load has an error, the
 * load never joins profile->set, and no copy of the load is kept. A new load of the same build
 * adopts the counts of the kept load. The kernel is a load that is never unloaded.
 *
 * A load may also have a machine profile (machine.h), with or without an instance. It is profile->coming first. When
 * the load is live, it becomes profile->machine, which stays after the unload.
 *
 * Locks, in the order in which they are taken:
 *
 *	directories      (profiles.c) protects the creation and removal of directories. The
 *	                 removal of a directory waits until all operations on its files are done.
 *	                 These operations take the next two locks.
 *	reader->lock     (files.c) protects one open file.
 *	bareprof_lock    protects all profiles and instances.
 *
 * Retired instances are freed while no lock is held, because freeing them can take seconds.
 */
#ifndef BAREPROF_PROFILES_H
#define BAREPROF_PROFILES_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "instances.h"
#include "machine.h"

/* The name of the kernel's profile. */
#define BAREPROF_KERNEL "vmlinux"

/* All loads of one name, and their directory in debugfs. */
struct profile {
	struct list_head list;
	struct kref ref; /* one reference for the directory, and one for each open file */
	char name[MODULE_NAME_LEN];
	struct bareprof_set set; /* the loads that can be read: the kept loads, and the present load if it is live */
	struct instance *instance; /* the present load; NULL: it has been unloaded */
	struct machine *machine; /* the machine profile that can be read; NULL: none */
	struct machine *coming; /* the machine profile of a load that is not live yet; NULL: none */
	unsigned int machine_changes; /* grows when a capture of the machine profile that is being read becomes stale */
	int error; /* enum bareprof_error: the reason why the instance cannot be read */
	unsigned int kept; /* number of kept loads */
	unsigned int resets;
	unsigned int readers; /* number of open files; if it is not 0, lists of values must not change */
	bool held; /* true if the lists of values of the instance are held for readers */
	struct dentry *dir;
};

/* Protects all profiles and instances. Must not be held while a directory is removed. */
extern struct mutex bareprof_lock;

/* A random number that distinguishes captures of different boots. */
extern size_t bareprof_boot;

/*
 * The three events in the life of a load of @name, see the diagram above.
 *
 * bareprof_coming: called before any code of the load runs. From this call on, the load has an instance, which
 * records its values.
 * bareprof_live: called when the init function has returned. The build id is in the @size bytes of ELF notes at @notes.
 * bareprof_going: called when no code of the load runs any more. Keeps a copy of the load's counts. @notes as before.
 */
void bareprof_coming(const char *name, const struct bareprof_unit *unit);
void bareprof_live(const char *name, const void *notes, size_t size);
void bareprof_going(const char *name, const void *notes, size_t size);

/*
 * The following functions are for files.c and info.c. The caller holds bareprof_lock, except where
 * a comment says otherwise.
 */

/*
 * Sets all counters to zero and drops the kept loads. If the profile has no present load, removes
 * the profile and its directory.
 */
void bareprof_reset_profile(struct profile *profile);

/*
 * Keeps all lists of values unchanged until bareprof_end_reading(). Returns -EBUSY if a list is
 * being changed, otherwise 0.
 */
int bareprof_begin_reading(struct profile *profile);
void bareprof_end_reading(struct profile *profile);

/* Drops the reference of a closed file. The caller does not hold bareprof_lock. */
void bareprof_put_profile(struct profile *profile);

/* Returns the negative errno for an enum bareprof_error. */
int bareprof_errno(intptr_t error);

/* Creates and removes the directory and files of a profile; see files.h. */
struct profile_files {
	struct dentry *(*make)(struct profile *profile);
	void (*remove)(struct dentry *dir); /* waits until operations on the profile's files have ended */
};

/* These two functions start and stop the whole core. */
void bareprof_profiles_start(const struct profile_files *files);
void bareprof_profiles_stop(void);

#endif
