/* Whether the result of an ending with four men against three, and its number of turns, follow from those after all its turns, by the steps of the game: for
   every set of four men, or for every Nth one from a random one on, and all sets of three, with either side to move. If so for all, all are right.

   gcc -O2 -fno-strict-aliasing -o every_ending tests/ai/every_ending.c ai/kernel/endings.c ai/kernel/text.c && ./every_ending [N [FIRST]] */

#include <stdio.h>
#include <stdlib.h>

#include "../../ai/kernel/morabaraba.c"

int rules_version = 2;
uint32_t steps_played;
uint64_t random_state;

_Noreturn void fail(void) { abort(); }

int never(const Position *position) { return !position; }
int always(const Position *position) { return position != 0; }
int no_key(Step step) { return step ? NONE : NONE; }

/* The next larger set with as many points. */
static uint32_t next_set(uint32_t set) {
    uint32_t least = set & -set, more = set + least;
    return ((more ^ set) >> 2) / least | more;
}

static int turns_left(const State *s) {
    int is_four = count_bits(s->men[s->mover]) > FLYING, four = is_four ? s->mover : 1 - s->mover;
    return turns_to_capture(s->men[four], s->men[1 - four], is_four);
}

/* Who wins after a turn, and in how many turns: 0 after a capture. Forbidden steps do not matter here: one follows only from not winning at once. */
static int result_after(const Position *after, int *turns) {
    CONST_VIEW(State, s, after);
    int found = outcome(after), own = s->mover;
    *turns = 0;
    if (found != NONE) return found;
    if (three_each(s)) return turns_to_end(s->men[own], s->men[1 - own]) & 1 ? own : 1 - own;
    *turns = turns_left(s);
    return !*turns ? DRAW : *turns & 1 ? own : 1 - own;
}

/* How many turns follow from those after all turns. */
static int turns_by_steps(const Position *position) {
    static Step list[MAX_STEPS];
    CONST_VIEW(State, s, position);
    int soonest = LONGEST_ENDING, latest = 0, can_win = 0, can_draw = 0, count = steps(position, list, 1);
    for (int i = 0; i < count; i++) {
        Position after;
        int turns;
        __builtin_memcpy(&after, position, sizeof(State));
        play(&after, list[i]);
        int winner = result_after(&after, &turns);
        if (winner == s->mover) {
            can_win = 1;
            if (turns < soonest) soonest = turns;
        } else if (winner == DRAW) {
            can_draw = 1;
        } else if (turns > latest) {
            latest = turns;
        }
    }
    return can_win ? soonest + 1 : can_draw ? 0 : latest + 1;
}

int main(int count, char **arguments) {
    int every = count > 1 ? atoi(arguments[1]) : 1, number = count > 2 ? atoi(arguments[2]) : 0;
    long found[2][3] = {{0}};
    int longest = 0;
    make_tables();
    make_endings(line_mask, LINES);
    make_larger_endings(neighbours);
    for (uint32_t four = 15; four < bit(POINTS); four = next_set(four), number++) {
        for (uint32_t three = 7; three < bit(POINTS) && number % every == 0; three = next_set(three)) {
            for (int mover = 0; mover < 2 && !(four & three); mover++) {
                Position position;
                VIEW(State, s, &position);
                *s = (State){.men = {four, three}, .mover = (uint8_t)mover, .forbidden = {{ABSENT, ABSENT}, {ABSENT, ABSENT}}};
                int turns = turns_left(s);
                if (turns != turns_by_steps(&position)) {
                    printf("%06x against %06x, %s to move: %d turns\n", four, three, mover ? "three" : "four", turns);
                    return 1;
                }
                found[mover][!turns ? 0 : turns & 1 ? 1 : 2]++;
                if (turns > longest) longest = turns;
            }
        }
    }
    for (int mover = 0; mover < 2; mover++) {
        printf("%s to move: %ld drawn, %ld won, %ld lost\n", mover ? "three" : "four", found[mover][0], found[mover][1], found[mover][2]);
    }
    printf("the longest takes %d turns\n", longest);
    return 0;
}
