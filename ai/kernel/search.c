/* Monte Carlo tree search: priors (PUCT) with learned weights, RAVE, proven results; or plain UCT to measure against. */

#include "search.h"

#include "network.h"
#include "proof.h"

/* Searches between WATCHFUL_SEARCH and DEEP_SEARCH see what the opponent's reply gains; shorter ones overlook it, longer ones find out by themselves.

   A leaf gets children at its second visit; in a LONG_SEARCH at its fifth, or the tree would be full long before the end. Such a search looks after
   so many simulations again whether it is settled. */
enum { EXPAND_AT = 2, LONG_SEARCH = 100000, EXPAND_LATE_AT = 5, SETTLED_AFTER = 1024 };
enum { LOOKAHEAD = 200000, LONGEST_PLAYOUT = 2000, SHORTEST_SEARCH = 10, WATCHFUL_SEARCH = 100, DEEP_SEARCH = 500, SECOND_THOUGHT = 8, MOST_SECOND_THOUGHTS = 32, MOST_LONG_SECOND_THOUGHTS = 4, LATEST_END = 100 };
enum { MOST_COUNTED = 1 << 30 }; /* simulations, until they are counted from 0 again */
/* How many times as many positions as for a forced loss, over all turns, to find the one that puts a loss off longest. */
enum { DELAY_EFFORT = 4 };

Weights weights;
Node nodes[MAX_NODES];
uint32_t steps_played;
uint64_t random_state;

static const Game *game;
static uint32_t used, simulation, expand_at, played_at[2][KEYS];
static Step list[MAX_STEPS];
static float logits[MAX_STEPS];
static float draw_value; /* of a draw, for player 0 */
static int is_plain, uses_endings;

void set_seed(uint32_t seed) { random_state = seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u; }

/* The same bits on every machine, without a library. */
static float logarithm(float x) {
    union { float number; uint32_t bits; } parts = {x};
    float whole = (float)((int)(parts.bits >> 23) - 127);
    parts.bits = (parts.bits & 0x7FFFFF) | 0x3F800000;
    float y = (parts.number - 1) / (parts.number + 1), square = y * y;
    return whole * 0.6931471806f + 2 * y * (1 + square * (0.33333333f + square * (0.2f + square * 0.14285714f)));
}

static void copy(Position *to, const Position *from) { __builtin_memcpy(to, from, game->size); }

static int player_of(const Position *position) { return game->side(position) ^ game->is_swapped(position); }

static int state_of(const Position *position, int outcome) {
    return outcome == NONE ? 0 : outcome == DRAW ? IS_DRAWN : 1 + (outcome ^ game->is_swapped(position));
}

/* The outcome of a position at the start of a turn, which may be known before the end. */
static int find_outcome(const Position *position) {
    int turns, found = game->outcome(position);
    return found == NONE && uses_endings ? game->known(position, &turns) : found;
}

static float state_value(int state) { return state == IS_DRAWN ? draw_value : state == 1 ? 1 : 0; }

void note_played(int player, int key) { played_at[player][key] = simulation; }

static int uses_network(const Position *position) { return !is_plain && weights.network > 0 && show(game, position, 0); }

static float evaluate_by_network(const Position *position) {
    float win, draw;
    estimate_chances(&win, &draw);
    return (player_of(position) ? 1 - win - draw : win) + draw * draw_value;
}

static float evaluate(const Position *position) {
    if (uses_network(position)) return evaluate_by_network(position);
    float found[FEATURES] = {0}, sum = 0;
    int phase = game->phase(position);
    game->values(position, found);
    for (int i = 0; i < FEATURES; i++) sum += weights.value[phase][i] * found[i];
    float win = 1 / (1 + exponential(-sum));
    return player_of(position) ? 1 - win : win;
}

static void compute_feature_logits(const Position *position, int count) {
    const float *weight = weights.policy[game->phase(position)];
    for (int i = 0; i < count; i++) {
        uint32_t found = is_plain ? 0 : game->features(position, list[i]);
        logits[i] = 0;
        for (; found; found &= found - 1) logits[i] += weight[__builtin_ctz(found)];
    }
}

static void compute_priors(const Position *position, Node *children, int count) {
    float highest = -1e9f, sum = 0;
    if (uses_network(position)) compute_logits(list, count, logits);
    else compute_feature_logits(position, count);
    for (int i = 0; i < count; i++) {
        logits[i] /= weights.temperature;
        if (logits[i] > highest) highest = logits[i];
    }
    for (int i = 0; i < count; i++) sum += logits[i] = exponential(logits[i] - highest);
    for (int i = 0; i < count; i++) children[i].prior = (1 - weights.prior_floor) * logits[i] / sum + weights.prior_floor / (float)count;
}

/* The number that `rank` - 1 of the `count` numbers are greater than; changes their order. */
static float find_ranked(float *numbers, int count, int rank) {
    int low = 0, high = count - 1, wanted = rank - 1;
    while (low < high) {
        float pivot = numbers[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (numbers[i] > pivot) i++;
            while (numbers[j] < pivot) j--;
            if (i > j) break;
            float other = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = other;
        }
        if (wanted <= j) high = j;
        else if (wanted >= i) low = i;
        else break;
    }
    return numbers[wanted];
}

static void expand(Node *node, const Position *position) {
    int count = game->steps(position, list, 0), kept = 0;
    if (used + (uint32_t)count > MAX_NODES || count > 65535) return; /* the tree is full: its leaves stay leaves */
    Node *children = nodes + used;
    compute_priors(position, children, count);
    float lowest = 0;
    if (node != nodes && weights.widest >= 1 && (float)count > weights.widest && !is_plain) {
        for (int i = 0; i < count; i++) logits[i] = children[i].prior;
        lowest = find_ranked(logits, count, (int)weights.widest);
    }
    for (int i = 0; i < count; i++) {
        float prior = children[i].prior;
        /* Hopeless steps are left out, except at the root. */
        if (node != nodes && !is_plain && (prior * (float)count < 0.02f || prior < lowest)) continue;
        children[kept++] = (Node){.step = list[i], .prior = prior};
    }
    node->children = used;
    node->count = (uint16_t)kept;
    if (kept < count) node->state |= IS_PARTIAL;
    used += (uint32_t)kept;
}

float child_value(const Node *child, int player) {
    int state = child->state & WON;
    float value = state ? state_value(state) : child->visits ? child->wins / (float)child->visits : 0.5f;
    return player ? 1 - value : value;
}

static Node *select_plain(const Node *node) {
    Node *best = 0;
    float highest = -1, log = logarithm((float)node->visits + 1);
    uint32_t skip = random_below(node->count);
    for (uint32_t k = 0; k < node->count; k++) {
        Node *child = nodes + node->children + (k + skip) % node->count;
        if (!child->visits) return child;
        float score = child->wins / (float)child->visits;
        if (node->player) score = 1 - score;
        score += weights.exploration * __builtin_sqrtf(log / (float)child->visits);
        if (score > highest) highest = score, best = child;
    }
    return best;
}

static Node *select(const Node *node) {
    if (is_plain) return select_plain(node);
    Node *best = 0;
    float highest = -1e9f, wide = weights.exploration * __builtin_sqrtf((float)node->visits + 1);
    float parent = node->visits ? node->wins / (float)node->visits : 0.5f;
    if (node->player) parent = 1 - parent;
    for (uint32_t k = 0; k < node->count; k++) {
        Node *child = nodes + node->children + k;
        int state = child->state & WON;
        float value = parent - weights.first_play, visits = (float)child->visits;
        if (state == 1 + node->player) return child;
        if (state == 2 - node->player) continue;
        if (state == IS_DRAWN) {
            value = node->player ? 1 - draw_value : draw_value;
        } else if (child->visits) {
            value = child->wins / visits;
            if (node->player) value = 1 - value;
        }
        if (weights.rave > 0 && child->rave_visits) {
            float amaf = child->rave_wins / (float)child->rave_visits, share = __builtin_sqrtf(weights.rave / (3 * visits + weights.rave));
            value = (1 - share) * value + share * (node->player ? 1 - amaf : amaf);
        }
        value += wide * child->prior / (1 + visits);
        if (value > highest) highest = value, best = child;
    }
    return best ? best : nodes + node->children;
}

/* What the value function says of a leaf, computed at its first visit. Without RAVE, its place in the node is free for that. */
static float evaluate_leaf(Node *leaf, const Position *position) {
    if (weights.rave > 0) return evaluate(position);
    if (!leaf->rave_visits) leaf->rave_visits = 1, leaf->rave_wins = evaluate(position);
    return leaf->rave_wins;
}

static float rollout(Node *leaf, Position *position) {
    int limit = weights.playout_steps > 0 && !is_plain ? (int)weights.playout_steps : LONGEST_PLAYOUT;
    float share = is_plain ? 0 : weights.value_share, value = share > 0 && limit == LONGEST_PLAYOUT ? evaluate_leaf(leaf, position) : 0.5f;
    if (share >= 1 && limit == LONGEST_PLAYOUT) return value;
    int choice = is_plain ? 0 : weights.playout_choice > 1 ? (int)weights.playout_choice : 1;
    int state = state_of(position, game->playout(position, limit, choice));
    if (state) return limit == LONGEST_PLAYOUT ? (1 - share) * state_value(state) + share * value : state_value(state);
    return limit == LONGEST_PLAYOUT ? 0.5f : evaluate(position);
}

/* Prove `node` from its children, if they allow it. */
static void prove(Node *node) {
    int all = !(node->state & IS_PARTIAL), drawn = 0;
    if (node->state & WON || !node->count) return;
    for (uint32_t k = 0; k < node->count; k++) {
        int state = nodes[node->children + k].state & WON;
        if (state == 1 + node->player) {
            node->state |= (uint8_t)state;
            return;
        }
        all &= state != 0;
        drawn |= state == IS_DRAWN;
    }
    if (all) node->state |= (uint8_t)(drawn ? IS_DRAWN : 2 - node->player);
}

static void update_rave(Node *node, float value) {
    for (uint32_t k = 0; k < node->count; k++) {
        Node *child = nodes + node->children + k;
        int key = game->key(child->step);
        if (key != NONE && played_at[node->player][key] == simulation) {
            child->rave_visits++;
            child->rave_wins += value;
        }
    }
}

static void simulate(const Position *root) {
    static Node *path[MAX_DEPTH];
    static Position position;
    int depth = 0;
    Node *node = path[0] = nodes;
    copy(&position, root);
    simulation++;
    while (node->count && !(node->state & WON) && depth < MAX_DEPTH - 1) {
        node = select(node);
        game->play(&position, node->step);
        path[++depth] = node;
        if (!node->visits) {
            node->player = (uint8_t)player_of(&position);
            if (game->is_turn_start(&position)) node->state |= (uint8_t)state_of(&position, find_outcome(&position));
            break;
        }
        if (!node->count && !(node->state & WON) && node->visits + 1 >= expand_at) expand(node, &position);
    }
    float value = node->state & WON ? state_value(node->state & WON) : rollout(node, &position);
    int uses_rave = weights.rave > 0 && !is_plain;
    for (int i = depth; i >= 0; i--) {
        path[i]->visits++;
        path[i]->wins += value;
        /* Only a proof of its child can prove a node. */
        if (!is_plain && i < depth && path[i + 1]->state & WON) prove(path[i]);
        if (uses_rave && path[i]->count) update_rave(path[i], value);
        if (uses_rave && i) {
            int key = game->key(path[i]->step);
            if (key != NONE) note_played(path[i - 1]->player, key);
        }
    }
}

/* Prove `node`, in the middle of a turn, if its next step can end the turn and win. */
static void find_winning_step(Node *node, const Position *position) {
    static Position after;
    node->player = (uint8_t)player_of(position);
    expand(node, position);
    for (uint32_t k = 0; k < node->count; k++) {
        Node *child = nodes + node->children + k;
        copy(&after, position);
        game->play(&after, child->step);
        if (!game->is_turn_start(&after)) continue;
        child->player = (uint8_t)player_of(&after);
        child->state |= (uint8_t)state_of(&after, game->outcome(&after));
    }
    prove(node);
}

/* Whether the opponent gains what mostly decides the game after some steps, but not after all. Those are then hardly searched. */
static int lower_exposed(void) {
    uint32_t exposed = 0;
    for (uint32_t k = 0; k < nodes->count; k++) exposed += (nodes[1 + k].state & IS_EXPOSED) != 0;
    if (!exposed || exposed == nodes->count) return 0;
    for (uint32_t k = 0; k < nodes->count; k++) {
        if (nodes[1 + k].state & IS_EXPOSED) nodes[1 + k].prior = 0;
    }
    return 1;
}

/* So they are not chosen. */
static void forget_exposed(void) {
    for (uint32_t k = 0; k < nodes->count; k++) {
        if (nodes[1 + k].state & IS_EXPOSED) nodes[1 + k].visits = 0;
    }
}

/* Prove the steps that win at once, and those that let the opponent win with one step, as long as there are not too many. Shorter searches
   than SHORTEST_SEARCH overlook the opponent's reply; if `is_watchful`, what it gains by it is noted. Return whether that can be avoided. */
static int look_ahead(const Position *root, int replies, int is_watchful) {
    static Position after, later;
    for (uint32_t k = 0; k < nodes->count; k++) {
        Node *child = nodes + 1 + k;
        copy(&after, root);
        game->play(&after, child->step);
        if (!game->is_turn_start(&after)) {
            find_winning_step(child, &after);
            continue;
        }
        child->player = (uint8_t)player_of(&after);
        child->state |= (uint8_t)state_of(&after, game->outcome(&after));
        if (!replies || child->state & WON || child->player == nodes->player) continue;
        int count = game->steps(&after, list, 0);
        if ((uint32_t)count * nodes->count > LOOKAHEAD) continue;
        int gains = game->gains && is_watchful && !game->gains(root, child->step);
        for (int i = 0; i < count && !(child->state & WON); i++) {
            if (gains && game->gains(&after, list[i])) child->state |= IS_EXPOSED;
            copy(&later, &after);
            game->play(&later, list[i]);
            if (!game->is_turn_start(&later)) continue;
            int state = state_of(&later, game->outcome(&later));
            if (state == 1 + child->player) child->state |= (uint8_t)state;
        }
    }
    prove(nodes);
    return lower_exposed();
}

/* Whether no other child of the root can be visited as often as the first one in so many simulations more. */
static int is_settled(uint64_t more) {
    uint32_t most = 0, second = 0;
    for (uint32_t k = 0; k < nodes->count; k++) {
        const Node *child = nodes + nodes->children + k;
        uint32_t visits = (child->state & WON) == 2 - nodes->player ? 0 : child->visits; /* proven lost: never chosen */
        if (visits > most) second = most, most = visits;
        else if (visits > second) second = visits;
    }
    return most - second > more;
}

/* How many simulations there are still to come after the first `done`: within the limit of steps, as many as go on like those before. */
static uint64_t count_left(uint32_t simulations, uint32_t done, uint32_t step_limit) {
    uint64_t left = simulations - done;
    if (step_limit && steps_played && steps_played < step_limit) {
        uint64_t in_steps = (uint64_t)(step_limit - steps_played) * done / steps_played + 1;
        if (in_steps < left) left = in_steps;
    }
    return left;
}

static const Node *best_child(const Node *node) {
    const Node *best = 0, *won = 0;
    int is_best_lost = 0;
    for (uint32_t k = 0; k < node->count; k++) {
        const Node *child = nodes + node->children + k;
        int state = child->state & WON, lost = state == 2 - node->player;
        if (state == 1 + node->player && (!won || child->visits > won->visits)) won = child;
        int is_better = best && (child->visits > best->visits || (child->visits == best->visits && child->prior > best->prior));
        if (!best || (is_best_lost && !lost) || (!lost && is_better)) best = child, is_best_lost = lost;
    }
    return won ? won : best;
}

/* The child of `node` with this step, which is added if it was left out. Only the root and nodes that have just been expanded can be added to. */
static Node *find_child(Node *node, Step step) {
    for (uint32_t k = 0; k < node->count; k++) {
        if (nodes[node->children + k].step == step) return nodes + node->children + k;
    }
    if (used >= MAX_NODES || node->children + node->count != used) return 0;
    node->count++;
    nodes[used] = (Node){.step = step};
    return nodes + used++;
}

/* Look for a forced win at the root, whatever the priors say, and prove it. */
static void prove_win(const Position *root, Effort *effort) {
    static Position position;
    Step turn[MAX_TURN];
    Node *path[MAX_TURN + 1] = {nodes};
    int steps = 0;
    if (!find_forced_win(game, root, MOST_TURNS, effort, turn, &steps)) return;
    copy(&position, root);
    for (int i = 0; i < steps; i++) {
        if (i) expand(path[i], &position);
        path[i]->player = nodes->player;
        path[i + 1] = find_child(path[i], turn[i]);
        if (!path[i + 1]) return;
        game->play(&position, turn[i]);
    }
    path[steps]->state |= (uint8_t)(1 + nodes->player);
    for (int i = steps - 1; i >= 0; i--) prove(path[i]);
}

/* Play the best turn that begins with the child `first` of the root and write what it leads through; return its number of steps, 0 if it is not known to its end. */
static int follow_turn(const Position *root, Node *first, Position *position, Node **path) {
    int count = 1;
    copy(position, root);
    game->play(position, first->step);
    for (path[0] = nodes, path[1] = first; count < MAX_TURN && !game->is_turn_start(position); count++) {
        if (!path[count]->count) return 0;
        path[count + 1] = (Node *)best_child(path[count]);
        game->play(position, path[count + 1]->step);
    }
    return count;
}

/* Whether the turn that would be chosen now is not lost by force; a loss is proven. */
static int is_choice_safe(const Position *root, Effort *effort) {
    static Position position;
    static Node *path[MAX_TURN + 1];
    Step turn[MAX_TURN];
    int steps, count = follow_turn(root, (Node *)best_child(nodes), &position, path);
    if (!count) return 1;
    Node *end = path[count];
    if (end->state & (WON | IS_SAFE) || game->outcome(&position) != NONE || player_of(&position) == nodes->player) return 1;
    end->state |= IS_SAFE;
    if (!find_forced_win(game, &position, MOST_TURNS, effort, turn, &steps)) return 1;
    end->state |= (uint8_t)(2 - nodes->player);
    for (int i = count - 1; i >= 0; i--) prove(path[i]);
    return nodes->state & WON ? 1 : 0;
}

/* How many of a hundred turns of the side to move lose, as far as that is known. */
static int count_mistakes(const Position *position) {
    static Position after;
    int count = game->steps(position, list, 1), mistakes = 0;
    for (int i = 0; i < count; i++) {
        copy(&after, position);
        game->play(&after, list[i]);
        mistakes += game->is_turn_start(&after) && find_outcome(&after) == 1 - game->side(position);
    }
    return count ? 100 * mistakes / count : 0;
}

/* Where everything is lost, the most visits go to the turn after which it takes the opponent longest to win by force. */
static void put_off_loss(const Position *root, uint32_t excluded, Effort *effort) {
    static Position position;
    static Node *path[MAX_TURN + 1];
    Node *latest = 0;
    Step turn[MAX_TURN];
    uint32_t most = 0;
    int longest = -1, steps;
    if ((nodes->state & WON) != 2 - nodes->player) return;
    for (uint32_t k = 0; k < nodes->count; k++) {
        Node *child = nodes + 1 + k;
        if (child->visits > most) most = child->visits;
        if (k + 1 == excluded || !follow_turn(root, child, &position, path)) continue;
        int turns = game->outcome(&position) == NONE ? find_forced_win(game, &position, MOST_TURNS, effort, turn, &steps) : -1;
        if (!effort->left) break;
        turns = turns < 0 ? 0 : turns ? turns : MOST_TURNS + 1;
        if (turns > longest || (turns == longest && child->visits > latest->visits)) longest = turns, latest = child;
    }
    if (latest) latest->visits = most + 1;
}

/* Decide all children of a root whose outcome is known. Where more than one is best, the visits say which: a win that comes soon, a loss that comes late, a draw
   in which most turns of the opponent lose. */
static int decide_by_ending(const Position *root) {
    static Position after;
    int turns;
    if (!uses_endings || game->known(root, &turns) == NONE) return 0;
    for (uint32_t k = 0; k < nodes->count; k++) {
        Node *child = nodes + 1 + k;
        copy(&after, root);
        game->play(&after, child->step);
        int outcome = game->outcome(&after);
        turns = 0;
        if (outcome == NONE) outcome = game->known(&after, &turns);
        child->player = (uint8_t)player_of(&after);
        child->state |= (uint8_t)state_of(&after, outcome);
        int state = child->state & WON;
        child->visits = (uint32_t)(state == IS_DRAWN ? 1 + count_mistakes(&after) : state == 1 + nodes->player ? LATEST_END - turns : 1 + turns);
        child->wins = (float)child->visits * state_value(state);
    }
    prove(nodes);
    return nodes->state & WON;
}

static void exclude(Node *child) {
    child->state = (uint8_t)((child->state & ~WON) | (2 - nodes->player));
    nodes->state &= (uint8_t)~WON;
    prove(nodes);
}

/* Simulate until so many simulations are done, or the limit of steps is reached, or nothing is left to find out. */
static void simulate_many(const Position *root, uint32_t simulations, uint32_t step_limit, int is_long) {
    for (uint32_t i = 0; i < simulations && (!step_limit || steps_played < step_limit); i++) {
        if (nodes->state & WON && !is_plain) break;
        if (is_long && i % SETTLED_AFTER == SETTLED_AFTER - 1 && is_settled(count_left(simulations, i, step_limit))) break;
        simulate(root);
    }
}

void search(const Game *of, const Position *root, uint32_t simulations, uint32_t step_limit, int plain, uint32_t excluded, uint32_t proof) {
    game = of;
    is_plain = plain;
    used = 1;
    steps_played = 0;
    int is_long = simulations >= LONG_SEARCH && !plain;
    Effort for_win = {proof}, for_losses = {proof};
    expand_at = weights.expand_at > 0 && !plain ? (uint32_t)weights.expand_at : is_long ? EXPAND_LATE_AT : EXPAND_AT;
    if (simulation > MOST_COUNTED) {
        simulation = 0;
        __builtin_memset(played_at, 0, sizeof played_at);
    }
    nodes[0] = (Node){.player = (uint8_t)player_of(root)};
    draw_value = plain ? 0.5f : nodes[0].player ? 0.5f + weights.contempt : 0.5f - weights.contempt;
    expand(nodes, root);
    if (!nodes->count) return;
    if (excluded > nodes->count) fail();
    uses_endings = proof && game->nears_ending && game->nears_ending(root);
    if (!excluded && decide_by_ending(root)) return;
    if (proof && !excluded && game->is_turn_start(root)) prove_win(root, &for_win);
    if (nodes->state & WON) return;
    int is_watchful = simulations >= WATCHFUL_SEARCH && simulations < DEEP_SEARCH;
    int has_exposed = !plain && look_ahead(root, simulations >= SHORTEST_SEARCH, is_watchful);
    if (excluded) exclude(nodes + excluded);
    simulate_many(root, simulations, step_limit, is_long);
    if (has_exposed) forget_exposed();
    /* A choice that loses by force gives way to the next best one; the first few times, that is looked at longer first. */
    int most = is_long ? MOST_LONG_SECOND_THOUGHTS : MOST_SECOND_THOUGHTS;
    for (int thoughts = 0; proof && !(nodes->state & WON) && !is_choice_safe(root, &for_losses); thoughts++) {
        if (thoughts >= most) continue;
        steps_played = 0;
        simulate_many(root, simulations / SECOND_THOUGHT, step_limit / SECOND_THOUGHT, 0);
    }
    Effort for_delay = {DELAY_EFFORT * proof};
    if (proof) put_off_loss(root, excluded, &for_delay);
}

/* Complete the turn whose first step leads to `*node`, play it and set `*node` to what follows; return its number of steps. */
static int play_turn(Position *position, const Node **node, Step *turn) {
    static const Node leaf;
    int count = 0;
    turn[count++] = (*node)->step;
    game->play(position, (*node)->step);
    while (!game->is_turn_start(position) && count < MAX_TURN) {
        Step step;
        *node = (*node)->count ? best_child(*node) : 0;
        if (*node) {
            step = (*node)->step;
        } else {
            /* Not searched: the step with the highest prior. */
            static Node unsearched[MAX_STEPS];
            int steps = game->steps(position, list, 0), best = 0;
            if (!steps) fail();
            compute_priors(position, unsearched, steps);
            for (int i = 1; i < steps; i++) {
                if (unsearched[i].prior > unsearched[best].prior) best = i;
            }
            step = list[best];
            *node = &leaf;
        }
        turn[count++] = step;
        game->play(position, step);
    }
    return count;
}

/* Play the best turn where the ending is known and not a draw: the soonest win or the latest loss. Return whether it is. */
static int play_ending(Position *position, Turn *turn) {
    static Position after, best;
    int turns, own = game->side(position), winner = uses_endings && game->outcome(position) == NONE ? game->known(position, &turns) : NONE;
    if (winner == NONE || winner == DRAW) return 0;
    int count = game->steps(position, list, 1), most = -LATEST_END;
    for (int i = 0; i < count; i++) {
        copy(&after, position);
        game->play(&after, list[i]);
        int found = game->outcome(&after);
        turns = 0;
        if (found == NONE) found = game->known(&after, &turns);
        int value = own == winner ? -turns : turns;
        if (found != winner || value <= most) continue;
        most = value;
        turn->step[0] = list[i];
        copy(&best, &after);
    }
    turn->steps = 1;
    copy(position, &best);
    return 1;
}

int principal_line(const Game *of, const Position *root, uint32_t child, int limit, Turn *line) {
    static Position position;
    const Node *node = nodes + 1 + child;
    int count = 0;
    game = of;
    copy(&position, root);
    while (node && count < limit) {
        line[count].steps = play_turn(&position, &node, line[count].step);
        count++;
        node = node->count && game->outcome(&position) == NONE ? best_child(node) : 0;
        if (node && !node->visits && !(node->state & WON)) node = 0;
    }
    while (count < limit && play_ending(&position, &line[count])) count++;
    return count;
}
