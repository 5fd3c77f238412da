/* The endings of Morabaraba with three men, which fly, against three or four: every result, and how soon. */

#ifndef ENDINGS_H
#define ENDINGS_H

#include <stdint.h>

/* Work out all with three men on each side, once, for a board with these lines of three points, as bits. It takes about a tenth of a second. */
void make_endings(const uint32_t *lines, int count);

/* Return after how many turns, counted from now, the game ends if both play as well as they can: an odd number if the side to move, whose men are `own`, wins.
   There are no draws. */
int turns_to_end(uint32_t own, uint32_t enemy);

/* After `make_endings`, work out all with four men, which step to the neighbours of their points, against three, once. */
void make_larger_endings(const uint32_t *neighbours);

/* Return after how many turns the winner closes a mill and takes the man that decides the game: an odd number if the side to move wins, 0 for a draw. The
   four then win at once, the three have won with three men on each side. */
int turns_to_capture(uint32_t four, uint32_t three, int is_four_to_move);

#endif
