/* A small network for one board: from the stones it estimates the chances of a win and of a draw, and which steps are worth searching.

   One hidden layer (rectified), which both parts share. A step is wanted as much as the cell it leaves, the cell it goes to, and its features
   add up to in this position. Everything is seen from the side to move. Inputs are 0 or 1; `inputs` of a game names those that are 1. */

#ifndef NETWORK_H
#define NETWORK_H

#include "kernel.h"

enum { HIDDEN = 256, WIN_OR_DRAW = 2, GAME_PHASES = 3 };

typedef struct {
    float input[INPUTS][HIDDEN];
    float bias[HIDDEN];
    float chance[GAME_PHASES][WIN_OR_DRAW][HIDDEN]; /* logits of a win and of a draw; a loss has the logit 0 */
    float chance_bias[GAME_PHASES][WIN_OR_DRAW];
    float from[PLACES][HIDDEN], to[PLACES][HIDDEN], feature[FEATURES][HIDDEN];
    float feature_bias[GAME_PHASES][FEATURES];
} Network;

extern Network network;

/* Compute the hidden layer for a position that is turned or mirrored by `symmetry` (0 to 7). Return 0 if the network does not know such positions.
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
