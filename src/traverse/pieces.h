/* pieces.h - a path with places where every motion must stop, as one motion (internal to traverse). */
#ifndef GDYN_TRAVERSE_PIECES_H
#define GDYN_TRAVERSE_PIECES_H

#include "traverse/path_pieces.h"
#include "traverse/traverse.h"

/* traverse.c: nothing is known yet; room for points and audits stays. */
void gdyn_traverse_clear(gdyn_traverse *traverse);

typedef gdyn_status gdyn_piece_runner(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                                      const gdyn_traverse_settings *settings);

/* Runs every piece between the dynamics's stops from rest to rest (the ends of the path with the
 * settings' speeds; a periodic motion starts and ends at rest then), joins them, and goes back from
 * the dynamics's parameter to p. Ends with the first piece on which there is no motion. */
gdyn_status gdyn_pieces_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                            const gdyn_traverse_settings *settings, gdyn_piece_runner *run);

#endif
