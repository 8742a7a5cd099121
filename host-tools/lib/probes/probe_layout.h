/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_layout.h - the constants of the sections of pseudo probes, as clang writes them. docs/SPEC.md, part 5.1,
 * defines both sections and tells how the releases of clang differ.
 */
#ifndef BAREPROF_HOST_PROBE_LAYOUT_H
#define BAREPROF_HOST_PROBE_LAYOUT_H

#define PROBE_SECTION      ".pseudo_probe"
#define PROBE_DESC_SECTION ".pseudo_probe_desc"

/* The byte of a probe: the type, the attributes, and whether the address is a distance to the previous address. */
#define PROBE_TYPE_MASK       0x0fu
#define PROBE_ATTRIBUTE_SHIFT 4u
#define PROBE_ATTRIBUTE_MASK  0x7u
#define PROBE_DISTANCE        0x80u

enum probe_type {
	PROBE_BLOCK,
	PROBE_INDIRECT_CALL,
	PROBE_DIRECT_CALL,
	PROBE_TYPES
};

/* The attributes. Clang up to 15 uses neither of these two. */
#define PROBE_ATTRIBUTE_SENTINEL      0x2u /* not a probe: its address field names the function that contains the code */
#define PROBE_ATTRIBUTE_DISCRIMINATOR 0x4u /* a ULEB128 with the discriminator follows the address */

/* The index of a sentinel. No other probe has this index. */
#define PROBE_SENTINEL_INDEX 0u

/* The smallest sizes in bytes of a function record, of a probe and of a descriptor. */
#define PROBE_RECORD_MIN     10u
#define PROBE_MIN            3u
#define PROBE_DESCRIPTOR_MIN 17u

#endif
