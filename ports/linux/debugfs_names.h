/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfs_names.h - the names of the Linux port's files in debugfs, and the keys in the info files.
 * The host program finds files and keys by these names, so kernel and host program include this
 * file. This file includes no other file.
 */
#ifndef BAREPROF_DEBUGFS_NAMES_H
#define BAREPROF_DEBUGFS_NAMES_H

/* The directory in debugfs. It has one subdirectory for each image. */
#define BAREPROF_DEBUGFS_ROOT "bareprof"

/* The files of an image. */
#define BAREPROF_DEBUGFS_PROFRAW "profraw"
#define BAREPROF_DEBUGFS_MIPRAW  "mipraw"
#define BAREPROF_DEBUGFS_CAPTURE "capture"
#define BAREPROF_DEBUGFS_RESET   "reset"
#define BAREPROF_DEBUGFS_INFO    "info"

/* The kernel's directory of samples, which also has files "capture", "reset" and "info". */
#define BAREPROF_DEBUGFS_SAMPLE        "sample"
#define BAREPROF_DEBUGFS_SAMPLE_ENABLE "enable"
#define BAREPROF_DEBUGFS_SAMPLE_RATE   "rate"
#define BAREPROF_DEBUGFS_SAMPLE_SOURCE "source"

/* The keys in the file info, whose lines have the form "key: value". The host program prints the same keys for Xen. */
#define BAREPROF_INFO_STATE          "state"
#define BAREPROF_INFO_ERROR          "error"
#define BAREPROF_INFO_KIND           "kind"
#define BAREPROF_INFO_RAW_VERSION    "raw version"
#define BAREPROF_INFO_BUILD_ID       "build id"
#define BAREPROF_INFO_FUNCTIONS      "functions"
#define BAREPROF_INFO_COUNTERS       "counters"
#define BAREPROF_INFO_COUNTER_BYTES  "counter bytes"
#define BAREPROF_INFO_BITMAP_BYTES   "bitmap bytes"
#define BAREPROF_INFO_VALUE_SITES    "value sites"
#define BAREPROF_INFO_VALUES_DROPPED "values dropped"
#define BAREPROF_INFO_PROFRAW_BYTES  "profraw bytes"
#define BAREPROF_INFO_MACHINE        "machine profile"
#define BAREPROF_INFO_RECORDING      "recording functions"
#define BAREPROF_INFO_MIPRAW_BYTES   "mipraw bytes"
#define BAREPROF_INFO_KEPT_LOADS     "kept loads"
#define BAREPROF_INFO_RESETS         "resets"

/* The keys in the file info of samples. */
#define BAREPROF_INFO_SAMPLE_SOURCE "source"
#define BAREPROF_INFO_SAMPLE_RATE   "sample rate"
#define BAREPROF_INFO_SAMPLE_CPUS   "cpus"
#define BAREPROF_INFO_SAMPLE_SLOTS  "samples per cpu"
#define BAREPROF_INFO_INTERRUPTS    "interrupts"

/* The values of the key "state". */
#define BAREPROF_STATE_LIVE   "live"
#define BAREPROF_STATE_GONE   "gone"
#define BAREPROF_STATE_BROKEN "broken"

#endif
