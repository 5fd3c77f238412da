/* The endings of Morabaraba with three men on each side, which fly: every result, and how soon. */

#ifndef ENDINGS_H
#define ENDINGS_H

#include <stdint.h>

/* Work them all out, once, for a board with these lines of three points, as bits. It takes about a second. */
void make_endings(const uint32_t *lines, int count);

/* Return after how many turns, counted from now, the game ends if both play as well as they can: an odd number if the side to move, whose men are `own`, wins.
   There are no draws. */
int turns_to_end(uint32_t own, uint32_t enemy);

#endif
