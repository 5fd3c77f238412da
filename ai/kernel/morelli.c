/* Morelli: all editions and boards, and placements of the set-up. */

#include "kernel.h"

enum { EMPTY, BLACK, WHITE, EDGE, TOWER };
enum { NESTOR, REVISED, MINDSPORTS };
enum { PLAY, FREE, PAIRS };
enum { STRIDE = 16, CELLS = 256, MAX_STONES = 172, FRAMES = 42 };
enum { AROUND = 8 }; /* cells around a landing */

/* A cell is (rank + 1) * STRIDE + file + 1; EDGE cells surround the board. A step is start, landing, declined captures as directions, and a bit
   for the declined occupation, eight bits each; a placement has the start 0. */
#define START(step) ((step) & 255)
#define LANDING(step) ((step) >> 8 & 255)
#define DECLINED(step) ((step) >> 16 & 255)
#define DECLINES_CENTRE(step) ((step) >> 24)

typedef struct {
    uint8_t cell[CELLS];
    uint8_t where[CELLS]; /* the index of a stone in its side's list */
    uint8_t stones[2][MAX_STONES];
    uint8_t count[2];
    uint8_t held[2][FRAMES]; /* by side and frame: how many of its cells */
    uint64_t threes[2];      /* by side: the frames of which it holds three cells, as bits */
    uint64_t begun[2];       /* by side: the frames of which it holds any cell */
    uint16_t empty[CELLS / STRIDE]; /* row by row of `cell`: the empty cells, as bits */
    int8_t tower;
    uint8_t mover, phase;
} State;
_Static_assert(sizeof(State) <= LARGEST_POSITION, "a position must fit");

static const int DIRECTION[8] = {STRIDE, STRIDE + 1, 1, 1 - STRIDE, -STRIDE, -STRIDE - 1, -1, STRIDE - 1};

static int size, edition, centre, tables_size, frames;
/* `rising`: the directions in which the next cell lies nearer to the Centre, as bits. Every legal slide goes in one of them: along a line, the
   distance to the Centre first falls and then rises, so that a line that does not begin nearer never comes nearer. */
static uint8_t band[CELLS], rising[CELLS], rotation[CELLS][3], frame[FRAMES][4], frame_of[CELLS];
static uint8_t directions_of[512]; /* of a square of nine cells as bits, row by row from below: the directions of its outer cells, as bits */

static int cell_at(int file, int rank) { return (rank + 1) * STRIDE + file + 1; }
static int file_of(int cell) { return cell % STRIDE - 1; }
static int rank_of(int cell) { return cell / STRIDE - 1; }

static void make_tables(void) {
    if (tables_size == size) return;
    tables_size = size;
    frames = 0;
    centre = cell_at(size / 2, size / 2);
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int last = size - 1, nearest = file < rank ? file : rank, f = file, r = rank, at = cell_at(file, rank), lowest = 1;
            if (last - file < nearest) nearest = last - file;
            if (last - rank < nearest) nearest = last - rank;
            band[at] = (uint8_t)nearest;
            for (int turn = 0; turn < 3; turn++) {
                int next = last - f;
                f = r;
                r = next;
                rotation[at][turn] = (uint8_t)cell_at(f, r);
                lowest &= at < rotation[at][turn];
            }
            if (lowest && at != centre) {
                if (frames >= FRAMES) fail();
                frame[frames][0] = (uint8_t)at;
                frame_of[at] = (uint8_t)frames;
                for (int turn = 0; turn < 3; turn++) {
                    frame[frames][turn + 1] = rotation[at][turn];
                    frame_of[rotation[at][turn]] = (uint8_t)frames;
                }
                frames++;
            }
        }
    }
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int at = cell_at(file, rank);
            rising[at] = 0;
            for (int d = 0; d < 8; d++) {
                int near = at + DIRECTION[d], is_inside = file_of(near) >= 0 && file_of(near) < size && rank_of(near) >= 0 && rank_of(near) < size;
                if (is_inside && band[near] > band[at]) rising[at] |= (uint8_t)(1 << d);
            }
        }
    }
    for (int square = 0; square < 512; square++) {
        directions_of[square] = 0;
        for (int d = 0; d < 8; d++) {
            int near = STRIDE + 1 + DIRECTION[d];
            if (square >> (near / STRIDE * 3 + near % STRIDE) & 1) directions_of[square] |= (uint8_t)(1 << d);
        }
    }
}

/* The directions in which the stone on `at` can slide, as bits. */
static unsigned open_directions(const State *s, int at) {
    uint64_t rows; /* the one below, its own and the one above */
    __builtin_memcpy(&rows, s->empty + at / STRIDE - 1, sizeof rows);
    rows >>= at % STRIDE - 1;
    return rising[at] & directions_of[(rows & 7) | (rows >> 13 & 56) | (rows >> 26 & 448)];
}

static void empty_cell(State *s, int at) {
    s->cell[at] = EMPTY;
    s->empty[at / STRIDE] |= (uint16_t)(1 << at % STRIDE);
}

static void fill_cell(State *s, int at, int content) {
    s->cell[at] = (uint8_t)content;
    s->empty[at / STRIDE] &= (uint16_t)~(1 << at % STRIDE);
}

/* One cell more or less for a side in the frame of `at`. */
static void count_cell(State *s, int at, int side, int change) {
    int of = frame_of[at], held = s->held[side][of] + change;
    uint64_t bit = (uint64_t)1 << of;
    s->held[side][of] = (uint8_t)held;
    s->threes[side] = held == 3 ? s->threes[side] | bit : s->threes[side] & ~bit;
    s->begun[side] = held ? s->begun[side] | bit : s->begun[side] & ~bit;
}

static void add(State *s, int at, int side) {
    if (s->count[side] >= MAX_STONES) fail();
    fill_cell(s, at, BLACK + side);
    s->where[at] = s->count[side];
    s->stones[side][s->count[side]++] = (uint8_t)at;
    count_cell(s, at, side, 1);
}

static void take(State *s, int at, int side) {
    int index = s->where[at], last = s->stones[side][--s->count[side]];
    s->stones[side][index] = (uint8_t)last;
    s->where[last] = (uint8_t)index;
    empty_cell(s, at);
    count_cell(s, at, side, -1);
}

static int placements_of(int phase) { return phase == FREE ? 4 * (size - 1) : 2 * (size - 1); }

static int placing_side(int phase, int done) {
    if (done >= placements_of(phase) - 1) return 0;
    return edition == REVISED ? done % 2 : (done + 1) / 2 % 2;
}

static int captures(const State *s, int landing) {
    int own = BLACK + s->mover, enemy = WHITE - s->mover, found = 0;
    for (int d = 0; d < 8; d++) {
        int near = landing + DIRECTION[d];
        if (s->cell[near] == enemy && s->cell[near + DIRECTION[d]] == own) found |= 1 << d;
    }
    return found;
}

static int is_frame(const State *s, int at, int start, int landing, const uint8_t *taken, int count) {
    int own = BLACK + s->mover;
    for (int turn = 0; turn < 3; turn++) {
        int image = rotation[at][turn];
        if (image == landing || (image != start && s->cell[image] == own)) continue;
        int found = 0;
        for (int i = 0; i < count; i++) found |= taken[i] == image;
        if (!found) return 0;
    }
    return 1;
}

/* Whether a slide completes a frame if it captures in the directions `taken_directions`. */
static int completes_frame(const State *s, int start, int landing, int taken_directions) {
    uint8_t taken[8];
    int count = 0;
    if (s->tower == s->mover) return 0;
    for (int d = 0; d < 8; d++) {
        if (taken_directions >> d & 1) taken[count++] = (uint8_t)(landing + DIRECTION[d]);
    }
    if (is_frame(s, landing, start, landing, taken, count)) return 1;
    for (int i = 0; i < count; i++) {
        if (is_frame(s, taken[i], start, landing, taken, count)) return 1;
    }
    return 0;
}

static Step step_of(int start, int landing) { return (Step)start | (Step)landing << 8; }

static Step *emit_all(const State *s, int start, int landing, Step *out) {
    int capturable = captures(s, landing), declined = capturable;
    Step plain = step_of(start, landing);
    do { /* every subset of the captures, and each of them with a declined occupation where one is earned */
        *out++ = plain | (Step)declined << 16;
        if (completes_frame(s, start, landing, capturable ^ declined)) *out++ = plain | (Step)declined << 16 | 1u << 24;
        declined = (declined - 1) & capturable;
    } while (declined != capturable);
    return out;
}

static int steps(const Position *position, Step *out, int all) {
    CONST_VIEW(State, s, position);
    Step *begin = out;
    if (s->phase != PLAY) {
        for (int file = 0; file < size; file++) {
            for (int rank = 0; rank < size; rank++) {
                int at = cell_at(file, rank);
                if (!band[at] && s->cell[at] == EMPTY) *out++ = step_of(0, at);
            }
        }
        return (int)(out - begin);
    }
    for (int i = 0; i < s->count[s->mover]; i++) {
        int start = s->stones[s->mover][i];
        for (unsigned left = open_directions(s, start); left; left &= left - 1) {
            int direction = DIRECTION[__builtin_ctz(left)];
            for (int at = start + direction; s->cell[at] == EMPTY && band[at] > band[start]; at += direction) {
                if (at == centre) continue;
                if (out - begin > MAX_STEPS - 512) fail();
                if (all && edition == NESTOR) out = emit_all(s, start, at, out);
                else *out++ = step_of(start, at);
            }
        }
    }
    return (int)(out - begin);
}

static void place(State *s, int at) {
    int done = (s->count[0] + s->count[1]) / (s->phase == PAIRS ? 2 : 1) + 1, phase = s->phase;
    add(s, at, s->mover);
    if (phase == PAIRS) add(s, cell_at(size - 1 - file_of(at), size - 1 - rank_of(at)), 1 - s->mover);
    if (done == placements_of(phase)) s->phase = PLAY;
    s->mover = (uint8_t)placing_side(phase, done);
}

static void slide(State *s, int start, int landing, int taken, int occupies) {
    take(s, start, s->mover);
    add(s, landing, s->mover);
    for (int d = 0; d < 8; d++) {
        if (taken >> d & 1) {
            take(s, landing + DIRECTION[d], 1 - s->mover);
            add(s, landing + DIRECTION[d], s->mover);
        }
    }
    if (occupies) {
        s->tower = (int8_t)s->mover;
        fill_cell(s, centre, TOWER);
    }
    s->mover = 1 - s->mover;
}

static void play(Position *position, Step step) {
    VIEW(State, s, position);
    int start = START(step), landing = LANDING(step);
    if (s->phase != PLAY) {
        place(s, landing);
        return;
    }
    int taken = captures(s, landing) & ~(int)DECLINED(step);
    slide(s, start, landing, taken, !DECLINES_CENTRE(step) && completes_frame(s, start, landing, taken));
}

static int side(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->mover;
}

static int can_slide(const State *s) {
    for (int i = 0; i < s->count[s->mover]; i++) {
        int start = s->stones[s->mover][i];
        for (unsigned left = open_directions(s, start); left; left &= left - 1) {
            if (start + DIRECTION[__builtin_ctz(left)] != centre) return 1;
        }
    }
    return 0;
}

static int result(const State *s) { return s->tower < 0 ? DRAW : s->tower; }

static int outcome(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->phase != PLAY || can_slide(s) ? NONE : result(s);
}

static int parse(Position *position, char **line) {
    VIEW(State, s, position);
    static const char *const EDITIONS[3] = {"nestor", "2015", "mindsports"};
    uint8_t cells[169], widths[13];
    edition = NONE;
    for (int i = 0; i < 3; i++) {
        if (parse_word(line, EDITIONS[i])) edition = i;
    }
    size = 1;
    for (const char *at = *line; *at && *at != ' '; at++) size += *at == '/';
    if (edition == NONE || (size != 13 && size != 11 && size != 9)) return 0;
    for (int i = 0; i < size; i++) widths[i] = (uint8_t)size;
    if (!parse_rows(line, widths, size, "bwBW", cells)) return 0;
    make_tables();
    for (int i = 0; i < CELLS; i++) s->cell[i] = EDGE;
    for (int rank = 0; rank < CELLS / STRIDE; rank++) s->empty[rank] = 0;
    s->count[0] = s->count[1] = 0;
    for (int i = 0; i < FRAMES; i++) s->held[0][i] = s->held[1][i] = 0;
    s->threes[0] = s->threes[1] = s->begun[0] = s->begun[1] = 0;
    s->tower = NONE;
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int found = cells[(size - 1 - rank) * size + file], at = cell_at(file, rank);
            empty_cell(s, at);
            if ((found > 2) != (found && at == centre)) return 0;
            if (found > 2) {
                s->tower = (int8_t)(found - 3);
                fill_cell(s, at, TOWER);
            } else if (found) {
                add(s, at, found - 1);
            }
        }
    }
    s->mover = (uint8_t)parse_word(line, "w");
    if (!s->mover && !parse_word(line, "b")) return 0;
    s->phase = parse_word(line, "free") ? FREE : parse_word(line, "pairs") ? PAIRS : PLAY;
    return s->phase != PLAY || parse_word(line, "-");
}

static char *format(const Position *position, char *out) {
    CONST_VIEW(State, s, position);
    uint8_t cells[169], widths[13];
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int found = s->cell[cell_at(file, rank)];
            cells[(size - 1 - rank) * size + file] = (uint8_t)(found == TOWER ? 3 + s->tower : found);
        }
    }
    for (int i = 0; i < size; i++) widths[i] = (uint8_t)size;
    out = put(out, edition == NESTOR ? "morelli nestor " : edition == REVISED ? "morelli 2015 " : "morelli mindsports ");
    out = put_rows(out, widths, size, "bwBW", cells);
    out = put(out, s->mover ? " w " : " b ");
    return put(out, s->phase == PLAY ? "-" : s->phase == FREE ? "free" : "pairs");
}

static char *format_turn(const Step *turn, int count, char *out) {
    Step step = turn[0];
    int start = START(step), landing = LANDING(step), separator = '~';
    (void)count;
    if (start) {
        out = put_cell(out, file_of(start), rank_of(start));
        *out++ = '-';
    }
    out = put_cell(out, file_of(landing), rank_of(landing));
    for (int file = 0; file < size; file++) {
        for (int rank = 0; rank < size; rank++) {
            int at = cell_at(file, rank), named = at == centre && DECLINES_CENTRE(step);
            for (int d = 0; d < 8; d++) named |= (DECLINED(step) >> d & 1) && at == landing + DIRECTION[d];
            if (!named) continue;
            *out++ = (char)separator;
            separator = ',';
            out = put_cell(out, file, rank);
        }
    }
    return out;
}

/* A random landing of a random stone in a random direction, or 0: the caller tries again. */
static Step try_slide(const State *s) {
    int start = s->stones[s->mover][random_below(s->count[s->mover])], towards = (int)random_below(8), count = 0;
    uint8_t found[16];
    if (!(rising[start] >> towards & 1)) return 0;
    for (int at = start + DIRECTION[towards]; s->cell[at] == EMPTY && band[at] > band[start]; at += DIRECTION[towards]) {
        if (at != centre) found[count++] = (uint8_t)at;
    }
    return count ? step_of(start, found[random_below((uint32_t)count)]) : 0;
}

/* A step with which `who`, if it is to move, slides a stone to the fourth cell of the frame `of`, in which it has three; or 0. */
static Step find_completion(const State *s, int who, int of) {
    int own = BLACK + who, gap = 0;
    for (int k = 0; k < 4; k++) {
        if (s->cell[frame[of][k]] != own) gap = frame[of][k];
    }
    if (s->cell[gap] != EMPTY || !band[gap]) return 0;
    for (int d = 0; d < 8; d++) {
        int at = gap + DIRECTION[d];
        while (s->cell[at] == EMPTY) at += DIRECTION[d];
        if (s->cell[at] == own && band[at] < band[gap] && at != rotation[gap][0] && at != rotation[gap][1] && at != rotation[gap][2]) return step_of(at, gap);
    }
    return 0;
}

/* A step with which `who`, if it is to move, takes the Centre, or 0. */
static Step find_occupation(const State *s, int who) {
    if (s->tower == who) return 0;
    for (uint64_t left = s->threes[who] & ~s->begun[1 - who]; left; left &= left - 1) {
        Step step = find_completion(s, who, __builtin_ctzll(left));
        if (step) return step;
    }
    return 0;
}

/* A slide of the mover onto the empty cell `at`, or 0. */
static Step find_slide(const State *s, int at) {
    for (int d = 0; d < 8; d++) {
        int from = at + DIRECTION[d];
        while (s->cell[from] == EMPTY) from += DIRECTION[d];
        if (s->cell[from] == BLACK + s->mover && band[from] < band[at]) return step_of(from, at);
    }
    return 0;
}

/* Of `choice` random steps of a playout, the first of those that capture most: found by trial or, if `count`, among the steps `found`. 0 if trials
   find none. */
static Step choose_step(const State *s, int choice, const Step *found, int count) {
    Step best = 0;
    for (int i = 0, most = -1; i < choice; i++) {
        Step step = count ? found[random_below((uint32_t)count)] : 0;
        for (int tries = 0; !count && !step && s->phase == PLAY && s->count[s->mover] && tries < 24; tries++) step = try_slide(s);
        if (!step || choice == 1) return best ? best : step;
        int taken = __builtin_popcount((unsigned)captures(s, LANDING(step)));
        if (taken > most) most = taken, best = step;
    }
    return best;
}

/* Whoever can take the Centre does. With a `choice` of two or more, whoever can also slides onto the cell where the opponent would take it, and
   takes the best of so many steps. */
static int playout(Position *position, int limit, int choice) {
    VIEW(State, s, position);
    static Step found[MAX_STEPS];
    int is_scarce = 0; /* few steps are left: listing them is quicker than trying */
    for (; limit > 0; limit--) {
        int is_slide = s->phase == PLAY;
        Step step = choice && is_slide ? find_occupation(s, s->mover) : 0;
        if (!step && choice > 1 && is_slide) {
            Step threat = find_occupation(s, 1 - s->mover);
            if (threat) step = find_slide(s, LANDING(threat));
        }
        if (!step && !is_scarce) step = choose_step(s, choice ? choice : 1, 0, 0);
        if (!step) {
            int count = steps(position, found, 0);
            if (!count) return result(s);
            is_scarce = choice > 1 && is_slide;
            step = choose_step(s, is_slide && choice ? choice : 1, found, count);
        }
        play(position, step);
        steps_played++;
    }
    return NONE;
}

static int phase(const Position *position) {
    CONST_VIEW(State, s, position);
    return (s->tower < 0 ? 0 : s->tower == s->mover ? 1 : 2) + (size == 9 ? 3 : 0);
}

/* Whether a stone on `at` can be captured by a stone that lands next to it, if one can reach that cell. */
static int is_exposed(const State *s, int at, int enemy) {
    for (int d = 0; d < 8; d++) {
        int landing = at - DIRECTION[d];
        if (s->cell[at + DIRECTION[d]] == enemy && s->cell[landing] == EMPTY && band[landing] && landing != centre) return 1;
    }
    return 0;
}

/* Whether a stone of that colour can slide to the empty cell `at`. */
static int is_reachable(const State *s, int at, int colour) {
    for (int d = 0; d < 8; d++) {
        int from = at + DIRECTION[d];
        while (s->cell[from] == EMPTY) from += DIRECTION[d];
        if (s->cell[from] == colour && band[from] < band[at]) return 1;
    }
    return 0;
}

/* Whether the enemy can capture a stone on `at` with its next turn. */
static int is_capturable(const State *s, int at, int enemy) {
    for (int d = 0; d < 8; d++) {
        int landing = at - DIRECTION[d];
        if (s->cell[at + DIRECTION[d]] == enemy && s->cell[landing] == EMPTY && band[landing] && landing != centre && is_reachable(s, landing, enemy)) return 1;
    }
    return 0;
}

static int images_of(const State *s, int at, int colour, int without) {
    int count = 0;
    for (int turn = 0; turn < 3; turn++) count += s->cell[rotation[at][turn]] == colour && rotation[at][turn] != without;
    return count;
}

static int min(int a, int b) { return a < b ? a : b; }

static uint32_t features(const Position *position, Step step) {
    CONST_VIEW(State, s, position);
    int start = START(step), landing = LANDING(step), own = BLACK + s->mover, enemy = WHITE - s->mover;
    if (s->phase != PLAY) {
        int same = images_of(s, landing, own, 0);
        return 1u << 24 | (same ? 1u << (24 + same) : 0);
    }
    int taken = captures(s, landing) & ~(int)DECLINED(step), count = __builtin_popcount((unsigned)taken);
    int before = images_of(s, start, own, 0), after = images_of(s, landing, own, start), beside = 0;
    int distance = min(size / 2 - band[landing], 5), advance = min(band[landing] - band[start], 3);
    uint32_t found = 1u << (7 + distance) | 1u << (12 + advance);
    if (completes_frame(s, start, landing, taken)) found |= 1u << 0;
    if (count) found |= 1u << min(count, 3);
    if (after == 2) found |= 1u << 4;
    if (after == 1) found |= 1u << 5;
    if (before >= 2) found |= 1u << 6;
    if (before == 1) found |= 1u << 7;
    if (is_exposed(s, landing, enemy)) found |= 1u << 16 | (is_capturable(s, landing, enemy) ? 1u << 28 : 0);
    if (is_exposed(s, start, enemy)) found |= 1u << 17 | (is_capturable(s, start, enemy) ? 1u << 29 : 0);
    if (after == 2 && images_of(s, landing, EMPTY, 0)) found |= 1u << 30;
    if (images_of(s, landing, enemy, 0) == 3) found |= 1u << 18 | (is_reachable(s, landing, enemy) ? 1u << 31 : 0);
    for (int d = 0; d < 8; d++) {
        int near = landing + DIRECTION[d];
        beside += s->cell[near] == own && near != start;
        if (taken >> d & 1) {
            if (images_of(s, near, enemy, 0) >= 2) found |= 1u << 19;
            if (images_of(s, near, own, start) >= 2) found |= 1u << 20;
        }
    }
    if (beside >= 2) found |= 1u << 21;
    if (band[start] == 0) found |= 1u << 22;
    if (band[start] == 1) found |= 1u << 23;
    return found;
}

static void values(const Position *position, float *out) {
    CONST_VIEW(State, s, position);
    int open[2] = {0, 0}, whole[2] = {0, 0}, disputed[2] = {0, 0}, pairs[2] = {0, 0};
    int near[2][4] = {{0}}, left[2] = {0, 0};
    for (int i = 0; i < frames; i++) {
        int mine = s->held[s->mover][i], theirs = s->held[1 - s->mover][i];
        whole[0] += mine == 4, whole[1] += theirs == 4;
        open[0] += mine == 3 && !theirs, open[1] += theirs == 3 && !mine;
        disputed[0] += mine == 3 && theirs, disputed[1] += theirs == 3 && mine;
        pairs[0] += mine == 2 && !theirs, pairs[1] += theirs == 2 && !mine;
    }
    for (int who = 0; who < 2; who++) {
        int of = who ? 1 - s->mover : s->mover;
        for (int i = 0; i < s->count[of]; i++) {
            int distance = size / 2 - band[s->stones[of][i]];
            near[who][min(distance, 4) - 1]++;
            left[who] += distance - 1;
        }
    }
    for (int i = 0; i < 4; i++) out[6 + i] = 0.25f * (float)(near[0][i] - near[1][i]);
    out[0] = 1;
    out[1] = s->tower < 0 ? 0 : s->tower == s->mover ? 1 : -1;
    out[2] = (float)(open[0] - open[1]);
    out[3] = (float)(whole[0] - whole[1]);
    out[4] = (float)(disputed[0] - disputed[1]);
    out[5] = (float)(pairs[0] - pairs[1]);
    out[10] = 0.05f * (float)(left[0] - left[1]);
    out[11] = (float)(open[0] > 0) - (float)(open[1] > 0);
    out[12] = 0.125f * (float)(s->count[s->mover] - s->count[1 - s->mover]);
    out[13] = out[12] * 0.05f * (float)(left[0] + left[1]);
    out[14] = out[1] * 0.05f * (float)(left[0] + left[1]);
    out[15] = find_occupation(s, s->mover) ? 1 : 0;
    out[16] = find_occupation(s, 1 - s->mover) ? 1 : 0;
}

static int network(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->phase != PLAY ? NONE : size == 9 ? SMALL : LARGE;
}

/* A cell of a board that is turned or mirrored, as a number. The 11 x 11 board is the middle of the 13 x 13 one. */
static int place_of(int at, int symmetry) {
    int width = size == 9 ? 9 : 13, margin = (width - size) / 2, file = file_of(at) + margin, rank = rank_of(at) + margin;
    if (symmetry & 1) file = width - 1 - file;
    if (symmetry & 2) rank = width - 1 - rank;
    return symmetry & 4 ? rank * width + file : file * width + rank;
}

/* Whose tower is on the Centre; and of either side the stones, those that can be captured next, and the cells where it can complete a frame. */
static int inputs(const Position *position, int symmetry, uint16_t *out) {
    CONST_VIEW(State, s, position);
    int count = 0, places = size == 9 ? 81 : 169;
    for (int who = 0; who < 2; who++) {
        int of = who ? 1 - s->mover : s->mover;
        int enemy = WHITE - of;
        for (int i = 0; i < s->count[of]; i++) {
            int at = s->stones[of][i], place = place_of(at, symmetry);
            out[count++] = (uint16_t)(places * who + place);
            if (is_exposed(s, at, enemy) && is_capturable(s, at, enemy)) out[count++] = (uint16_t)(places * (2 + who) + place);
        }
        for (uint64_t left = s->threes[of]; left; left &= left - 1) {
            Step step = find_completion(s, of, __builtin_ctzll(left));
            if (step) out[count++] = (uint16_t)(places * (4 + who) + place_of(LANDING(step), symmetry));
        }
    }
    out[count++] = (uint16_t)(6 * places + phase(position) % 3);
    return count;
}

/* The cell it leaves, and the cell it goes to. */
static int parts(Step step, int symmetry, uint16_t *out) {
    out[0] = (uint16_t)place_of(START(step), symmetry);
    out[1] = (uint16_t)((size == 9 ? 81 : 169) + place_of(LANDING(step), symmetry));
    return 2;
}

static int count_movable(const State *s, int side) {
    int count = 0;
    for (int i = 0; i < s->count[side]; i++) count += open_directions(s, s->stones[side][i]) != 0;
    return count;
}

/* A game ends when all stones of the side to move are stuck. A turn can leave without a slide those around its landing, and hardly ever does so with
   all of them. */
static int choose(const Position *position, int side, int turns, Step *list, int count) {
    CONST_VIEW(State, s, position);
    (void)side;
    (void)list;
    if (s->phase != PLAY) return 0;
    return count_movable(s, 0) <= AROUND * turns || count_movable(s, 1) <= AROUND * turns ? count : 0;
}

/* The Centre. */
static int gains(const Position *position, Step step) {
    CONST_VIEW(State, s, position);
    return s->phase == PLAY && completes_frame(s, START(step), LANDING(step), captures(s, LANDING(step)));
}

const Game morelli = {sizeof(State), steps, play, side, never, always, outcome, parse, format, format_turn, playout, phase, features, values, no_key, network, inputs, parts, choose, gains, 0, 0};
