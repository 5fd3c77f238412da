/* Monte Carlo tree search over the loaded game. */

#ifndef SEARCH_H
#define SEARCH_H

#include "kernel.h"

typedef struct {
    float exploration;   /* weight of the prior term, or of the logarithm in a plain search */
    float rave;          /* visits at which RAVE and the tree count alike; 0 for none */
    float temperature;   /* of the priors */
    float value_share;   /* how much of a leaf's value the value function decides; with 1 there are no playouts to the end */
    float playout_steps; /* after how many steps a playout ends and the value function is asked; 0 for never */
    float first_play;    /* how much lower than its parent an unvisited step is valued */
    float contempt;      /* how much less than half a win a draw is worth to the player who searches */
    float playout_choice; /* of how many random steps a playout takes the best */
    float network;       /* 1 if the networks value positions that they know, and give their priors */
    float prior_floor;   /* how much of the priors all steps share equally, so that none is starved */
    float widest;        /* how many steps a node but the root has at most, those with the highest priors, and any with the same prior as the last; 0 for no limit */
    float expand_at;     /* at which visit a leaf gets children; 0 for what suits the length of the search */
    float policy[PHASES][FEATURES];
    float value[PHASES][FEATURES];
} Weights;

typedef struct {
    Step step;
    uint32_t children; /* index of the first child */
    uint32_t visits;
    float wins; /* of side 0's first player; a draw is half a win, or what contempt makes it */
    float prior;
    float rave_wins; /* without RAVE: what the value function says, if `rave_visits` is 1 */
    uint32_t rave_visits;
    uint16_t count; /* of children */
    uint8_t player; /* who moves here */
    uint8_t state;  /* proven outcome and whether all steps are children */
} Node;
_Static_assert(sizeof(Node) == 32, "the limit of the tree counts on it");

enum { MAX_NODES = 1 << 21, MAX_DEPTH = 1024 };
/* State: 0 open, 1 + player who wins, 3 drawn; 4 if some steps are left out; 8 if no forced win of the opponent has been found;
   16 if the opponent gains something decisive next. */
enum { WON = 3, IS_DRAWN = 3, IS_PARTIAL = 4, IS_SAFE = 8, IS_EXPOSED = 16 };

extern Weights weights;
extern Node nodes[MAX_NODES];

/* Search from `root` for `simulations`, or until playouts have played `step_limit` steps (0 for no such limit). The child number `excluded` - 1 of the
   root is left out, as if it were lost; 0 for none. Before and after, a forced win is looked for, each time in at most `proof` positions, and a forced loss
   after the chosen turn; where there is one, a few simulations more are spent on other turns, of a long search half as many at most. */
void search(const Game *game, const Position *root, uint32_t simulations, uint32_t step_limit, int plain, uint32_t excluded, uint32_t proof);

typedef struct {
    Step step[MAX_TURN];
    int steps;
} Turn;

/* Write the best line after the last search that begins with the child `child` of the root: at least one turn, at most `limit`; return how many. */
int principal_line(const Game *game, const Position *root, uint32_t child, int limit, Turn *line);

void set_seed(uint32_t seed);
float child_value(const Node *child, int player); /* for that player, from 0 to 1 */

#endif
