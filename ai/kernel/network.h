/* Small networks: for Morelli one of the smallest board and one of the others, and one for Morabaraba. From the pieces they estimate the chances of a win and
   of a draw, and which steps are worth searching.

   One hidden layer (rectified), which chances and steps share. A step is wanted as much as its parts (the cell it leaves, the cell it goes to) and its features
   add up to in this position. Everything is seen from the side to move. Inputs are 0 or 1; `inputs` of a game names those that are 1. All but that of the
   smallest board see the numbers of the value function besides. */

#ifndef NETWORK_H
#define NETWORK_H

#include "kernel.h"

enum { MAX_HIDDEN = 256, WIN_OR_DRAW = 2, GAME_PHASES = 3 };

/* Where the numbers of a network are, in this order. A row has a number for each of the hidden units. */
typedef struct {
    int values, parts, hidden;
    float *input;       /* a row for each input */
    float *value;       /* a row for each number of the position that is an input too; for those, `values` of a game */
    float *bias;        /* a row */
    float *chance;      /* GAME_PHASES times WIN_OR_DRAW rows: logits of a win and of a draw; a loss has the logit 0 */
    float *chance_bias; /* GAME_PHASES times WIN_OR_DRAW */
    float *part;        /* a row for each part that a step can have */
    float *feature;     /* FEATURES rows */
    float *feature_bias; /* GAME_PHASES times FEATURES */
} Network;

/* Return where the numbers of the network `of` (SMALL, LARGE or MILLS) begin, and how many they are. */
float *network_numbers(int of);
int count_network_numbers(int of);

/* Compute the hidden layer for a position that is turned or mirrored by `symmetry` (0 to 7). Return 0 if no network knows such positions.
   What follows holds for the position shown last. */
int show(const Game *game, const Position *position, int symmetry);

void estimate_chances(float *win, float *draw);
void compute_logits(const Step *steps, int count, float *logits);

/* One step of gradient descent for the position shown last: `result` is 0 for a loss, 1 for a draw, 2 for a win; `value` is what a search expected,
   from 0 to 1; `shares` are those of the visits that each step got in it, or null. */
void learn(int result, float value, const Step *steps, int count, const float *shares, float rate);

/* The same bits on every machine, without a library. */
float exponential(float x);

#endif
