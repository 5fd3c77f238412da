/* Morphos: all sizes and mutators, the pie rule, rules versions 1 and 2. */

#include "kernel.h"

enum { EMPTY, BLACK, WHITE };
enum { PLACE, FLIP, SWAP, PASS, RESTORE, SECOND, STOP };
enum { LARGEST = 19, STRIDE = LARGEST + 4, POINTS = STRIDE * STRIDE, WINDOW = 16 };
enum { START, REGULAR, PLACED }; /* where in a turn */
enum { FAR_AWAY = 255 };

/* A point is (rank + 2) * STRIDE + file + 2; the edges have stones of their owner just outside the board. A step is a kind and a point. */
#define KIND(step) ((int)((step) >> 16))
#define POINT(step) ((int)((step) & 65535))

typedef struct {
    uint8_t cell[POINTS];
    uint8_t mover, is_swapped, owes, follows_pass, stage;
    uint16_t near[2][POINTS]; /* by side and point: which points of the window around it hold stones or edges of the side */
    uint16_t empty[LARGEST * LARGEST], where[POINTS], empties;
    uint16_t flipped, first, last;
    uint32_t turns, board; /* board: a number of its own for every board that has been set */
} State;
_Static_assert(sizeof(State) <= LARGEST_POSITION, "a position must fit");

static int size, is_cornerless, counts_flipped, allows_two, restores, starts_full, counts_restored;
static uint32_t boards;
static uint8_t on_board[POINTS], is_complete[2][1 << WINDOW], has_table[2];
static int offset[WINDOW];

static int point_at(int file, int rank) { return (rank + 2) * STRIDE + file + 2; }
static int file_of(int point) { return point % STRIDE - 2; }
static int rank_of(int point) { return point / STRIDE - 2; }
static Step step_of(int kind, int point) { return (Step)kind << 16 | (Step)point; }

static int window_index(int file, int rank) {
    for (int i = 0; i < WINDOW; i++) {
        if (offset[i] == rank * STRIDE + file) return i;
    }
    fail();
}

/* The two patterns in all orientations, and every set of points of the window that completes one. */
static void make_patterns(void) {
    static const int8_t SHAPES[4][5][2] = {
        {{0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {0, 0}},
        {{-1, 2}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}},
        {{0, 1}, {-1, 0}, {0, -1}, {0, 0}, {0, 0}},
        {{-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {0, 0}},
    };
    uint16_t patterns[16];
    int count = 0;
    if (has_table[is_cornerless]) return;
    has_table[is_cornerless] = 1;
    for (int file = -2, i = 0; file <= 2; file++) {
        for (int rank = -2; rank <= 2; rank++) {
            int distance = file * file + rank * rank;
            if (distance == 1 || distance == 2 || distance == 5) offset[i++] = rank * STRIDE + file;
        }
    }
    for (int shape = 2 * is_cornerless; shape < 2 * is_cornerless + 2; shape++) {
        for (int turn = 0; turn < 8; turn++) {
            uint16_t pattern = 0;
            for (int k = 0; k < 5; k++) {
                int a = SHAPES[shape][k][0], b = SHAPES[shape][k][1];
                int file = turn & 4 ? b : a, rank = turn & 4 ? a : b;
                if (a || b) pattern |= (uint16_t)(1 << window_index(turn & 1 ? -file : file, turn & 2 ? -rank : rank));
            }
            patterns[count++] = pattern;
        }
    }
    for (int held = 0; held < 1 << WINDOW; held++) {
        for (int k = 0; k < count; k++) is_complete[is_cornerless][held] |= (held & patterns[k]) == patterns[k];
    }
}

static void mark(State *s, int point, int side) {
    for (int i = 0; i < WINDOW; i++) {
        int around = point - offset[i];
        if (around >= 0 && around < POINTS) s->near[side][around] |= (uint16_t)(1 << i);
    }
}

static void unmark(State *s, int point, int side) {
    for (int i = 0; i < WINDOW; i++) {
        int around = point - offset[i];
        if (around >= 0 && around < POINTS) s->near[side][around] &= (uint16_t)~(1 << i);
    }
}

static void put_stone(State *s, int point, int side) {
    int index = s->where[point], last = s->empty[--s->empties];
    s->empty[index] = (uint16_t)last;
    s->where[last] = (uint16_t)index;
    s->cell[point] = (uint8_t)(BLACK + side);
    s->board = ++boards;
    mark(s, point, side);
}

static int completes(int held) { return is_complete[is_cornerless][held]; }

/* The window of the enemy stone on `point` as the mover sees it: the stone flipped just before counts as the mover's (mutator b). */
static int own_around(const State *s, int point) {
    int held = s->near[s->mover][point];
    if (s->flipped) {
        for (int i = 0; i < WINDOW; i++) {
            if (point + offset[i] == s->flipped) held |= 1 << i;
        }
    }
    return held;
}

static int can_flip(const State *s, int point) {
    if (s->cell[point] != WHITE - s->mover || !completes(own_around(s, point))) return 0;
    if (!counts_flipped) return 1;
    int back = s->near[1 - s->mover][point];
    if (completes(back)) return 0;
    if (!counts_restored) return 1;
    for (int i = 0; i < WINDOW; i++) {
        int other = point + offset[i];
        if (on_board[other] && s->cell[other] == EMPTY && completes(back | 1 << i)) return 0;
    }
    return 1;
}

static int can_move(const State *s) {
    if (s->empties) return 1;
    for (int rank = 0; rank < size; rank++) {
        for (int file = 0; file < size; file++) {
            if (can_flip(s, point_at(file, rank))) return 1;
        }
    }
    return 0;
}

static int is_connected(const State *s, int side) {
    static uint8_t seen[POINTS], stamp;
    uint16_t stack[LARGEST * LARGEST];
    const int ahead = side ? 1 : STRIDE, aside = side ? STRIDE : 1, colour = BLACK + side;
    int count = 0;
    if (!++stamp) {
        for (int i = 0; i < POINTS; i++) seen[i] = 0;
        stamp = 1;
    }
    for (int k = 0; k < size; k++) {
        int point = side ? point_at(0, k) : point_at(k, 0);
        if (s->cell[point] == colour) {
            seen[point] = stamp;
            stack[count++] = (uint16_t)point;
        }
    }
    while (count) {
        int point = stack[--count];
        if ((side ? file_of(point) : rank_of(point)) == size - 1) return 1;
        const int next[4] = {point + ahead, point - ahead, point + aside, point - aside};
        for (int k = 0; k < 4; k++) {
            if (on_board[next[k]] && s->cell[next[k]] == colour && seen[next[k]] != stamp) {
                seen[next[k]] = stamp;
                stack[count++] = (uint16_t)next[k];
            }
        }
    }
    return 0;
}

static int winner_at_start(const State *s) {
    int winner = counts_flipped ? s->mover : 1 - s->mover;
    return is_connected(s, winner) ? winner : NONE;
}

static int outcome(const Position *position) {
    CONST_VIEW(State, s, position);
    int winner = winner_at_start(s);
    if (winner != NONE || !s->follows_pass || can_move(s)) return winner;
    return counts_flipped && is_connected(s, 1 - s->mover) ? NONE : DRAW;
}

static int can_swap(const State *s) { return s->turns == 1 && s->mover == 1 && !s->is_swapped && !s->owes && s->stage == START; }

static int steps(const Position *position, Step *out, int all) {
    CONST_VIEW(State, s, position);
    Step *begin = out;
    if (s->stage == START && winner_at_start(s) != NONE) return 0;
    int kind = s->stage == PLACED ? SECOND : s->stage == START && s->owes ? RESTORE : PLACE;
    if (kind == SECOND) *out++ = step_of(STOP, 0);
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int point = point_at(file, rank);
            if (s->cell[point] == EMPTY) {
                /* A pair of placements has one order in the list of all turns; a search may begin with either. */
                int follows = file > file_of(s->first) || (file == file_of(s->first) && rank > rank_of(s->first));
                if (kind != SECOND || !all || follows) *out++ = step_of(kind, point);
            } else if (kind == PLACE && can_flip(s, point)) {
                *out++ = step_of(FLIP, point);
            }
        }
    }
    if (kind == PLACE && can_swap(s)) *out++ = step_of(SWAP, 0);
    if (kind == PLACE && out == begin) {
        if (outcome(position) != NONE) return 0;
        *out++ = step_of(PASS, 0);
    }
    return (int)(out - begin);
}

static void end_turn(State *s, int kind, int point) {
    s->mover = 1 - s->mover;
    s->turns++;
    s->flipped = (uint16_t)(kind == FLIP && counts_flipped ? point : 0);
    s->owes = kind == FLIP && restores && s->empties;
    s->follows_pass = kind == PASS;
    s->stage = START;
    s->first = 0;
}

static void play(Position *position, Step step) {
    VIEW(State, s, position);
    int kind = KIND(step), point = POINT(step);
    if (point) s->last = (uint16_t)point;
    switch (kind) {
    case SWAP:
        s->is_swapped = 1;
        s->turns++;
        return;
    case RESTORE:
        put_stone(s, point, s->mover);
        s->stage = REGULAR;
        return;
    case PLACE:
        put_stone(s, point, s->mover);
        if (allows_two && s->empties) {
            s->stage = PLACED;
            s->first = (uint16_t)point;
            return;
        }
        break;
    case SECOND:
        put_stone(s, point, s->mover);
        break;
    case FLIP:
        unmark(s, point, 1 - s->mover);
        s->cell[point] = (uint8_t)(BLACK + s->mover);
        s->board = ++boards;
        mark(s, point, s->mover);
        break;
    default:
        break;
    }
    end_turn(s, kind, point);
}

static int side(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->mover;
}

static int is_swapped(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->is_swapped;
}

static int is_turn_start(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->stage == START;
}

static int parse_mutators(char **line) {
    is_cornerless = counts_flipped = allows_two = restores = starts_full = 0;
    if (parse_word(line, "-")) return 1;
    for (; **line && **line != ' '; ++*line) {
        switch (**line) {
        case 'a': is_cornerless = 1; break;
        case 'b': counts_flipped = 1; break;
        case 'c': allows_two = 1; break;
        case 'd': restores = 1; break;
        case 'e': starts_full = 1; break;
        default: return 0;
        }
    }
    counts_restored = counts_flipped && restores && rules_version > 1;
    if (**line) ++*line;
    return 1;
}

static int parse_extra(State *s, char **line) {
    if (parse_word(line, "-")) return 1;
    while (**line && **line != ' ') {
        int file, rank;
        if (**line == ',') {
            ++*line;
        } else if (**line == 'x') {
            ++*line;
            if (!parse_cell(line, &file, &rank) || file >= size || rank >= size) return 0;
            s->flipped = (uint16_t)point_at(file, rank);
        } else {
            if (**line == 's') s->is_swapped = 1;
            if (**line == 'o') s->owes = 1;
            if (**line == 'p') s->follows_pass = 1;
            while (**line >= 'a' && **line <= 'z') ++*line;
            if (**line && **line != ' ' && **line != ',') return 0;
        }
    }
    return 1;
}

static void clear(State *s) {
    for (int point = 0; point < POINTS; point++) {
        int file = file_of(point), rank = rank_of(point);
        on_board[point] = file >= 0 && file < size && rank >= 0 && rank < size;
        s->cell[point] = EMPTY;
        s->near[0][point] = s->near[1][point] = 0;
    }
    s->empties = 0;
    s->is_swapped = s->owes = s->follows_pass = s->stage = 0;
    s->flipped = s->first = s->last = 0;
    s->board = ++boards;
    for (int k = 0; k < size; k++) {
        for (int edge = -1; edge <= size; edge += size + 1) {
            s->cell[point_at(k, edge)] = BLACK;
            mark(s, point_at(k, edge), 0);
            s->cell[point_at(edge, k)] = WHITE;
            mark(s, point_at(edge, k), 1);
        }
    }
}

static int parse(Position *position, char **line) {
    VIEW(State, s, position);
    uint8_t cells[LARGEST * LARGEST], widths[LARGEST];
    counts_restored = 0;
    if (!parse_mutators(line)) return 0;
    size = 1;
    for (const char *at = *line; *at && *at != ' '; at++) size += *at == '/';
    if (size < 5 || size > LARGEST) return 0;
    for (int i = 0; i < size; i++) widths[i] = (uint8_t)size;
    if (!parse_rows(line, widths, size, "bw", cells)) return 0;
    make_patterns();
    clear(s);
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int point = point_at(file, rank);
            s->where[point] = s->empties;
            s->empty[s->empties++] = (uint16_t)point;
        }
    }
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int found = cells[(size - 1 - rank) * size + file];
            if (found) put_stone(s, point_at(file, rank), found - 1);
        }
    }
    s->mover = (uint8_t)parse_word(line, "w");
    if (!s->mover && !parse_word(line, "b")) return 0;
    return parse_number(line, &s->turns) && parse_extra(s, line);
}

static char *put_point(char *out, int point) { return put_cell(out, file_of(point), rank_of(point)); }

static char *format(const Position *position, char *out) {
    CONST_VIEW(State, s, position);
    uint8_t cells[LARGEST * LARGEST], widths[LARGEST];
    const int letters[5] = {is_cornerless, counts_flipped, allows_two, restores, starts_full};
    char *begin;
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) cells[(size - 1 - rank) * size + file] = s->cell[point_at(file, rank)];
    }
    for (int i = 0; i < size; i++) widths[i] = (uint8_t)size;
    begin = out = put(out, "morphos ");
    for (int i = 0; i < 5; i++) {
        if (letters[i]) *out++ = (char)('a' + i);
    }
    if (out == begin) *out++ = '-';
    *out++ = ' ';
    out = put_rows(out, widths, size, "bw", cells);
    out = put_number(put(out, s->mover ? " w " : " b "), s->turns);
    *out++ = ' ';
    begin = out;
    if (s->is_swapped) out = put(out, "swapped,");
    if (s->flipped) {
        out = put_point(put(out, "x"), s->flipped);
        *out++ = ',';
    }
    if (s->owes) out = put(out, "owed,");
    if (s->follows_pass) out = put(out, "passed,");
    return out == begin ? put(out, "-") : out - 1;
}

static char *format_turn(const Step *turn, int count, char *out) {
    int i = 0, first, second;
    if (KIND(turn[0]) == RESTORE) {
        out = put(put_point(out, POINT(turn[i++])), "+");
    }
    if (i >= count) return out;
    first = POINT(turn[i]);
    switch (KIND(turn[i])) {
    case SWAP: return put(out, "swap");
    case PASS: return put(out, "pass");
    case FLIP: return put_point(put(out, "x"), first);
    default: break;
    }
    if (++i >= count || KIND(turn[i]) == STOP) return put_point(out, first);
    second = POINT(turn[i]);
    if (file_of(second) < file_of(first) || (file_of(second) == file_of(first) && rank_of(second) < rank_of(first))) {
        int swap = first;
        first = second;
        second = swap;
    }
    return put_point(put(put_point(out, first), ","), second);
}

static int key(Step step) {
    switch (KIND(step)) {
    case FLIP: return POINTS + POINT(step);
    case PLACE: case SECOND: case RESTORE: return POINT(step);
    default: return NONE;
    }
}

/* A random placement or flip: a random point, until one fits. */
static Step try_step(const State *s) {
    int kind = s->stage == PLACED ? SECOND : s->stage == START && s->owes ? RESTORE : PLACE;
    if (kind == SECOND && !random_below(16)) return step_of(STOP, 0);
    if (kind != PLACE) return step_of(kind, s->empty[random_below(s->empties)]);
    for (int tries = 0; tries < 64; tries++) {
        int x = (int)random_below((uint32_t)size), y = (int)random_below((uint32_t)size), point = point_at(x, y);
        if (s->cell[point] == EMPTY) return step_of(PLACE, point);
        if (can_flip(s, point)) return step_of(FLIP, point);
    }
    return 0;
}

static int playout(Position *position, int limit, int choice) {
    static Step found[LARGEST * LARGEST + 2];
    VIEW(State, s, position);
    (void)choice;
    for (int played = 0; played < limit; played++) {
        /* Both sides cannot be connected at once, so looking only now and then changes little. */
        if (s->stage == START && (played & 7) == 0 && s->empties <= size * (size - 2)) {
            for (int who = 0; who < 2; who++) {
                if (is_connected(s, who)) return who;
            }
        }
        Step step = try_step(s);
        if (!step) {
            int count = steps(position, found, 0);
            if (!count) return outcome(position);
            step = found[random_below((uint32_t)count)];
        }
        int at = key(step);
        if (at != NONE) note_played(s->mover ^ s->is_swapped, at);
        play(position, step);
        steps_played++;
    }
    return NONE;
}

/* Mutator e, where stones are only flipped, is a phase of its own. */
static int phase(const Position *position) {
    CONST_VIEW(State, s, position);
    return starts_full ? 2 : s->empties * 3 < size * size * 2;
}

/* What a side has to do to connect its edges, in quarters of a turn: the least through each point, and over all. Its own stones cost nothing, empty
   points and stones that it can flip now cost a turn, other stones three. A diagonal step costs a quarter more, and counts only if neither of
   the two points beside it is the enemy's: one of them will do as a link. */
enum { TURN = 4, LINK = 1, HARD = 3 * TURN, BUCKETS = 16, FAR = 4095 };
static uint16_t through[2][POINTS];
static int shortest[2];
static uint32_t measured;

static int cost_of(const State *s, int side, int point) {
    int cell = s->cell[point];
    return cell == BLACK + side ? 0 : cell == EMPTY || completes(s->near[side][point]) ? TURN : HARD;
}

/* The cost of reaching each point from one edge of a side, its own cost included. */
static void measure_from(const State *s, int side, int from_end, const uint8_t *cost, uint16_t *distance) {
    static uint16_t queue[BUCKETS][LARGEST * LARGEST * 8];
    const int enemy = WHITE - side, step[8] = {1, -1, STRIDE, -STRIDE, STRIDE + 1, STRIDE - 1, 1 - STRIDE, -STRIDE - 1};
    int count[BUCKETS] = {0};
    for (int point = 0; point < POINTS; point++) distance[point] = FAR;
    for (int k = 0; k < size; k++) {
        int line = from_end ? size - 1 : 0, point = side ? point_at(line, k) : point_at(k, line);
        distance[point] = cost[point];
        queue[cost[point]][count[cost[point]]++] = (uint16_t)point;
    }
    for (int now = 0, idle = 0; idle < BUCKETS; now++) {
        int bucket = now % BUCKETS;
        idle = count[bucket] ? 0 : idle + 1;
        while (count[bucket]) {
            int point = queue[bucket][--count[bucket]];
            if (distance[point] != now) continue;
            for (int k = 0; k < 8; k++) {
                int next = point + step[k], found = now + cost[next] + (k < 4 ? 0 : LINK);
                if (!on_board[next] || found >= distance[next]) continue;
                if (k >= 4 && (s->cell[point + step[k >= 6 ? 3 : 2]] == enemy || s->cell[point + step[k & 1]] == enemy)) continue;
                distance[next] = (uint16_t)found;
                queue[found % BUCKETS][count[found % BUCKETS]++] = (uint16_t)next;
            }
        }
    }
}

static void measure(const State *s) {
    static uint8_t cost[POINTS];
    static uint16_t distance[2][POINTS];
    if (measured == s->board) return;
    measured = s->board;
    for (int side = 0; side < 2; side++) {
        for (int point = 0; point < POINTS; point++) cost[point] = on_board[point] ? (uint8_t)cost_of(s, side, point) : 0;
        for (int end = 0; end < 2; end++) measure_from(s, side, end, cost, distance[end]);
        shortest[side] = FAR;
        for (int point = 0; point < POINTS; point++) {
            int sum = on_board[point] ? distance[0][point] + distance[1][point] - cost[point] : FAR;
            through[side][point] = (uint16_t)sum;
            if (sum < shortest[side]) shortest[side] = sum;
        }
    }
}

static int min(int a, int b) { return a < b ? a : b; }

static uint32_t features(const Position *position, Step step) {
    CONST_VIEW(State, s, position);
    int kind = KIND(step), point = POINT(step), own = BLACK + s->mover, mine = 0, theirs = 0, corners = 0, facing = 0;
    uint32_t found = 1u << kind;
    if (!point) return found;
    const int beside[4] = {1, STRIDE, -1, -STRIDE}, across[4] = {STRIDE + 1, STRIDE - 1, 1 - STRIDE, -STRIDE - 1};
    for (int k = 0; k < 4; k++) {
        int cell = s->cell[point + beside[k]];
        mine += cell == own;
        theirs += cell && cell != own;
        corners |= s->cell[point + across[k]] == own ? 1 : s->cell[point + across[k]] ? 2 : 0;
        facing |= k < 2 && cell && s->cell[point - beside[k]] && cell != s->cell[point - beside[k]];
    }
    if (mine) found |= 1u << (6 + min(mine, 3));
    if (theirs) found |= 1u << (9 + min(theirs, 3));
    if (corners & 1) found |= 1u << 13;
    if (corners & 2) found |= 1u << 14;
    if (facing) found |= 1u << 15;
    if (completes(s->near[1 - s->mover][point])) found |= 1u << 16;
    for (int i = 0; i < WINDOW; i++) {
        int other = point - offset[i];
        if (other < 0 || other >= POINTS || !on_board[other]) continue;
        int held = s->near[s->mover][other];
        if (s->cell[other] == 3 - own && !completes(held) && completes(held | 1 << i)) found |= 1u << 17;
    }
    int edge = min(min(file_of(point), rank_of(point)), min(size - 1 - file_of(point), size - 1 - rank_of(point)));
    found |= 1u << (18 + min(edge, 3));
    if (s->last) {
        int files = file_of(point) - file_of(s->last), ranks = rank_of(point) - rank_of(s->last), distance = files * files + ranks * ranks;
        if (distance <= 2) found |= 1u << 22;
        else if (distance <= 8) found |= 1u << 23;
    }
    measure(s);
    int ours = through[s->mover][point] - shortest[s->mover], enemys = through[1 - s->mover][point] - shortest[1 - s->mover];
    if (!ours) found |= 1u << 24;
    else if (ours <= TURN) found |= 1u << 25;
    if (!enemys) found |= 1u << 26;
    else if (enemys <= TURN) found |= 1u << 27;
    if (!ours && !enemys) found |= 1u << 28;
    if (!ours && shortest[s->mover] <= TURN + LINK) found |= 1u << 29;
    if (!enemys && shortest[1 - s->mover] <= TURN + LINK) found |= 1u << 30;
    return found;
}

static void values(const Position *position, float *out) {
    CONST_VIEW(State, s, position);
    measure(s);
    out[0] = 1;
    out[1] = (float)(shortest[1 - s->mover] - shortest[s->mover]) / (4 * TURN);
    for (int side = 0; side < 2; side++) {
        float sign = side == s->mover ? 0.0625f : -0.0625f;
        for (int point = 0; point < POINTS; point++) {
            int more = through[side][point] - shortest[side];
            if (on_board[point] && s->cell[point] != BLACK + side && more <= TURN) out[more ? 3 : 2] += sign;
        }
    }
}

/* How many points a side still needs on the way between its edges through each point, wherever stones of the enemy could be flipped: the least that
   is possible. Return the least over all points. */
static int count_missing(const State *s, int side, uint8_t *missing) {
    static uint8_t from[2][POINTS];
    static uint16_t line[2][LARGEST * LARGEST];
    const int step[4] = {1, -1, STRIDE, -STRIDE};
    int least = FAR_AWAY;
    for (int end = 0; end < 2; end++) {
        uint8_t *distance = from[end];
        int count = 0, now = 0;
        __builtin_memset(distance, FAR_AWAY, POINTS);
        /* First what costs nothing, then what costs a point: `line` has the points of this distance, and of the next. */
        for (int cost = 0; cost < 2; cost++) {
            for (int k = 0; k < size; k++) {
                int at = end ? size - 1 : 0, point = side ? point_at(at, k) : point_at(k, at);
                if ((s->cell[point] != BLACK + side) != cost) continue;
                distance[point] = (uint8_t)cost;
                line[cost][count++] = (uint16_t)point;
            }
            if (!cost) now = count, count = 0;
        }
        for (int reached = 0, next = count; now || next; reached++) {
            uint16_t *here = line[reached & 1], *there = line[~reached & 1];
            for (int i = 0; i < now; i++) {
                if (distance[here[i]] != reached) continue;
                for (int k = 0; k < 4; k++) {
                    int point = here[i] + step[k];
                    if (!on_board[point]) continue;
                    int found = reached + (s->cell[point] != BLACK + side);
                    if (found >= distance[point]) continue;
                    distance[point] = (uint8_t)found;
                    if (found == reached) here[now++] = (uint16_t)point;
                    else there[next++] = (uint16_t)point;
                }
            }
            now = next;
            next = 0;
        }
    }
    for (int point = 0; point < POINTS; point++) {
        int sum = on_board[point] ? from[0][point] + from[1][point] - (s->cell[point] != BLACK + side) : FAR_AWAY;
        missing[point] = (uint8_t)min(sum, FAR_AWAY);
        least = min(least, sum);
    }
    return least;
}

/* A step away from all ways is left out for the winner who has no turn to spare. For the loser the steps that meet the winner's ways come first; and where
   neither a flip nor its own connection can help, the others are left out, but for one. */
static int choose(const Position *position, int side, int turns, Step *list, int count) {
    static uint8_t missing[POINTS], own[POINTS];
    CONST_VIEW(State, s, position);
    int is_attack = s->mover == side, most = turns * (1 + allows_two + restores) + (is_attack && s->stage == PLACED), kept = 0;
    if (s->turns <= 1) return count; /* the players can change sides */
    int least = count_missing(s, side, missing);
    if (least > most) return 0;
    int is_last = !is_attack && turns == 1 && !counts_flipped && !allows_two && !restores && !starts_full;
    int is_strict = is_last || (is_attack && least == most);
    if (is_last) count_missing(s, 1 - side, own);
    for (int i = 0; i < count; i++) {
        int point = POINT(list[i]);
        Step step = list[i];
        if (point && missing[point] > most && !(is_last && (KIND(step) == FLIP || own[point] <= 1))) continue;
        list[i] = list[kept];
        list[kept++] = step;
    }
    return !is_strict ? count : kept || is_attack ? kept : 1;
}

const Game morphos = {sizeof(State), steps, play, side, is_swapped, is_turn_start, outcome, parse, format, format_turn, playout, phase, features, values, key, 0, 0, 0, choose, 0, 0, 0};
