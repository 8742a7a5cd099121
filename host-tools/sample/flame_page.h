/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame_page.h - the parts of the page with a flame graph that do not depend on the samples. The page needs no network and
 * no other file. Its policy forbids the browser to load any.
 */
#ifndef BAREPROF_HOST_FLAME_PAGE_H
#define BAREPROF_HOST_FLAME_PAGE_H

/* From the start of the page to its title. The title, as XML, follows. */
extern const char flame_page_start[];
/* From the end of the title to the heading. The title follows again. */
extern const char flame_page_style[];
/* From the end of the heading to the data. The data follow, as JSON without the character '<'. */
extern const char flame_page_body[];
/* From the end of the data to the end of the page. */
extern const char flame_page_script[];

#endif
