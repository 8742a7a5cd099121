/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.c - stands for a Linux kernel that has loaded two modules: the structs have the names and members of those in
 * Linux 6.1, at other offsets. The sections of the module "shapes" are included from files. WRONG selects a fault.
 */
#define NOTHING       0
#define LOOP          1 /* the list does not come back to its head */
#define NO_MODULE     2 /* the module is not in the list */
#define MANY_SECTIONS 3
#define NO_SECTIONS   4 /* the kernel has no list of sections */
#define NO_NAME_END   5
#define WILD          6 /* a pointer to memory that is not there */
#define NO_COUNTERS   7 /* the section of the counters is not listed */
#ifndef WRONG
#define WRONG NOTHING
#endif

struct list_head {
	struct list_head *prev;
	struct list_head *next;
};
struct attribute {
	int mode;
	const char *name;
};
struct bin_attribute {
	long size;
	struct attribute attr;
};
struct module_sect_attr {
	struct bin_attribute battr;
	unsigned long address;
};
struct module_sect_attrs {
	void *group;
	unsigned int nsections;
	struct module_sect_attr attrs[2];
};
struct module {
	int state;
	char name[56];
	struct list_head list;
	struct module_sect_attrs *sect_attrs;
};

#define INCLUDE(label, section)                                                                                        \
	asm(".data\n.balign 64\n" #label ": .incbin \"" section "\"\n.previous\n");                                    \
	extern const char label[]
INCLUDE(counters, "counters");
INCLUDE(note, "note");

#define NAME(text)                                                                                                     \
	{                                                                                                              \
		0,                                                                                                     \
		{                                                                                                      \
			0, text                                                                                        \
		}                                                                                                      \
	}
/* A name of 300 letters. */
#define LETTERS "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define LONG    LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS

#if WRONG == NO_MODULE
#define SHAPES "sharpes"
#else
#define SHAPES "shapes"
#endif

extern struct list_head modules;
extern struct module shapes;

static struct module_sect_attrs sections = {0, WRONG == MANY_SECTIONS ? 1u << 30 : 2,
	{{NAME(WRONG == NO_NAME_END ? LONG : ".note.gnu.build-id"), (unsigned long)note},
		{NAME(WRONG == NO_COUNTERS ? "other" : "__llvm_prf_cnts"), (unsigned long)counters}}};
struct module other = {1, "shape", {&modules, WRONG == LOOP ? &other.list : &shapes.list}, 0};
struct module shapes = {1, SHAPES, {&other.list, &modules},
	WRONG == NO_SECTIONS ? 0
	: WRONG == WILD      ? (void *)0x123456789
			     : &sections};
struct list_head modules = {&shapes.list, &other.list};

int main(void)
{
	return modules.next != &other.list;
}
