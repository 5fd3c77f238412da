/* Forced wins: a search of all turns and all replies, a few turns deep. */

#ifndef PROOF_H
#define PROOF_H

#include "kernel.h"

enum { MOST_TURNS = 3 }; /* of the winner, in a forced win that is looked for */

/* A limit in positions, shared by several searches. */
typedef struct {
    uint32_t left;
} Effort;

/* Return in how many of its turns, at most `turns`, the player to move wins by force, the fewest; 0 if it does not, or if the effort does not suffice.
   Write the steps of the winning turn and their number. `position` is at the start of a turn. */
int find_forced_win(const Game *game, const Position *position, int turns, Effort *effort, Step *turn, int *steps);

/* The same without any knowledge, limit or order, to check it against. */
int count_turns_to_win(const Game *game, const Position *position, int turns);

#endif
