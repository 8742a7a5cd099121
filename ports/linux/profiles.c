// SPDX-License-Identifier: BSD-2-Clause
/*
 * profiles.c - the list of profiles, and the life of a load: see profiles.h.
 */
#define pr_fmt(fmt) "bareprof: " fmt

#include <linux/delay.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "profiles.h"

DEFINE_MUTEX(bareprof_lock);
size_t bareprof_boot;

static LIST_HEAD(profiles);
static const struct profile_files *files;

/*
 * Serializes the creation and removal of directories. Lock this mutex before bareprof_lock, because
 * the removal of a directory waits for file operations, and file operations lock bareprof_lock.
 */
static DEFINE_MUTEX(directories);

static struct profile *find(const char *name)
{
	struct profile *profile;

	list_for_each_entry(profile, &profiles, list)
		if (!strcmp(profile->name, name))
			return profile;
	return NULL;
}

static struct profile *find_or_make(const char *name)
{
	struct profile *profile = find(name);

	if (profile)
		return profile;
	profile = kzalloc(sizeof(*profile), GFP_KERNEL);
	if (!profile)
		return NULL;
	kref_init(&profile->ref);
	strscpy(profile->name, name, sizeof(profile->name));
	list_add_tail(&profile->list, &profiles);
	return profile;
}

/*
 * Instances that are not read any more. It may take seconds to free an instance, so retired instances are freed while
 * bareprof_lock is not held.
 */
static struct instance *retired;

static void retire(struct instance *instance)
{
	bareprof_instance_end(instance);
	instance->next_retired = retired;
	retired = instance;
}

static void free_retired(void)
{
	struct instance *instance;
	struct instance *next;

	mutex_lock(&bareprof_lock);
	instance = retired;
	retired = NULL;
	mutex_unlock(&bareprof_lock);
	for (; instance; instance = next) {
		next = instance->next_retired;
		bareprof_instance_free(instance);
	}
}

static void drop(struct profile *profile, struct instance *instance)
{
	bareprof_set_remove(&profile->set, &instance->member);
	retire(instance);
	profile->kept--;
}

/*
 * Drops the kept loads that cannot be in one file with the new instance: loads with another kind of
 * profile, and loads whose counts the new instance adopts.
 */
static void drop_incompatible_kept(struct profile *profile)
{
	struct instance *instance = profile->instance;
	struct bareprof_set_member *member;
	struct bareprof_set_member *next;

	for (member = profile->set.first; member; member = next) {
		struct instance *kept = container_of(member, struct instance, member);

		next = member->next;
		if (bareprof_instance_adopt_counts(instance, kept)) {
			drop(profile, kept);
		} else if (member->version != instance->image.version) {
			pr_warn("%s: the counts of an earlier load were dropped: they are another kind of profile\n",
				profile->name);
			drop(profile, kept);
		}
	}
}

static void add(struct profile *profile, struct instance *instance)
{
	bareprof_set_add(&profile->set, &instance->member, &instance->image);
	if (instance->number >= 0)
		instance->image.number = instance->number;
	instance->number = instance->image.number;
}

static bool is_empty(const struct profile *profile)
{
	return !profile->instance && !profile->set.first && !profile->machine && !profile->coming;
}

/* Removes each profile that has neither an instance nor kept loads, and then frees the retired instances. */
static void clean_up(struct work_struct *unused)
{
	struct profile *profile;

	mutex_lock(&directories);
	do {
		mutex_lock(&bareprof_lock);
		list_for_each_entry(profile, &profiles, list)
			if (is_empty(profile))
				break;
		if (list_entry_is_head(profile, &profiles, list))
			profile = NULL;
		else
			list_del(&profile->list);
		mutex_unlock(&bareprof_lock);
		if (profile) {
			files->remove(profile->dir);
			bareprof_put_profile(profile);
		}
	} while (profile);
	mutex_unlock(&directories);
	free_retired();
}
static DECLARE_WORK(cleaning, clean_up);

/* Replaces the machine profile, which may be NULL, and frees the old one. */
static void set_machine(struct profile *profile, struct machine *machine)
{
	bareprof_machine_free(profile->machine);
	profile->machine = machine;
	profile->machine_changes++;
}

/* Makes the machine profile of a load readable. */
static void arrive(struct profile *profile, const void *notes, size_t size)
{
	struct machine *machine = profile->coming;

	if (!machine)
		return;
	profile->coming = NULL;
	bareprof_machine_identify(machine, notes, size);
	if (profile->machine && !bareprof_machine_add(machine, profile->machine))
		pr_warn("%s: the machine profile of an earlier load was dropped: it is of another build\n",
			profile->name);
	set_machine(profile, machine);
}

/* Keeps a copy of the machine profile, if the module that is unloaded has one. */
static void keep_machine(struct profile *profile)
{
	if (!profile->machine || profile->machine->kept)
		return;
	if (bareprof_machine_keep(profile->machine)) {
		profile->machine_changes++;
		return;
	}
	pr_err("%s: not enough memory to keep its machine profile, so it is lost\n", profile->name);
	set_machine(profile, NULL);
}

static bool has_counters(const struct bareprof_unit *unit)
{
	return unit->section[BAREPROF_CNTS].start != unit->section[BAREPROF_CNTS].stop;
}

void bareprof_coming(const char *name, const struct bareprof_unit *unit)
{
	struct profile *profile;
	bool no_memory = false;

	mutex_lock(&bareprof_lock);
	profile = find_or_make(name);
	if (profile)
		profile->coming = bareprof_machine_new(unit, &no_memory);
	/* A load without counters has an instance that says so, except if it has a machine profile. */
	if (profile && !no_memory && (has_counters(unit) || !profile->coming)) {
		profile->instance = bareprof_instance_new(unit, strcmp(name, BAREPROF_KERNEL), &profile->error);
		no_memory = !profile->instance;
	}
	if (!profile || no_memory)
		pr_err("%s: not enough memory, so there will be no profile: free memory and load it again\n", name);
	else if (profile->instance && profile->error)
		pr_err("%s: %s\n", name, bareprof_strerror(profile->error));
	else if (profile->instance)
		drop_incompatible_kept(profile);
	mutex_unlock(&bareprof_lock);
	schedule_work(&cleaning);
}

void bareprof_live(const char *name, const void *notes, size_t size)
{
	struct profile *profile;

	mutex_lock(&directories);
	mutex_lock(&bareprof_lock);
	profile = find(name);
	if (profile && profile->instance && !profile->error) {
		bareprof_instance_identify(profile->instance, notes, size);
		add(profile, profile->instance);
	}
	if (profile)
		arrive(profile, notes, size);
	mutex_unlock(&bareprof_lock);
	if (profile && !profile->dir)
		profile->dir = files->make(profile);
	mutex_unlock(&directories);
}

void bareprof_going(const char *name, const void *notes, size_t size)
{
	struct profile *profile;
	struct instance *instance;

	mutex_lock(&directories);
	mutex_lock(&bareprof_lock);
	profile = find(name);
	instance = profile ? profile->instance : NULL;
	if (instance) {
		profile->instance = NULL;
		profile->held = false;
		bareprof_set_remove(&profile->set, &instance->member);
		if (!profile->error && bareprof_instance_keep(instance)) {
			add(profile, instance);
			profile->kept++;
		} else {
			if (!profile->error)
				pr_err("%s: not enough memory to keep its profile, so its counts are lost\n", name);
			retire(instance);
		}
		profile->error = 0;
	}
	if (profile) {
		arrive(profile, notes, size);
		keep_machine(profile);
	}
	mutex_unlock(&bareprof_lock);
	/* A load whose init function failed was never live, so it has no directory yet. */
	if (profile && !profile->dir && (profile->set.first || profile->machine))
		profile->dir = files->make(profile);
	mutex_unlock(&directories);
	schedule_work(&cleaning);
}

/* Drops all loads that were kept. */
static void drop_kept(struct profile *profile)
{
	struct bareprof_set_member *member;
	struct bareprof_set_member *next;

	for (member = profile->set.first; member; member = next) {
		struct instance *kept = container_of(member, struct instance, member);

		next = member->next;
		if (kept != profile->instance)
			drop(profile, kept);
	}
}

void bareprof_reset_profile(struct profile *profile)
{
	struct instance *instance = profile->instance;

	drop_kept(profile);
	if (instance && !profile->error)
		bareprof_reset(&instance->image);
	if (profile->machine && profile->machine->kept) {
		set_machine(profile, NULL);
	} else if (profile->machine) {
		bareprof_reset(&profile->machine->image);
		profile->machine_changes++;
	}
	profile->resets++;
	schedule_work(&cleaning);
}

int bareprof_begin_reading(struct profile *profile)
{
	struct bareprof_values *values = profile->instance ? profile->instance->image.values : NULL;
	unsigned int tries = 10;

	if (values && !profile->held) {
		/*
		 * The first try usually succeeds. More tries are necessary if a task was preempted
		 * while it was changing a list.
		 */
		while (bareprof_values_hold(values, 0)) {
			if (!--tries)
				return -EBUSY;
			usleep_range(1000, 2000);
		}
		profile->held = true;
	}
	profile->readers++;
	return 0;
}

void bareprof_end_reading(struct profile *profile)
{
	if (--profile->readers || !profile->held)
		return;
	bareprof_values_release(&profile->instance->values);
	profile->held = false;
}

int bareprof_errno(intptr_t error)
{
	switch (error) {
	case BAREPROF_OK:
		return 0;
	case BAREPROF_E_NO_COUNTERS:
	case BAREPROF_E_NO_RECORDS:
		return -ENODATA;
	case BAREPROF_E_STALE:
		return -ESTALE;
	case BAREPROF_E_BUSY:
		return -EBUSY;
	case BAREPROF_E_NO_SPACE:
		return -ENOMEM;
	default:
		return -EINVAL;
	}
}

static void free_profile(struct kref *ref)
{
	kfree(container_of(ref, struct profile, ref));
}

void bareprof_put_profile(struct profile *profile)
{
	kref_put(&profile->ref, free_profile);
}

void bareprof_profiles_start(const struct profile_files *profile_files)
{
	bareprof_boot = get_random_long();
	files = profile_files;
}

void bareprof_profiles_stop(void)
{
	struct profile *profile;
	struct profile *next;

	/*
	 * No module is loaded any more, so only kept loads are left. clean_up() may be running, or the last reset may
	 * have scheduled it. So the kept loads are dropped only after cancel_work_sync(), which cancels clean_up() or
	 * waits for it.
	 */
	mutex_lock(&directories);
	list_for_each_entry(profile, &profiles, list) {
		files->remove(profile->dir);
		profile->dir = NULL;
	}
	mutex_unlock(&directories);
	cancel_work_sync(&cleaning);
	list_for_each_entry_safe(profile, next, &profiles, list) {
		drop_kept(profile);
		set_machine(profile, NULL);
		bareprof_put_profile(profile);
	}
	free_retired();
}
