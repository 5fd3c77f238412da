/* Forced wins by trying out everything, first in one turn, then in two, then in three. What a game knows (`choose`) leaves out only what cannot matter. */

#include "proof.h"

enum { DEEPEST = MAX_TURN * (2 * MOST_TURNS + 1), STACK = 1 << 18 };

static const Game *game;
static int attacker; /* the player who is to win */
static Effort *effort;
static Step stack[STACK], winning[DEEPEST], refuting[MOST_TURNS + 1][MAX_TURN];
static int used, is_exhausted;

static int player_of(const Position *position) { return game->side(position) ^ game->is_swapped(position); }

/* Put the steps of a position on the stack and return how many. */
static int list_steps(const Position *position, int turns) {
    if (used + MAX_STEPS > STACK || !effort->left) {
        is_exhausted = 1;
        return 0;
    }
    Step *list = stack + used;
    int count = game->steps(position, list, 1);
    if (game->choose) count = game->choose(position, attacker ^ game->is_swapped(position), turns, list, count);
    used += count;
    return count;
}

static void move_to_front(Step *list, int count, Step wanted) {
    for (int i = 0; i < count; i++) {
        if (list[i] != wanted) continue;
        for (; i; i--) list[i] = list[i - 1];
        list[0] = wanted;
        return;
    }
}

/* Whether the attacker wins by force with at most `turns` turns more. `step` is the number of steps that its turn already has. */
static int wins(const Position *position, int turns, int step) {
    int is_attack = player_of(position) == attacker, is_winning = !is_attack, begin = used;
    Position after;
    if (is_attack && !turns) return 0;
    if (step >= MAX_TURN) fail();
    int count = list_steps(position, turns);
    Step *list = stack + begin;
    if (!count && !is_exhausted && !is_attack) is_winning = 0; /* nothing that it can do matters: it is not to be won so soon */
    if (!is_attack) move_to_front(list, count, refuting[turns][step]);
    for (int i = 0; i < count && is_winning != is_attack && !is_exhausted; i++) {
        if (!effort->left) {
            is_exhausted = 1;
            break;
        }
        effort->left--;
        __builtin_memcpy(&after, position, game->size);
        game->play(&after, list[i]);
        if (!game->is_turn_start(&after)) {
            is_winning = wins(&after, turns, step + 1);
        } else {
            int outcome = game->outcome(&after), left = turns - is_attack;
            if (outcome == NONE) is_winning = wins(&after, left, 0);
            else is_winning = outcome != DRAW && (outcome ^ game->is_swapped(&after)) == attacker;
        }
        if (is_winning == is_attack) {
            if (is_attack) winning[MAX_TURN * turns + step] = list[i];
            else refuting[turns][step] = list[i];
        }
    }
    used = begin;
    return is_winning && !is_exhausted;
}

int find_forced_win(const Game *of, const Position *position, int turns, Effort *given, Step *turn, int *steps) {
    Position after;
    game = of;
    effort = given;
    attacker = player_of(position);
    is_exhausted = used = 0;
    if (turns > MOST_TURNS) fail();
    /* Otherwise the order of the replies, and what the effort suffices for, would depend on earlier searches. */
    __builtin_memset(refuting, 0, sizeof refuting);
    for (int limit = 1; limit <= turns; limit++) {
        if (!wins(position, limit, 0)) continue;
        *steps = 0;
        __builtin_memcpy(&after, position, game->size);
        do {
            turn[*steps] = winning[MAX_TURN * limit + *steps];
            game->play(&after, turn[(*steps)++]);
        } while (!game->is_turn_start(&after));
        return limit;
    }
    return 0;
}

static int wins_plainly(const Position *position, int turns, int depth) {
    static Step lists[DEEPEST][MAX_STEPS];
    int is_attack = player_of(position) == attacker, is_winning = !is_attack;
    Position after;
    if (is_attack && !turns) return 0;
    int count = game->steps(position, lists[depth], 1);
    for (int i = 0; i < count && is_winning != is_attack; i++) {
        __builtin_memcpy(&after, position, game->size);
        game->play(&after, lists[depth][i]);
        int is_end = game->is_turn_start(&after), outcome = is_end ? game->outcome(&after) : NONE;
        if (outcome == NONE) is_winning = wins_plainly(&after, turns - (is_attack && is_end), depth + 1);
        else is_winning = outcome != DRAW && (outcome ^ game->is_swapped(&after)) == attacker;
    }
    return is_winning;
}

int count_turns_to_win(const Game *of, const Position *position, int turns) {
    game = of;
    attacker = player_of(position);
    if (turns > MOST_TURNS) fail();
    for (int limit = 1; limit <= turns; limit++) {
        if (wins_plainly(position, limit, 0)) return limit;
    }
    return 0;
}
