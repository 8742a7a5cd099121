/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assembly.h - the assembly text of a compiler, as lines, sections and functions. The text belongs to the caller of
 * rewrite(), and slices point into the text.
 */
#ifndef BAREPROF_REWRITE_ASSEMBLY_H
#define BAREPROF_REWRITE_ASSEMBLY_H

#include "rewrite.h"

enum line_kind {
	LINE_EMPTY, /* nothing, a comment, or only a label */
	LINE_DIRECTIVE,
	LINE_INSTRUCTION,
};

struct line {
	struct bytes text; /* without the newline */
	struct bytes label; /* the label at the start, without colon and quotes; size 0: no label */
	struct bytes word; /* the directive or the instruction; size 0 if the kind is EMPTY */
	struct bytes operands; /* the text after @word, without comment and without spaces at both ends */
	enum line_kind kind;
	bool by_user; /* part of inline assembly; the markers around it are part of it too */
	bool block_comment; /* contains the start of a block comment */
	uint32_t section; /* index of the section in which the line is */
};

struct section {
	struct bytes name; /* as the directive .section contains the name, with its quotes */
	struct bytes group; /* size 0: not in a group */
	struct bytes key; /* tells sections with equal names apart; may be empty */
	uint32_t next; /* only for sections.c */
	size_t first; /* index of the first function in the section */
};

struct function {
	struct bytes name;
	size_t entry; /* index of the line with the label */
	size_t insert; /* index of the line before which the entry sequence belongs */
	size_t end; /* index of the line with the directive .size */
	uint64_t instructions;
	uint32_t section;
	enum bareprof_mip_reason reason;
	bool thumb; /* Arm: in Thumb state */
	bool intel; /* x86_64: the lines at @insert have Intel syntax */
	bool unmapped; /* without a map record, because the linker discards the code */
	bool keeps_ip; /* Arm: ip may have a value at @insert */
};

struct assembly {
	const char *path;
	const struct rewrite_options *options;
	enum rewrite_target target;
	struct line *lines;
	size_t line_count;
	struct section *sections;
	size_t section_count;
	struct function *functions;
	size_t function_count;
	/* Arm only: which instructions the processor has */
	bool m_profile;
	bool odd_return; /* lr always has an odd number at the entry of a function */
	bool wide; /* movw, movt and the 32-bit instructions of Thumb */
	bool by_gcc; /* gcc wrote the text, so inline assembly has no markers */
};

/* target.c: finds the processor. Errors: INVALID_INPUT if the processor is unknown, or the text is not for ELF. */
enum status target_find(struct assembly *assembly, struct bytes text, struct error *error);
/* Reads which instructions an Arm processor has. Call it after regions_mark(). */
enum status target_read_arm(struct assembly *assembly, struct error *error);

/* lines.c: splits the text into lines; assembly_free() frees the memory of all parts. */
enum status lines_read(struct assembly *assembly, struct bytes text, struct error *error);
void assembly_free(struct assembly *assembly);
bool line_is(const struct line *line, const char *word);

/* Words in a line: names, numbers and registers. Returns false at the end of @text. */
bool next_word(struct bytes *text, struct bytes *word);
bool bytes_are(struct bytes bytes, const char *text);
bool bytes_begin(struct bytes bytes, const char *prefix);
struct bytes trimmed(struct bytes text);

/* regions.c: marks the lines of inline assembly. */
enum status regions_mark(struct assembly *assembly, struct error *error);

/* sections.c: finds the section of each line. */
void sections_find(struct assembly *assembly);

/* functions.c: finds functions with their ends. */
enum status functions_find(struct assembly *assembly, struct error *error);

/* entry.c: finds out where the entry sequence of each function belongs, or why the function is left out. */
enum status entries_find(struct assembly *assembly, struct error *error);

/* reject - returns an error about line number @index (from 0). */
enum status reject(const struct assembly *assembly, size_t index, struct error *error, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* add_line - appends one line with REWRITE_MARK to @result. */
void add_line(struct buffer *result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * map.c: appends the raw bytes and the map record of function number @index to @result. Local labels connect the parts:
 * .Lbareprof_raw_N, .Lbareprof_begin_N and .Lbareprof_end_N.
 */
void map_add(const struct assembly *assembly, size_t index, struct buffer *result);

/* Appends the byte that tells the target how often it takes samples. Files with the same symbol share the byte. */
void map_add_period(const struct assembly *assembly, struct buffer *result);

/* The entry sequences, one file for each processor. @number is N in the names of local labels. */
struct sequence {
	const struct rewrite_options *options;
	const struct function *function;
	size_t number;
	bool odd_return; /* as in struct assembly */
};
/* Returns the name of the function that the sequence of mode calls calls. */
const char *sequence_stub(const struct sequence *sequence);
void sequence_x86_64(const struct sequence *sequence, struct buffer *result);
void sequence_aarch64(const struct sequence *sequence, struct buffer *result);
void sequence_arm(const struct sequence *sequence, struct buffer *result);
void sequence_armv6m(const struct sequence *sequence, struct buffer *result);

/* odd_byte - returns whether the coverage byte needs an odd address, because the code stores the address in it. */
bool odd_byte(const struct assembly *assembly, const struct function *function);

#endif
