/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * images.S - whole images, each with the .profraw that the runtime must write for it.
 *
 * The installed compilers write versions 7, 8 and 10 only. Therefore the images of every version are written by hand
 * here. The macros in images.inc make the images and files; they describe the formats independently of the runtime.
 */
#include "images.inc"

	.section .note.GNU-stack, "", @progbits
	.data
	.globl vectors, vectors_end, mixtures, mixtures_end, doubtful

/*
 * Makes an image of three records, and the file that the runtime must write for it.
 * These arguments describe the image:
 * - \v is the raw version of the records.
 * - \kind is the kind of counters (see COUNTERS).
 * - \bits is 1 if there are bitmaps.
 * - \id is the size of the build id in bytes, and \names is the size of the names in bytes.
 * - \vt is 1 if there are vtables, and \vn is the size of their names in bytes.
 * These arguments describe the file:
 * - \w is its version, and \high has its variant bits.
 * - \fid is the size of the build id in bytes, and \idpad is the size of the padding after it in bytes.
 */
.macro IMAGE img, label, v, kind, bits, id, names, vt, vn, declared, high, w, fid, idpad, header
	.balign	16
	/* The sections as a linker would make them from objects. */
\img\()_id:
	.if \id
	ID	\id
	.endif
\img\()_id_end:
	.balign	8
\img\()_cnts:
	COUNTERS \img, \kind
\img\()_cnts_end:
\img\()_bits:
	.if \bits
	BITMAPS	\img
	.endif
\img\()_bits_end:
\img\()_names:
	NAMES	\names
\img\()_names_end:
	.balign	8
\img\()_vtab:
	.if \vt
	VTABLE	1
	VTABLE	2
	.endif
\img\()_vtab_end:
\img\()_vns:
	.fill	\vn, 1, 0x76
\img\()_vns_end:
	.balign	8
\img\()_data:
	RECORDS	\img, \img, \v, \kind, \bits, SHORT_LAST
\img\()_data_end:
	.balign	8
	.quad	-1				/* this word is not part of the image */

	/* The .profraw that the runtime must write. */
	.balign	8
\img\()_file:
	/* The counters are 6 words, or 13 bytes, or 45 bytes if byte counters have gaps. Then comes padding. */
	.if \fid
	FILE_HEADER \header, \img, \high, \fid+\idpad+8, \kind, \bits, \names, \vt, \vn
	.quad	\fid
	ID	\fid
	.zero	\idpad
	.else
	FILE_HEADER \header, \img, \high, 0, \kind, \bits, \names, \vt, \vn
	.endif
	RECORDS	\img\()_x, \img, \v, \kind, \bits, 0
	COUNTERS \img\()_x, \kind
	.if \kind != 8
	.zero	3				/* pads 13 bytes to 16, or 45 to 48 */
	.endif
	.if \bits
	BITMAPS	\img\()_x
	.zero	5				/* pads 3 bytes to 8 */
	.endif
	NAMES	\names
	.if \names == 13
	.zero	3
	.endif
	.if \vt
	VTABLE	1
	VTABLE	2
	.endif
	.if \vn
	.fill	\vn, 1, 0x76
	.zero	-\vn & 7
	.endif
\img\()_file_end:
	VECTOR	\img, "\label", \img\()_file, \img\()_file_end, \declared, \high, \w, 3, 0
.endm

.macro FILE_HEADER header, img, high, ids, kind, bits, names, vt, vn
	.if \kind == 8
	\header	\img, \high, \ids, 3, 6, 0, 3*\bits, 5*\bits, \names, 2*\vt, \vn
	.elseif \kind == 1
	\header	\img, \high, \ids, 3, 13, 3, 3*\bits, 5*\bits, \names, 2*\vt, \vn
	.else
	\header	\img, \high, \ids, 3, 45, 3, 3*\bits, 5*\bits, \names, 2*\vt, \vn
	.endif
.endm

.macro RECORDS p, img, v, kind, bits, short
	.if \kind == 8
	RECORD	\p, \img, \v, 0, 3, 1*\bits
	RECORD	\p, \img, \v, 1, 2, 0
	RECORD	\p, \img, \v, 2, 1, 2*\bits, \short
	.elseif \kind == 1
	RECORD	\p, \img, \v, 0, 6, 1*\bits
	RECORD	\p, \img, \v, 1, 5, 0
	RECORD	\p, \img, \v, 2, 2, 2*\bits, \short
	.else
	RECORD	\p, \img, \v, 0, 14, 1*\bits
	RECORD	\p, \img, \v, 1, 13, 0
	RECORD	\p, \img, \v, 2, 10, 2*\bits, \short
	.endif
.endm

/* Makes a struct vector of images.h. */
.macro VECTOR img, label, file, file_end, declared, high, written, records, mixed, table=vectors
	.pushsection .data.\table, "aw"
	ADDRESS	9f
	ADDRESS	\img\()_id, \img\()_id_end
	ADDRESS	\img\()_data, \img\()_data_end
	ADDRESS	\img\()_cnts, \img\()_cnts_end
	ADDRESS	\img\()_bits, \img\()_bits_end
	ADDRESS	\img\()_names, \img\()_names_end
	ADDRESS	\img\()_vtab, \img\()_vtab_end
	ADDRESS	\img\()_vns, \img\()_vns_end
	ADDRESS	\file, \file_end
	.long	\declared, \high, \written, \records, \mixed
	.balign	8
	.popsection
	.pushsection .rodata
9:	.asciz	"\label"
	.popsection
.endm

	.pushsection .data.vectors, "aw"
	.balign	8
vectors:
	.popsection

/* The columns are: img label, v, kind, bits, id, names, vt, vn, declared, high, w, fid, idpad, header */
	IMAGE i5, "v5 (assembled), build id not written", 5, 8, 0, 20, 13, 0, 0, 5, 0x01000000, 5, 0, 0, HEADER_5
	IMAGE i5b, "v5 (assembled), no build id", 5, 8, 0, 0, 16, 0, 0, 5, 0, 5, 0, 0, HEADER_5
	IMAGE i6, "v6 (assembled), written as 7", 6, 8, 0, 20, 13, 0, 0, 6, 0, 7, 20, 0, HEADER_7
	IMAGE i7, "v7, build id unpadded", 7, 8, 0, 20, 13, 0, 0, 7, 0x01000000, 7, 20, 0, HEADER_7
	IMAGE i7b, "v7 from records, no build id", 7, 8, 0, 0, 13, 0, 0, 0, 0, 7, 0, 0, HEADER_7
	IMAGE i7c, "v7, byte counters", 7, 1, 0, 20, 16, 0, 0, 7, 0x10000000, 7, 20, 0, HEADER_7
	IMAGE i8, "v8 from records, build id padded", 8, 8, 0, 20, 13, 0, 0, 0, 0, 8, 20, 4, HEADER_8
	IMAGE i8b, "v8, byte counters", 8, 1, 0, 0, 16, 0, 0, 8, 0x10000000, 8, 0, 0, HEADER_8
	IMAGE i8c, "v8, byte counters with times", 8, 9, 0, 16, 13, 0, 0, 8, 0x91000000, 8, 16, 0, HEADER_8
	IMAGE i9, "v9 (assembled), bitmaps", 9, 8, 1, 20, 13, 0, 0, 9, 0, 9, 20, 4, HEADER_9
	IMAGE i9b, "v9 (assembled) from bitmaps alone", 9, 8, 1, 0, 16, 0, 0, 0, 0, 9, 0, 0, HEADER_9
	IMAGE i9c, "v9 (assembled), byte counters", 9, 1, 0, 0, 13, 0, 0, 9, 0x11000000, 9, 0, 0, HEADER_9
	IMAGE i10, "v10, bitmaps, vtables", 10, 8, 1, 20, 13, 1, 21, 10, 0, 10, 20, 4, HEADER_10
	IMAGE i10b, "v10 from records", 10, 8, 0, 32, 16, 0, 0, 0, 0, 10, 32, 0, HEADER_10
	IMAGE i10c, "v10, byte counters, bitmaps", 10, 1, 1, 1, 13, 1, 8, 10, 0x11000000, 10, 1, 7, HEADER_10
	IMAGE i10d, "v10, byte counters with times", 10, 9, 0, 0, 13, 0, 0, 10, 0x91000000, 10, 0, 0, HEADER_10
	IMAGE i11, "v11 (assembled), bitmaps, vtables", 11, 8, 1, 20, 13, 1, 13, 11, 0, 11, 20, 4, HEADER_11
	IMAGE i11b, "v11 (assembled) from records", 11, 8, 0, 0, 16, 0, 0, 0, 0, 11, 0, 0, HEADER_11
	IMAGE i11c, "v11 (assembled), byte counters", 11, 1, 1, 20, 16, 0, 0, 11, 0x10000000, 11, 20, 4, HEADER_11

	.pushsection .data.vectors, "aw"
vectors_end:
	.popsection

/*
 * Makes an image with records of two versions: first two records of version \a, then one record of version \b. The
 * image has counters and names. If \bits is 1, it also has bitmaps, by which version 9 differs from version 10. All
 * other sections are empty.
 */
.macro MIXTURE a, b, bits=0, mixed=2
	.balign	8
m\a\()_\b\()_cnts:
	COUNTERS m\a\()_\b, 8
m\a\()_\b\()_cnts_end:
m\a\()_\b\()_bits:
	.if \bits
	BITMAPS	m\a\()_\b
	.endif
m\a\()_\b\()_bits_end:
m\a\()_\b\()_names:
	NAMES	13
m\a\()_\b\()_names_end:
m\a\()_\b\()_id:
m\a\()_\b\()_id_end:
m\a\()_\b\()_vtab:
m\a\()_\b\()_vtab_end:
m\a\()_\b\()_vns:
m\a\()_\b\()_vns_end:
	.balign	8
m\a\()_\b\()_data:
	RECORD	m\a\()_\b, m\a\()_\b, \a, 0, 3, 1*\bits
	RECORD	m\a\()_\b, m\a\()_\b, \a, 1, 2, 0
	RECORD	m\a\()_\b, m\a\()_\b, \b, 2, 1, 2*\bits, SHORT_LAST
m\a\()_\b\()_data_end:
	.balign	8
	VECTOR	m\a\()_\b, "v\a, v\a, v\b", 0, 0, 0, 0, 0, 3, \mixed, mixtures
.endm

	.pushsection .data.mixtures, "aw"
	.balign	8
mixtures:
	.popsection
	MIXTURE	7, 8
	MIXTURE	7, 9
	MIXTURE	7, 10
	MIXTURE	7, 11
	MIXTURE	8, 7
	MIXTURE	8, 9
	MIXTURE	8, 10
	MIXTURE	8, 11
	MIXTURE	9, 7
	MIXTURE	9, 8
	MIXTURE	9, 11
	MIXTURE	10, 7
	MIXTURE	10, 8
	MIXTURE	10, 11
	MIXTURE	11, 7
	MIXTURE	11, 8
	MIXTURE	11, 9
	MIXTURE	11, 10
/* Versions 9 and 10 differ only in the offset of the number of bitmap bytes. So each record alone fits both layouts. */
	MIXTURE	9, 10, 1, 0
	MIXTURE	10, 9, 1, 0
	.pushsection .data.mixtures, "aw"
mixtures_end:
	.popsection

/*
 * These bytes can be read in two ways: as four records of version 8, or as three records of version 9 or 10. Both
 * ways use every counter exactly once. The third record of version 8 starts 96 bytes before the counters, and its
 * pointer to counter 3 is relative to the record, so the pointer is 96 + 24 = 120. In version 10, the same word is the
 * number of counters in the second record. All other words have a meaning in only one of the two versions, or fit both.
 * The comments below give the meaning of words in each version.
 */
#ifdef __x86_64__
	.pushsection .data.doubtful, "aw"
	.balign	8
doubtful:
	.popsection
	.balign	8
d_data:
d_id: d_id_end: d_vtab: d_vtab_end: d_vns: d_vns_end:
	.quad	0x11, 0x12, d_cnts - d_data
	.quad	0, 0				/* version 10: pointers to bitmap and function */
	.long	1, 0				/* version 8: 1 counter */
	.quad	1				/* version 8: name hash; version 10: 1 counter */
	.quad	0				/* version 8: structural hash; version 10: no bitmap */
	.quad	d_cnts + 8 - (d_data + 48), 0	/* version 8: pointer to counter 1 */
	.quad	d_cnts + 8 - (d_data + 64)	/* version 8: pointer to values; version 10: pointer to counter 1 */
	.long	2, 0
	.quad	0x31, 0x32
	.quad	d_cnts + 24 - (d_data + 96)	/* version 8: pointer to counter 3; version 10: 120 counters */
	.quad	0, 0
	.long	100, 0
	.quad	d_cnts + 968 - (d_data + 128)	/* version 8: name hash; version 10: pointer to the last counter */
	.quad	0x42
	.quad	d_cnts + 824 - (d_data + 144)	/* version 8: pointer to the last 19 counters */
	.quad	0, 1				/* version 8: pointer to values; version 10: 1 counter */
	.long	19, 0
d_data_end:
d_cnts:
	.fill	122, 8, 0
d_cnts_end:
d_bits: d_bits_end:
d_names:
	NAMES	13
d_names_end:
	VECTOR	d, "records of 8 and of 10", 0, 0, 0, 0, 0, 4, 0, doubtful
#endif
