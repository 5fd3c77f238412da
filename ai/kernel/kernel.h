/* The kernel: compiled rules and search for all games, without a standard library. See __init__.py.

   One game is loaded at a time. A turn is one step or several (a captured stone that is put back, a second placement): after a step that does
   not end the turn, the same side goes on. Sides are 0 and 1 in the order of the first move. */

#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

typedef uint32_t Step;

enum { NONE = -1, DRAW = 2 };      /* besides 0 and 1: what an outcome can be */
enum { MAX_STEPS = 1 << 15 };      /* steps in one position; checked */
enum { FEATURES = 32, PHASES = 6 }; /* three of a game, and three more of a small board */
enum { MAX_TURN = 3 };             /* steps in one turn */
enum { MAX_PARTS = 338, PARTS_OF_STEP = 3, MAX_INPUTS = 512 }; /* of a network: parts of steps, of all and of one, and how many inputs are 1 at once */
enum { SMALL, LARGE, MILLS };      /* networks: for Morelli's smallest board, for its others, and for Morabaraba */
enum { MILL_INPUTS = 649, MILL_PARTS = 96 };
enum { KEYS = 2048 };              /* keys of steps for RAVE */
enum { LARGEST_POSITION = 6144 };  /* bytes; checked when compiling */

typedef struct { _Alignas(8) uint8_t bytes[LARGEST_POSITION]; } Position;

typedef struct {
    uint32_t size; /* of a position, in bytes */
    /* Which list of steps: all, so that each legal turn occurs exactly once, or those worth searching. */
    int (*steps)(const Position *, Step *out, int all);
    void (*play)(Position *, Step);
    int (*side)(const Position *);         /* the side to move */
    int (*is_swapped)(const Position *);   /* whether the players have changed sides */
    int (*is_turn_start)(const Position *);
    int (*outcome)(const Position *);      /* at the start of a turn */
    int (*parse)(Position *, char **line); /* the fields after the name of the game; 0 if it is no position */
    char *(*format)(const Position *, char *out);
    char *(*format_turn)(const Step *, int count, char *out);
    /* Play random steps to the end or for `limit` steps and return the outcome, NONE at the limit. `choice` is 0 for steps without any knowledge;
       more than 1 takes the best of so many random steps, in a game that can compare them. */
    int (*playout)(Position *, int limit, int choice);
    int (*phase)(const Position *);        /* which weights hold */
    uint32_t (*features)(const Position *, Step); /* of a step: bits */
    void (*values)(const Position *, float *out); /* of a position: numbers, for the side to move */
    int (*key)(Step);                      /* for RAVE: below KEYS, or NONE */
    /* For the networks, or null: which one knows the position, NONE if none does; the inputs that are 1, as indices, for the position turned or mirrored
       by `symmetry` (0 to 7); and the parts of a step, as indices. */
    int (*network)(const Position *);
    int (*inputs)(const Position *, int symmetry, uint16_t *out);
    int (*parts)(Step, int symmetry, uint16_t *out);
    /* Of the `count` steps of a position, keep those that can matter where `side` is to win with at most `turns` turns more, the likeliest first, and
       return how many; 0 if it cannot win so soon, whatever anybody does. */
    int (*choose)(const Position *, int side, int turns, Step *, int count);
    int (*gains)(const Position *, Step); /* whether a step gains what mostly decides the game; or null */
    /* For games with endings that are known, or null: prepare them if the position is near to one, and return whether it is; and the outcome of a
       position if both play as well as they can, with the number of turns until then, or NONE. */
    int (*nears_ending)(const Position *);
    int (*known)(const Position *, int *turns);
} Game;

extern const Game morelli, morphos, morabaraba;

/* For games in which the players never change sides, every turn is one step, and RAVE is of no use. */
int never(const Position *position);
int always(const Position *position);
int no_key(Step step);

extern int rules_version;
extern uint32_t steps_played; /* in playouts */
void note_played(int player, int key);
_Noreturn void fail(void);

extern uint64_t random_state; /* xorshift64* */

/* Here, because playouts call it so often that a function of another file would cost. */
static inline uint32_t random_below(uint32_t bound) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)(((random_state * 0x2545F4914F6CDD1Du >> 32) * bound) >> 32);
}

/* Text. */
int parse_number(char **at, uint32_t *out);
int parse_word(char **at, const char *word); /* a whole field, followed by a space or the end */
int parse_rows(char **at, const uint8_t *widths, int rows, const char *letters, uint8_t *out);
int parse_cell(char **at, int *file, int *rank);
char *put(char *out, const char *text);
char *put_number(char *out, uint32_t number);
char *put_cell(char *out, int file, int rank);
char *put_rows(char *out, const uint8_t *widths, int rows, const char *letters, const uint8_t *cells);

#define VIEW(type, name, position) type *name = (type *)(void *)(position)->bytes
#define CONST_VIEW(type, name, position) const type *name = (const type *)(const void *)(position)->bytes

#endif
