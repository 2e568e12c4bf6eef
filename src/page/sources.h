/* sources.h - style and scripts of pages: the files *.css and *.js of this folder, which the
 * build turns into arrays (embed.cmake; internal to page). */
#ifndef GDYN_PAGE_SOURCES_H
#define GDYN_PAGE_SOURCES_H

extern const char gdyn_page_css[], gdyn_viewer_js[], gdyn_region_js[], gdyn_trajectory_js[],
    gdyn_page_js[];
/* of a study's page */
extern const char gdyn_designs_js[], gdyn_scatter_js[], gdyn_parallel_js[], gdyn_table_js[],
    gdyn_study_js[];

#endif
