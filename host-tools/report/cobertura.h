/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cobertura.h - writes coverage as Cobertura's XML, which GitLab, Jenkins and Azure read.
 */
#ifndef BAREPROF_HOST_COBERTURA_H
#define BAREPROF_HOST_COBERTURA_H

#include "lcov.h"

/*
 * cobertura_write - appends the report of @lcov to @xml. @folder is the absolute path of the sources. The names of
 * files in that folder become relative to the folder, because readers of the XML need relative names. Other names stay
 * as they are. @milliseconds is the time of the report, in milliseconds since 1970.
 */
void cobertura_write(struct buffer *xml, const struct lcov *lcov, const char *folder, uint64_t milliseconds);

#endif
