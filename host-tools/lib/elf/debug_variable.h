/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_variable.h - finds variables by their debug information. */
#ifndef BAREPROF_HOST_DEBUG_VARIABLE_H
#define BAREPROF_HOST_DEBUG_VARIABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* debug_variable_address - sets *@address to the address of @variable. Returns false if it has no fixed address. */
bool debug_variable_address(Dwarf_Die *variable, uint64_t *address);

#endif
