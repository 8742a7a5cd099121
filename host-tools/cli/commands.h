/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * commands.h - the tables of all commands. cmd_COMMAND.c defines the table of a command.
 */
#ifndef BAREPROF_HOST_COMMANDS_H
#define BAREPROF_HOST_COMMANDS_H

#include "options.h"

extern const struct command command_check;
extern const struct command command_compare;
extern const struct command command_convert;
extern const struct command command_doctor;
extern const struct command command_info;
extern const struct command command_merge;
extern const struct command command_mip_as;
extern const struct command command_mip_cc;
extern const struct command command_mip_convert;
extern const struct command command_mip_create;
extern const struct command command_mip_graph;
extern const struct command command_mip_merge;
extern const struct command command_mip_order;
extern const struct command command_mip_report;
extern const struct command command_mip_show;
extern const struct command command_probes_check;
extern const struct command command_probes_show;
extern const struct command command_pull;
extern const struct command command_report;
extern const struct command command_reset;
extern const struct command command_run;
extern const struct command command_sample_merge;
extern const struct command command_sample_profile;
extern const struct command command_sample_show;
extern const struct command command_sample_start;
extern const struct command command_sample_stop;
extern const struct command command_show;
extern const struct command command_stamp;

#endif
