/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - includes bareprof's interface, either from this tree or from the drop-in
 * files, if the image is built from those (qemu.mk, DROPIN).
 */
#ifndef PROFILE_H
#define PROFILE_H

#if __has_include("bareprof.h")
#include "bareprof.h"
#else
#include <bareprof/capture.h>
#include <bareprof/values.h>
#endif

#endif
