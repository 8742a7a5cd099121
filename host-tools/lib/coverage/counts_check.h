/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counts_check.h - finds the functions of a profile whose counts are impossible, with the coverage mapping of the program.
 */
#ifndef BAREPROF_HOST_COUNTS_CHECK_H
#define BAREPROF_HOST_COUNTS_CHECK_H

#include "first_names.h"
#include "mapping.h"
#include "model.h"
#include "region_judge.h"

/* What was found. Starts as all zeros and ends with counts_check_free(). */
struct counts_check {
	struct first_names impossible; /* the functions with impossible counts */
	struct first_names dead; /* the functions with a switch that can never run, see dead_switch.h */
	bool negative;
	bool huge;
	bool above;
};

/*
 * counts_check_add - adds the function @name with the verdict @worst, if something is wrong with its counts.
 * counts_check_program - adds the functions of @mapping whose counts in @model are impossible.
 */
void counts_check_add(struct counts_check *check, struct bytes name, enum counts_verdict worst);
void counts_check_program(struct counts_check *check, const struct mapping *mapping, struct model *model);

/*
 * counts_check_text - appends a sentence about the functions with impossible counts to @text. It starts with "has". There
 *	must be such functions.
 * counts_check_dead_text - does so for functions with a switch that can never run.
 */
void counts_check_text(struct counts_check *check, struct buffer *text);
void counts_check_dead_text(struct counts_check *check, struct buffer *text);
void counts_check_free(struct counts_check *check);

#endif
