/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_variable.c - finds variables by their debug information. */
#include "debug_variable.h"

#include <dwarf.h>

bool debug_variable_address(Dwarf_Die *variable, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Attribute result;
	Dwarf_Op *op;
	size_t count;

	if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &op, &count) ||
		count != 1)
		return false;
	if (op->atom == DW_OP_addr) {
		*address = op->number;
		return true;
	}
	/* In DWARF 5, the location can contain an index into a table of addresses instead of an address. */
	return !dwarf_getlocation_attr(&attribute, op, &result) && !dwarf_formaddr(&result, address);
}
