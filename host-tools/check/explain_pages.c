/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain_pages.c - the pages of all findings, in the order of their table.
 */
#include "explain_pages.h"

/* clang-format off */
static const char *const pages[FINDINGS] = {
	[FINDING_ATOMIC_HELPER_INSTRUMENTED] =
		"Cause:   Where no instruction adds atomically, as on a Cortex-M, clang calls a\n"
		"         function such as __atomic_fetch_add_8 for each count (-fprofile-\n"
		"         update=atomic). That function, or one that it calls, was compiled with\n"
		"         instrumentation.\n"
		"Effect:  The first count calls this function, which calls itself in order to\n"
		"         count, and so never returns. The stack overflows.\n"
		"Remedy:  Compile its file without instrumentation, or use the function of\n"
		"         bareprof.c (-DBAREPROF_ATOMIC).\n",
	[FINDING_BIAS_IGNORED] =
		"Cause:   The linker script has BAREPROF_BIAS, but some code was compiled\n"
		"         without -mllvm -runtime-counter-relocation. This code stores counts at\n"
		"         constant addresses. check reads the machine code of AArch64, Arm and\n"
		"         x86_64, but does not recognize every such store, and none in 32-bit Arm\n"
		"         code that was compiled with -fpie or -fpic.\n"
		"Effect:  If the code runs in flash, its counts are lost without a message, or\n"
		"         the firmware hangs. Code that runs only in RAM counts correctly.\n"
		"Remedy:  Compile the code with -mllvm -runtime-counter-relocation. With\n"
		"         bareprof.mk, put the option into BAREPROF_EXTRA.\n",
	[FINDING_BINARY_DIFFERS] =
		"Cause:   The file comes from another build, was changed after objcopy, or is\n"
		"         packed.\n"
		"Effect:  The counts of one build would be read with the records of another.\n"
		"Remedy:  Make the file again from this ELF file, and give both to check.\n",
	[FINDING_BINARY_INCOMPLETE] =
		"Cause:   objcopy got a list of sections (-j), or sections to remove (-R), that\n"
		"         was made before the image had a profile.\n"
		"Effect:  The target finds other bytes where the records, names or counters\n"
		"         should be.\n"
		"Remedy:  Add the -j options that check prints, or leave out -j: objcopy then\n"
		"         takes all sections that are loaded.\n",
	[FINDING_BOUND_WRONG] =
		"Cause:   The linker script sets a symbol before it aligns the section, or\n"
		"         something is between the symbol and the section.\n"
		"Effect:  The runtime reads too few bytes, too many, or the wrong ones.\n"
		"Remedy:  Use the line that check prints. It aligns first, and has both symbols\n"
		"         inside the section.\n",
	[FINDING_BOUNDS_LINUX_NAMES] =
		"Cause:   The script names the bounds as Linux does: SECTION_start and\n"
		"         SECTION_end.\n"
		"Effect:  The Linux port works with these names. bareprof.c does not link with them.\n"
		"Remedy:  None is needed for the Linux port. Otherwise link with the --defsym\n"
		"         options that check prints.\n",
	[FINDING_BOUNDS_NOT_LOADED] =
		"Cause:   A section is in the ELF file only, as in a lean image, but its bounds\n"
		"         enclose memory.\n"
		"Effect:  The runtime reads bytes that are not records.\n"
		"Remedy:  Give the section equal bounds, as bareprof-lean.ld does.\n",
	[FINDING_BOUNDS_UNDEFINED] =
		"Cause:   No script of the link defines the symbols at the start and end of a\n"
		"         section.\n"
		"Effect:  The runtime does not link, or finds no profile.\n"
		"Remedy:  Put -T bareprof.ld before your script, or add the lines that check\n"
		"         prints to your script.\n",
	[FINDING_BUFFER_TOO_SMALL] =
		"Cause:   The memory that bareprof_snapshot(), bareprof_snapshot_masked(),\n"
		"         bareprof_drain() or the hypercalls get was chosen for an image with fewer\n"
		"         counters. check reads constants from the code at the call, the size of\n"
		"         the variable, and an initialized struct bareprof_hypercalls. It does not\n"
		"         know sizes that are computed when the program runs.\n"
		"Effect:  The call returns BAREPROF_E_NO_SPACE and copies nothing. If the size in\n"
		"         the call is larger than the memory, the call writes over other memory.\n"
		"         The hypercall SNAPSHOT returns NOT_SUPPORTED to the guest.\n"
		"Remedy:  Provide as many bytes as the finding says, and some more, because new\n"
		"         code has new counters. BAREPROF_SNAPSHOT_SIZE(&image) is the number of\n"
		"         bytes when the program runs. If the call copies another image, nothing\n"
		"         is wrong.\n",
	[FINDING_BUILD_ID_UNBOUNDED] =
		"Cause:   The script places the note .note.gnu.build-id with bounds that include\n"
		"         its header, or other notes.\n"
		"Effect:  Dumps have no build id, so nothing shows whether a profile belongs to\n"
		"         an image.\n"
		"Remedy:  Use the line that check prints.\n",
	[FINDING_CORRELATED] =
		"Cause:   The objects were compiled with -mllvm -profile-correlate=debug-info, so\n"
		"         their records are in the debug information.\n"
		"Effect:  bareprof cannot make a profile of the counters.\n"
		"Remedy:  Leave the option out. A lean image loads as few bytes without it.\n",
	[FINDING_COUNTERS_LOST] =
		"Cause:   The linker put the counters of some objects elsewhere, or dropped them.\n"
		"         Often a wildcard of the script comes before the line for\n"
		"         __llvm_prf_cnts.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Use the lines that check prints, and put them before wildcards.\n",
	[FINDING_COUNTERS_NOT_FILLED] =
		"Cause:   The counters are NOLOAD, or were merged into .bss, so the file has no\n"
		"         bytes for them. The image has neither bareprof_start() nor\n"
		"         bareprof_small_start(), and the counters are outside of .bss; check\n"
		"         knows the usual names of the symbols at its start and end.\n"
		"Effect:  Counts start from what the memory held. A report then shows impossible\n"
		"         numbers. Nothing is wrong if the loader clears the memory, as loaders\n"
		"         of ELF files do.\n"
		"Remedy:  Call bareprof_small_start() as soon as RAM works, and before instrumented\n"
		"         code runs. It also sets byte counters to 0xff. The rest of the code can\n"
		"         stay as it is. If you want to find out later whether the counters are\n"
		"         valid, compile bareprof.c with -DBAREPROF_NOLOAD, and call\n"
		"         bareprof_start(&image) in place of bareprof_image_self(&image). In a\n"
		"         tree with Kconfig, select CONFIG_BAREPROF_SMALL or\n"
		"         CONFIG_BAREPROF_NOLOAD.\n"
		"         Or place the counters between the bounds that start-up code clears.\n",
	[FINDING_COUNTERS_NOT_LOADED] =
		"Cause:   The script places counters as a section that is not loaded (INFO, or\n"
		"         address 0 without the flag for memory).\n"
		"Effect:  Instrumented code counts at addresses that belong to something else.\n"
		"Remedy:  Use the lines that check prints. Only records, names and the coverage\n"
		"         mapping may stay in the file.\n",
	[FINDING_COUNTERS_READ_ONLY] =
		"Cause:   The script puts counters into a segment with constants.\n"
		"Effect:  If memory is protected, the first count faults.\n"
		"Remedy:  Place the counters after .data.\n",
	[FINDING_COUNTERS_SHARED] =
		"Cause:   ld -r --force-group-allocation turned COMDAT groups into plain\n"
		"         sections, so the final link kept two copies.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Leave the option out, or link in one step.\n",
	[FINDING_COUNTERS_UNMAPPED] =
		"Cause:   The counters are outside of the memory that --mapped gives. Code that\n"
		"         runs before the final page tables counts as well.\n"
		"Effect:  The first count in such code faults. In flash it is a command to the\n"
		"         flash, so the code hangs without a message.\n"
		"Remedy:  Move the sections into that memory, or compile the early code without\n"
		"         instrumentation. For code that starts in flash, see BAREPROF_BIAS in\n"
		"         PORTING-FIRMWARE.md.\n",
	[FINDING_FORBIDDEN] =
		"Cause:   A function in .noinstr.text, .head.text or a section of --forbid has\n"
		"         counters.\n"
		"Effect:  The function counts in a state that forbids it, and may fault or hang.\n"
		"Remedy:  Mark it with the attribute that check prints, or compile its file\n"
		"         without instrumentation.\n",
	[FINDING_FORBIDDEN_UNKNOWN] =
		"Cause:   Some instrumented functions have no symbol, mostly because they were\n"
		"         inlined everywhere.\n"
		"Effect:  check cannot tell whether their code is in a forbidden section.\n"
		"Remedy:  Mark inline functions that code in forbidden sections calls with\n"
		"         no_profile_instrument_function.\n",
	[FINDING_MAPPING_LOADED] =
		"Cause:   The coverage mapping is in a loaded segment. clang 12 and earlier mark\n"
		"         it as loaded, and scripts with a wildcard for constants take it as\n"
		"         well.\n"
		"Effect:  The mapping takes memory, often more than the rest of the profile.\n"
		"Remedy:  Use the lines that check prints. llvm-cov reads the mapping in the ELF\n"
		"         file.\n",
	[FINDING_MAPPING_WITHOUT_FUNCTIONS] =
		"Cause:   The image has __llvm_covmap but no __llvm_covfun. Either a /DISCARD/\n"
		"         dropped it, or --gc-sections did, because clang puts each function into\n"
		"         a group of its own, and the script has no KEEP for these groups.\n"
		"Effect:  Dumps and merges work, but each report is empty.\n"
		"Remedy:  Use the lines that check prints, before the /DISCARD/. Link again;\n"
		"         nothing has to be compiled or run again if no code moves.\n",
	[FINDING_MIP_MAP_DAMAGED] =
		"Cause:   The records of the map contradict each other or the raw sections: objects\n"
		"         were linked without mip.ld, so that the map became several sections, or\n"
		"         the linker script moved a raw section or dropped a part of one.\n"
		"Effect:  'bareprof mip create' refuses the image, so no machine profile can be\n"
		"         read.\n"
		"Remedy:  Link with -T mip.ld, or use the macros of mip.lds.h in your script.\n",
	[FINDING_MIP_MAP_LOADED] =
		"Cause:   The linker script gives the section __llvm_mipmap an address.\n"
		"Effect:  The map takes memory on the target, but only the host reads the map.\n"
		"Remedy:  Link with -T mip.ld. It keeps the map in the ELF file only.\n",
	[FINDING_MIP_NO_FUNCTIONS] =
		"Cause:   The image was linked for machine profiles, but no object was compiled\n"
		"         with 'bareprof mip cc' or 'bareprof mip as', or these left out all\n"
		"         functions. A build system may call the assembler of the compiler\n"
		"         instead: some releases of clang ignore -fno-integrated-as.\n"
		"Effect:  The machine profile is empty.\n"
		"Remedy:  Compile with 'bareprof mip cc COMPILER'. 'bareprof mip show --left-out'\n"
		"         lists the functions that are left out, and the reasons.\n",
	[FINDING_MIP_NO_MAP] =
		"Cause:   The linker script or strip dropped the section __llvm_mipmap.\n"
		"Effect:  Nothing tells to which functions the raw bytes belong.\n"
		"Remedy:  Link with -T mip.ld, and give bareprof the ELF file as it was before\n"
		"         strip.\n",
	[FINDING_MIP_NO_RING] =
		"Cause:   Code was compiled with 'bareprof mip cc --mode calls,sample=N', but no file\n"
		"         defines the memory for samples.\n"
		"Effect:  Samples are dropped, and the machine profile has no call graph. The counts\n"
		"         are right.\n"
		"Remedy:  Write BAREPROF_MIP_RING(1024); into one C file, outside of all functions.\n"
		"         The number of slots is a power of two, and a slot has 8 bytes. Compile\n"
		"         bareprof.c with -DBAREPROF_MIP_SAMPLES_MODE.\n",
	[FINDING_MIP_NOT_SERVED] =
		"Cause:   The runtime was compiled for machine profiles without blocks and samples,\n"
		"         which takes less memory, but code of the image records blocks or samples.\n"
		"Effect:  Dumps lack the block bytes and samples, and a reset keeps their values.\n"
		"Remedy:  Compile bareprof.c, or the runtime, with -DBAREPROF_MIP_BLOCKS_MODE for\n"
		"         blocks, or with -DBAREPROF_MIP_SAMPLES_MODE for samples.\n",
	[FINDING_MISALIGNED] =
		"Cause:   A section does not start at a multiple of 8, often because of SUBALIGN\n"
		"         or an address without ALIGN(8).\n"
		"Effect:  The runtime and LLVM's tools refuse the profile.\n"
		"Remedy:  Use the line that check prints.\n",
	[FINDING_NAKED_INSTRUMENTED] =
		"Cause:   clang 13 to 22 put a counter into a function with the attribute naked,\n"
		"         such as an exception handler. The counter comes before the assembler code\n"
		"         of the function, which saves no register for the counter.\n"
		"Effect:  The counter destroys arguments and other registers. With atomic counters\n"
		"         on a Cortex-M or AArch64, the counter is a call, which also destroys the\n"
		"         return address, and may write over the exception frame.\n"
		"Remedy:  Add no_profile_instrument_function to the attributes, or name the\n"
		"         function in the file of -fprofile-list. check follows the entry of each\n"
		"         function on Arm, AArch64 and x86_64. It names functions that read\n"
		"         registers which the counter destroyed, write to the stack of the caller,\n"
		"         or make a call. Mark the other naked functions as well, because another\n"
		"         clang uses other registers. On x86_64 with optimization, a counter is one\n"
		"         instruction that destroys only the flags. check does not report such\n"
		"         counters.\n",
	[FINDING_NAMES_DAMAGED] =
		"Cause:   Something is between the names of two objects, often fill bytes for an\n"
		"         alignment.\n"
		"Effect:  No tool can tell the names of functions.\n"
		"Remedy:  Use the line that check prints, without fill bytes.\n",
	[FINDING_NAMES_MISSING] =
		"Cause:   The linker dropped the names of some objects, but not their records.\n"
		"Effect:  LLVM's tools refuse the profile.\n"
		"Remedy:  Use the line with KEEP that check prints.\n",
	[FINDING_NAMES_NOT_FILLED] =
		"Cause:   The section of names is NOLOAD.\n"
		"Effect:  The profile has no names.\n"
		"Remedy:  Names are constants: place them where the file has content.\n",
	[FINDING_NAMES_UNUSED] =
		"Cause:   clang made code and a record for the function, and the linker dropped\n"
		"         the record, since the script has no KEEP and the link has --gc-\n"
		"         sections. If the image has no coverage mapping, the name may also\n"
		"         belong to an inline function that no code uses.\n"
		"Effect:  Reports leave the function out, so coverage looks higher than it is.\n"
		"Remedy:  Use the lines with KEEP that check prints. Names of unused inline\n"
		"         functions of headers are no finding: the line \"unused\" of check has\n"
		"         their number, and -mllvm -limited-coverage-experimental=true leaves\n"
		"         these functions out.\n",
	[FINDING_NO_BUILD_ID] =
		"Cause:   The link had no --build-id.\n"
		"Effect:  Nothing shows whether a dump belongs to an image. For a lean image that\n"
		"         is an error, because the host has to find its records.\n"
		"Remedy:  Link with --build-id=sha1. If the linker has no such option, compile\n"
		"         bareprof.c with -DBAREPROF_STAMP and run bareprof stamp after the link.\n"
		"         Without the drop-in, link runtime/stamp.c instead of the option.\n",
	[FINDING_NO_COUNTERS] =
		"Cause:   The counters were dropped, or merged into another section without\n"
		"         symbols around them.\n"
		"Effect:  The runtime finds nothing to read.\n"
		"Remedy:  Use the line that check prints.\n",
	[FINDING_NO_MAPPING] =
		"Cause:   The objects were compiled without -fcoverage-mapping, or the linker\n"
		"         dropped the mapping or merged it.\n"
		"Effect:  The profile is good for PGO, but there is no report.\n"
		"Remedy:  Use the option and the lines that check prints. For PGO nothing is\n"
		"         needed.\n",
	[FINDING_NO_NAMES] =
		"Cause:   The linker dropped __llvm_prf_names, as nothing refers to it.\n"
		"Effect:  No tool can read the profile.\n"
		"Remedy:  Use the lines with KEEP that check prints.\n",
	[FINDING_NO_RECORDS] =
		"Cause:   The linker dropped __llvm_prf_data, or strip removed it from a lean\n"
		"         image.\n"
		"Effect:  It is unknown which counters belong to which function.\n"
		"Remedy:  Use the line that check prints. Give check the image before strip.\n",
	[FINDING_NO_TIMESTAMPS] =
		"Cause:   -pgo-temporal-instrumentation was used together with -pgo-function-\n"
		"         entry-coverage.\n"
		"Effect:  The runtime refuses the image, and LLVM's readers crash.\n"
		"Remedy:  Use only one of the two options.\n",
	[FINDING_NOT_INSTRUMENTED] =
		"Cause:   No object was compiled with instrumentation, the options were in\n"
		"         variables that the build ignores, or check was given the wrong file.\n"
		"Effect:  There is no profile.\n"
		"Remedy:  Compile with the options that check prints. nm OBJECT | grep __prof\n"
		"         shows whether an object has counters.\n",
	[FINDING_NOT_STAMPED] =
		"Cause:   bareprof.c with -DBAREPROF_STAMP (or stamp.c) reserved space for a build\n"
		"         id, and bareprof stamp did not run after the link.\n"
		"Effect:  Dumps have no build id. For a lean image that is an error.\n"
		"Remedy:  Run the command that check prints, before objcopy.\n",
	[FINDING_RECORDS_LOST] =
		"Cause:   The linker dropped or moved records of some objects. Their counters are\n"
		"         still there.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Use the lines with KEEP that check prints.\n",
	[FINDING_RECORDS_NOT_FILLED] =
		"Cause:   The section of records is NOLOAD.\n"
		"Effect:  The profile has no functions.\n"
		"Remedy:  Records are constants: place them where the file has content.\n",
	[FINDING_RECORDS_UNKNOWN] =
		"Cause:   There is something between the records, such as fill bytes, or a\n"
		"         compiler made them that bareprof does not know.\n"
		"Effect:  It is unknown which counters belong to which function.\n"
		"Remedy:  Use the line that check prints, and clang 13 to 22.\n",
	[FINDING_RECORDS_UNRELOCATED] =
		"Cause:   GNU ld linked an object of ld.lld -r whose script had merged the\n"
		"         sections of COMDAT groups, and dropped their relocations without a\n"
		"         message.\n"
		"Effect:  Records do not point to counters.\n"
		"Remedy:  Remove the lines that check prints from the script of ld -r.\n",
	[FINDING_RUNTIME_INSTRUMENTED] =
		"Cause:   bareprof.c was compiled with instrumentation, mostly because the\n"
		"         options are in variables for all files. Functions whose names begin\n"
		"         with bareprof_ count as its functions.\n"
		"Effect:  A dump changes the counters while it reads them, and reports have the\n"
		"         files of the runtime.\n"
		"Remedy:  Compile the files that check prints without instrumentation.\n"
		"         bareprof.mk does so for bareprof.o.\n",
	[FINDING_SECTION_AT_ZERO] =
		"Cause:   The linker script names a stack, a heap or other memory after the\n"
		"         coverage mapping. bareprof.ld puts the mapping after .bss. If the section\n"
		"         contains only assignments, such as . += 0x4000, lld gives the section the\n"
		"         flags of the mapping, which is not loaded. With GNU ld, the dot is 0\n"
		"         after the mapping, so . = ALIGN(16) starts at 0 again.\n"
		"Effect:  The section is at address 0, and so are the symbols in it. Symbols after\n"
		"         the section do not leave room for the section. If the script has PHDRS,\n"
		"         a segment may have nearly 2^64 bytes, and the mapping seems to be loaded.\n"
		"Remedy:  Put the mapping after the section: make the line that check prints the\n"
		"         last line of your copy of the fragment. In a script with the macros, move\n"
		"         BAREPROF_COVERAGE to the end. Or reserve the memory in .bss. An address\n"
		"         for the section does not help. If the section belongs at address 0, such\n"
		"         as in memory near the CPU, a warning needs no change.\n",
	[FINDING_SECTION_SPLIT] =
		"Cause:   The linker kept parts of a section apart: GNU ld -r does so with\n"
		"         members of COMDAT groups.\n"
		"Effect:  The runtime sees only one of the parts.\n"
		"Remedy:  Use the option or the line that check prints.\n",
	[FINDING_SINK_INSTRUMENTED] =
		"Cause:   An instrumented function passes bytes of a dump to the console: the\n"
		"         sink itself, or a function that it calls. check follows direct calls\n"
		"         from each address that is passed to bareprof_send() and similar\n"
		"         functions.\n"
		"Effect:  The counters change while they are sent. A .profraw may then have\n"
		"         counts that do not fit each other.\n"
		"Remedy:  Compile the files that check prints without instrumentation, or mark\n"
		"         the functions with no_profile_instrument_function.\n",
	[FINDING_STRIPPED] =
		"Cause:   The file has no symbols: strip, objcopy or the linker option -s removed\n"
		"         them.\n"
		"Effect:  check cannot see bounds, addresses or callers, and other findings may\n"
		"         be wrong. In a lean image strip also removes the records.\n"
		"Remedy:  Give check the file as the linker made it.\n",
	[FINDING_TWO_COMPILERS] =
		"Cause:   Objects of two releases of clang with different record layouts were\n"
		"         linked, often from a stale build folder or a library.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Compile the files that check prints again.\n",
	[FINDING_TWO_KINDS] =
		"Cause:   Objects were compiled with different kinds of instrumentation, such as\n"
		"         coverage and IR PGO.\n"
		"Effect:  The version word describes only one kind, so the counts of the other\n"
		"         kind are read wrongly.\n"
		"Remedy:  Compile the files that check prints again, with the options of the\n"
		"         other files.\n",
	[FINDING_TWO_RELEASES] =
		"Cause:   The section .comment names two releases of clang whose record layouts\n"
		"         agree, such as 19 and 22. If the structural hashes of large functions\n"
		"         show that instrumented objects come from both, check warns.\n"
		"         Otherwise the finding is a note, as objects without counters, such as\n"
		"         bareprof.o, may come from any compiler.\n"
		"Effect:  Dumps are right. Reports need llvm-cov of the later release. For PGO,\n"
		"         each release finds only functions with its own hashes.\n"
		"Remedy:  Compile all instrumented objects with one release.\n",
	[FINDING_VALUE_RECORDS_READ_ONLY] =
		"Cause:   clang before 18 makes no memory for lists of values on bare metal, so\n"
		"         the runtime writes their addresses into the records, which are read-\n"
		"         only here.\n"
		"Effect:  bareprof_values_start() returns READ_ONLY, or faults.\n"
		"Remedy:  Place the records in RAM, as bareprof-rom-values.ld does.\n",
	[FINDING_VALUE_SITES] =
		"Cause:   The code records values (-fprofile-generate), but the image has no\n"
		"         function for that.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Compile with -mllvm -disable-vp=true, or compile bareprof.c with\n"
		"         -DBAREPROF_VALUES and call bareprof_values_start().\n",
	[FINDING_VALUE_SITES_LEAN] =
		"Cause:   The code records values, which needs records in memory, and the image\n"
		"         is lean.\n"
		"Effect:  Values cannot be recorded.\n"
		"Remedy:  Compile with -mllvm -disable-vp=true, or link an image that is not\n"
		"         lean.\n",
	[FINDING_VALUES_READ_ONLY] =
		"Cause:   The script places the memory for values with constants.\n"
		"Effect:  bareprof_values_start() faults.\n"
		"Remedy:  Use the lines that check prints.\n",
	[FINDING_VERSION_DIFFERS] =
		"Cause:   The version word and the records come from different releases, for\n"
		"         example because an object of another release defines the version word.\n"
		"Effect:  The runtime refuses the image.\n"
		"Remedy:  Compile everything with one release.\n",
	[FINDING_WEAK_DUPLICATE] =
		"Cause:   Two objects define the same weak function. The linker keeps one\n"
		"         definition, but the records of both.\n"
		"Effect:  The record of the discarded definition points to the counters of the\n"
		"         definition that was kept. bareprof_image_init() and bareprof_image_self()\n"
		"         return OVERLAP.\n"
		"Remedy:  When one of them returns OVERLAP, call bareprof_fix_weak_duplicates()\n"
		"         (bareprof_separate() in version 0.1), then bareprof_image_init() again.\n"
		"         bareprof_fix_weak_duplicates() needs records in RAM. If the function\n"
		"         has only one definition in the source, ld -r turned COMDAT groups into\n"
		"         plain sections: leave out --force-group-allocation.\n",
};
/* clang-format on */

const char *explain_page(enum finding_id id)
{
	return pages[id];
}
