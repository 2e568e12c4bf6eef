/* sources.h - style and scripts of pages: the files *.css and *.js of this folder, which the build turns into arrays
 * (embed.cmake; internal to page). */
#ifndef GDYN_PAGE_SOURCES_H
#define GDYN_PAGE_SOURCES_H

extern const char gdyn_page_css[], gdyn_viewer_js[], gdyn_region_js[], gdyn_page_js[];

#endif
