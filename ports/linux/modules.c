// SPDX-License-Identifier: BSD-2-Clause
/*
 * modules.c - gets a notification when a module is loaded or unloaded, and finds out whether the
 * module is instrumented.
 */
#define pr_fmt(fmt) "bareprof: " fmt

#include <linux/kernfs.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sysfs.h>

#include "modules.h"
#include "profiles.h"

/* Returns the unit of @mod, or NULL if the module is not instrumented. */
static const struct bareprof_unit *unit_of(const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < mod->num_kp; i++) {
		const struct bareprof_unit *unit = mod->kp[i].arg;

		if (strcmp(mod->kp[i].name, BAREPROF_UNIT_PARAMETER) || !unit)
			continue;
		if (unit->magic == BAREPROF_UNIT_MAGIC)
			return unit;
		pr_err("%s: built for another version of bareprof, so it has no profile: rebuild it\n", mod->name);
	}
	return NULL;
}

/*
 * Passes the ELF notes of a module to @event. The notes have the build id. They are found in sysfs, because the
 * linker's build id has no symbol.
 */
static void with_notes(struct module *mod, void (*event)(const char *name, const void *notes, size_t size))
{
	/* A module that could not be loaded may not be in sysfs. */
	struct kernfs_node *folder = mod->mkobj.kobj.sd;
	struct kernfs_node *notes = folder ? kernfs_find_and_get(folder, "notes") : NULL;
	struct kernfs_node *note = notes ? kernfs_find_and_get(notes, ".note.gnu.build-id") : NULL;
	const struct bin_attribute *attribute = note ? note->priv : NULL;

	event(mod->name, attribute ? attribute->private : NULL, attribute ? attribute->size : 0);
	kernfs_put(note);
	kernfs_put(notes);
}

static int notify(struct notifier_block *block, unsigned long event, void *data)
{
	struct module *mod = data;
	const struct bareprof_unit *unit = unit_of(mod);

	if (!unit)
		return NOTIFY_DONE;
	switch (event) {
	case MODULE_STATE_COMING:
		bareprof_coming(mod->name, unit);
		break;
	case MODULE_STATE_LIVE:
		with_notes(mod, bareprof_live);
		break;
	case MODULE_STATE_GOING:
		with_notes(mod, bareprof_going);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block block = {.notifier_call = notify};

int bareprof_modules_start(void)
{
	return register_module_notifier(&block);
}

void bareprof_modules_stop(void)
{
	unregister_module_notifier(&block);
}
