/* What the module exports. Text crosses in `text`; see __init__.py, which calls these functions. */

#include "search.h"

#include "network.h"
#include "proof.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { TEXT_SIZE = 1 << 20, EXAMPLE_AT = 1024, LONGEST_TURN = 64, LONGEST_LINE = 4096, LONGEST_VARIATION = 64 };

int rules_version;

static _Alignas(8) char text[TEXT_SIZE];
static const Game *game;
static Position current;

_Noreturn void fail(void) { __builtin_trap(); }

EXPORT(text_address) char *text_address(void) { return text; }
EXPORT(text_size) int text_size(void) { return TEXT_SIZE; }
EXPORT(weights_address) Weights *weights_address(void) { return &weights; }
EXPORT(weights_size) int weights_size(void) { return sizeof weights; }
EXPORT(network_address) float *network_address(int of) { return network_numbers(of); }
EXPORT(network_size) int network_size(int of) { return count_network_numbers(of) * (int)sizeof(float); }

int never(const Position *position) {
    (void)position;
    return 0;
}

int always(const Position *position) {
    (void)position;
    return 1;
}

int no_key(Step step) {
    (void)step;
    return NONE;
}

/* Load the position line in `text`. Return whether the kernel knows it. */
EXPORT(load) int load(int length, int version) {
    char *line = text;
    game = 0;
    if (length < 0 || length >= LONGEST_LINE) return 0;
    text[length] = 0;
    rules_version = version;
    if (parse_word(&line, "morelli")) game = &morelli;
    else if (parse_word(&line, "morphos")) game = &morphos;
    else if (parse_word(&line, "morabaraba")) game = &morabaraba;
    if (game && !game->parse(&current, &line)) game = 0;
    return game != 0;
}

static void require_game(void) {
    if (!game) fail();
}

/* Write the position line; return its length. */
EXPORT(position) int position(void) {
    require_game();
    return (int)(game->format(&current, text) - text);
}

/* The side that has won, 2 for a draw, -1 during the game. */
EXPORT(outcome) int outcome(void) {
    require_game();
    return game->outcome(&current);
}

typedef struct {
    const char *wanted; /* the turn to play, or null */
    char *out;          /* where turns are listed, or null */
    double count;
    int is_full, is_found;
} Visit;

static int is_same(const char *a, const char *b, const char *end) {
    for (; b < end; a++, b++) {
        if (*a != *b) return 0;
    }
    return !*a;
}

/* Visit every legal turn that begins with `turn`, to list it, count sequences of `depth` turns, or play it. */
static void visit(const Position *position, Step *turn, int steps, int depth, Visit *found) {
    static Step lists[MAX_TURN * 16][MAX_STEPS];
    Position after;
    int level = depth * MAX_TURN + steps;
    if (depth > 15 || steps >= MAX_TURN) fail();
    int count = game->steps(position, lists[level], 1);
    for (int i = 0; i < count && !found->is_full && !found->is_found; i++) {
        turn[steps] = lists[level][i];
        __builtin_memcpy(&after, position, game->size);
        game->play(&after, turn[steps]);
        if (!game->is_turn_start(&after)) {
            visit(&after, turn, steps + 1, depth, found);
        } else if (found->wanted) {
            char name[LONGEST_TURN];
            if (is_same(found->wanted, name, game->format_turn(turn, steps + 1, name))) {
                current = after;
                found->is_found = 1;
            }
        } else if (found->out) {
            if (found->out > text + TEXT_SIZE - LONGEST_TURN) {
                found->is_full = 1;
                return;
            }
            found->out = put(game->format_turn(turn, steps + 1, found->out), " ");
        } else if (depth > 1) {
            Step next[MAX_TURN];
            visit(&after, next, 0, depth - 1, found);
        } else {
            found->count++;
        }
    }
}

/* Write all legal turns, in no order, each followed by a space; return the length, or -1 if they are too many. */
EXPORT(moves) int moves(void) {
    Step turn[MAX_TURN];
    Visit found = {.out = text};
    require_game();
    if (game->outcome(&current) != NONE) return 0;
    visit(&current, turn, 0, 1, &found);
    return found.is_full ? -1 : (int)(found.out - text);
}

/* Play the turn in `text`; return whether it is legal. */
EXPORT(play) int play(int length) {
    char wanted[LONGEST_TURN];
    Step turn[MAX_TURN];
    Visit found = {.wanted = wanted};
    require_game();
    if (length < 0 || length >= LONGEST_TURN || game->outcome(&current) != NONE) return 0;
    for (int i = 0; i < length; i++) wanted[i] = text[i];
    wanted[length] = 0;
    visit(&current, turn, 0, 1, &found);
    return found.is_found;
}

EXPORT(perft) double perft(int depth) {
    Step turn[MAX_TURN];
    Visit found = {0};
    require_game();
    if (depth < 1) return 1;
    visit(&current, turn, 0, depth, &found);
    return found.count;
}

/* Search and write a line for each first step of a turn: the turn, visits, value and prior in millionths, and what is proven: - 0 1 or draw, from
   the side of the player to move: 1 it wins. The line number `excluded`, counted from 1, is not searched and counts as lost; 0 for none. Forced wins and losses are looked for in so many positions (`proof`).
   Return the length. */
EXPORT(think) int think(uint32_t simulations, uint32_t step_limit, uint32_t seed, int plain, uint32_t excluded, uint32_t proof) {
    char *out = text;
    require_game();
    set_seed(seed);
    if (game->outcome(&current) != NONE) return 0;
    search(game, &current, simulations, step_limit, plain, excluded, proof);
    for (uint32_t k = 0; k < nodes[0].count; k++) {
        const Node *child = nodes + 1 + k;
        Turn turn;
        int state = child->state & WON, player = nodes[0].player;
        if (out > text + TEXT_SIZE - LONGEST_TURN - 64) fail();
        principal_line(game, &current, k, 1, &turn);
        out = game->format_turn(turn.step, turn.steps, out);
        out = put_number(put(out, " "), child->visits);
        out = put_number(put(out, " "), (uint32_t)(child_value(child, player) * 1e6f));
        out = put_number(put(out, " "), (uint32_t)(child->prior * 1e6f));
        out = put(out, !state ? " -\n" : state == IS_DRAWN ? " draw\n" : state == 1 + player ? " 1\n" : " 0\n");
    }
    return (int)(out - text);
}

/* Return in how many of its turns the side to move wins by force, at most `turns`, by trying out everything; 0 if it does not. */
EXPORT(turns_to_win) int turns_to_win(int turns) {
    require_game();
    return game->outcome(&current) == NONE ? count_turns_to_win(game, &current, turns) : 0;
}

/* The same with what the game knows, in at most `proof` positions. */
EXPORT(turns_to_forced_win) int turns_to_forced_win(int turns, uint32_t proof) {
    Effort effort = {proof};
    Step turn[MAX_TURN];
    int steps;
    require_game();
    return game->outcome(&current) == NONE ? find_forced_win(game, &current, turns, &effort, turn, &steps) : 0;
}

/* Write the best line of the last search that begins with the child `child`: turns, each followed by a space, at most `limit`; return the length. */
EXPORT(line) int line(int child, int limit) {
    static Turn turns[LONGEST_VARIATION];
    char *out = text;
    require_game();
    if (child < 0 || child >= nodes[0].count || limit < 1 || limit > LONGEST_VARIATION) fail();
    int count = principal_line(game, &current, (uint32_t)child, limit, turns);
    for (int i = 0; i < count; i++) out = put(game->format_turn(turns[i].step, turns[i].steps, out), " ");
    return (int)(out - text);
}

/* The number of steps that playouts have played in the last search. */
EXPORT(steps_searched) uint32_t steps_searched(void) { return steps_played; }

/* What learning needs: of each turn's first step its features, of the position its phase and its numbers. */
EXPORT(step_features) uint32_t step_features(int child) {
    require_game();
    if (child < 0 || child >= nodes[0].count) fail();
    return game->features(&current, nodes[1 + child].step);
}

EXPORT(position_phase) int position_phase(void) {
    require_game();
    return game->phase(&current);
}

EXPORT(position_values) void position_values(void) {
    float found[FEATURES] = {0};
    require_game();
    game->values(&current, found);
    __builtin_memcpy(text, found, sizeof found);
}

/* What a network learns from a position line: see network.h. `count` shares of visits follow, in the order of the candidates, or none. */
typedef struct {
    int32_t length, version, result, count, symmetry;
    float value, rate, shares[];
} Example;

/* Let a network learn from the position line in `text` and the Example at EXAMPLE_AT. Return whether one knows such positions. Numbers as arguments of the
   call would take Python longer than all this. */
EXPORT(learn_position) int learn_position(void) {
    static Step steps[MAX_STEPS];
    const Example *given = (const Example *)(const void *)(text + EXAMPLE_AT);
    if (given->length >= EXAMPLE_AT || !load(given->length, given->version) || !show(game, &current, given->symmetry & 7)) return 0;
    int found = given->count ? game->steps(&current, steps, 0) : 0;
    if (found != given->count) fail();
    learn(given->result, given->value, steps, found, found ? given->shares : 0, given->rate);
    return 1;
}

/* Write the chances of a win and of a draw by a network, as floats; return whether one knows the position. */
EXPORT(position_chances) int position_chances(void) {
    float found[WIN_OR_DRAW];
    require_game();
    if (!show(game, &current, 0)) return 0;
    estimate_chances(&found[0], &found[1]);
    __builtin_memcpy(text, found, sizeof found);
    return 1;
}
