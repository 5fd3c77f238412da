/* Morabaraba with 12 or 11 men, rules versions 1 and 2. */

#include "endings.h"
#include "kernel.h"

enum { POINTS = 24, LINES = 20, FLYING = 3, LOSING = 2, FLYING_QUIET_LIMIT = 20, QUIET_LIMIT = 100, ABSENT = 255 };
/* Endings: the most turns that three men against three take, and more than there can be steps. */
enum { LONGEST_ENDING = 16, MOST_ENDING_STEPS = 128 };

/* Points are numbered by file, then rank. A step is start, end, removed man (ABSENT where there is none) and a declined removal, eight bits each. */
#define FROM(step) ((step) & 255)
#define TO(step) ((step) >> 8 & 255)
#define REMOVED(step) ((step) >> 16 & 255)
#define DECLINES(step) ((step) >> 24)

typedef struct {
    uint32_t men[2];
    uint8_t hand[2], forbidden[2][2]; /* the step straight back, or ABSENT */
    uint8_t quiet, mover, men_per_side;
} State;
_Static_assert(sizeof(State) <= LARGEST_POSITION, "a position must fit");

static const uint8_t LINE[LINES][3] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14}, {15, 16, 17}, {18, 19, 20}, {21, 22, 23},
    {0, 9, 21}, {3, 10, 18}, {6, 11, 15}, {1, 4, 7}, {16, 19, 22}, {8, 12, 17}, {5, 13, 20}, {2, 14, 23},
    {0, 3, 6}, {2, 5, 8}, {15, 18, 21}, {17, 20, 23},
};
static const uint8_t WIDTHS[7] = {3, 3, 3, 6, 3, 3, 3};
/* The points in the order of a position line: rank 7 first. */
static const uint8_t ROWS[POINTS] = {2, 14, 23, 5, 13, 20, 8, 12, 17, 1, 4, 7, 16, 19, 22, 6, 11, 15, 3, 10, 18, 0, 9, 21};
static const char NAMES[POINTS][3] = {"A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3",
                                      "D5", "D6", "D7", "E3", "E4", "E5", "F2", "F4", "F6", "G1", "G4", "G7"};

/* What the network sees: of each line its 27 patterns, of either side the points where it can close a mill next, the men in hand and in all (0 to 12), then how
   long nothing has been captured, who may not step back, and whether each side began with twelve men. */
enum { PATTERNS = 27, MOST_MEN = 12, COUNTS = MOST_MEN + 1, QUIET_PARTS = 6 };
enum { CLOSABLE = LINES * PATTERNS, HANDS = CLOSABLE + 2 * POINTS, LEFT = HANDS + 2 * COUNTS, QUIET = LEFT + 2 * COUNTS, BANS = QUIET + QUIET_PARTS, IS_TWELVE = BANS + 2 };
_Static_assert(IS_TWELVE + 1 == MILL_INPUTS && 4 * POINTS == MILL_PARTS, "the network must fit");

static uint32_t line_mask[LINES], pairs[POINTS][3], neighbours[POINTS];
static uint8_t pair_count[POINTS], images[8][POINTS]; /* the points of a board that is turned or mirrored */
static int has_tables;

static int count_bits(uint32_t bits) { return __builtin_popcount(bits); }
static int lowest(uint32_t bits) { return __builtin_ctz(bits); }
static uint32_t bit(int point) { return 1u << point; }

static int find_point(int file, int rank) {
    for (int i = 0; i < POINTS; i++) {
        if (NAMES[i][0] == 'A' + file && NAMES[i][1] == '1' + rank) return i;
    }
    fail();
}

static void make_images(int point) {
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        int file = NAMES[point][0] - 'A', rank = NAMES[point][1] - '1';
        if (symmetry & 1) file = 6 - file;
        if (symmetry & 2) rank = 6 - rank;
        images[symmetry][point] = (uint8_t)(symmetry & 4 ? find_point(rank, file) : find_point(file, rank));
    }
}

static void make_tables(void) {
    if (has_tables) return;
    has_tables = 1;
    for (int i = 0; i < POINTS; i++) make_images(i);
    for (int i = 0; i < LINES; i++) {
        for (int k = 0; k < 3; k++) line_mask[i] |= bit(LINE[i][k]);
        for (int k = 0; k < 3; k++) pairs[LINE[i][k]][pair_count[LINE[i][k]]++] = line_mask[i] & ~bit(LINE[i][k]);
        neighbours[LINE[i][0]] |= bit(LINE[i][1]);
        neighbours[LINE[i][2]] |= bit(LINE[i][1]);
        neighbours[LINE[i][1]] |= bit(LINE[i][0]) | bit(LINE[i][2]);
    }
}

static int closes_mill(uint32_t men, int point) {
    for (int i = 0; i < pair_count[point]; i++) {
        if ((men & pairs[point][i]) == pairs[point][i]) return 1;
    }
    return 0;
}

static uint32_t removable(uint32_t men) {
    uint32_t milled = 0;
    for (int i = 0; i < LINES; i++) {
        if ((men & line_mask[i]) == line_mask[i]) milled |= line_mask[i];
    }
    return men & ~milled ? men & ~milled : men;
}

static uint32_t completing(uint32_t men, uint32_t empty) {
    uint32_t found = 0;
    for (int i = 0; i < LINES; i++) {
        uint32_t missing = line_mask[i] & ~men;
        if (!(missing & (missing - 1))) found |= missing;
    }
    return found & empty;
}

static uint32_t empty_points(const State *s) { return 0xFFFFFF & ~(s->men[0] | s->men[1]); }
static int men_left(const State *s, int side) { return count_bits(s->men[side]) + s->hand[side]; }

static uint32_t ends_of(const State *s, int start, uint32_t empty) {
    int own = s->mover;
    uint32_t ends = !s->hand[own] && count_bits(s->men[own]) == FLYING ? empty : neighbours[start] & empty;
    if (s->forbidden[own][0] == start) ends &= ~bit(s->forbidden[own][1]);
    return ends;
}

static int three_each(const State *s) { return men_left(s, 0) == FLYING && men_left(s, 1) == FLYING; }

static int decided(const State *s) {
    if (men_left(s, s->mover) <= LOSING) return 1 - s->mover;
    if (men_left(s, 1 - s->mover) <= LOSING) return s->mover;
    if (s->quiet >= FLYING_QUIET_LIMIT && (s->quiet >= QUIET_LIMIT || three_each(s))) return DRAW;
    return empty_points(s) ? NONE : DRAW;
}

static int outcome(const Position *position) {
    CONST_VIEW(State, s, position);
    int found = decided(s);
    uint32_t empty = empty_points(s);
    if (found != NONE || s->hand[s->mover]) return found;
    for (uint32_t men = s->men[s->mover]; men; men &= men - 1) {
        if (ends_of(s, lowest(men), empty)) return NONE;
    }
    return 1 - s->mover;
}

static Step step_of(int start, int end, int removed) { return (Step)start | (Step)end << 8 | (Step)removed << 16; }

static Step *emit(const State *s, int start, uint32_t ends, Step *out) {
    uint32_t own = s->men[s->mover] & (start == ABSENT ? ~0u : ~bit(start)), enemy = s->men[1 - s->mover];
    for (; ends; ends &= ends - 1) {
        int end = lowest(ends);
        if (!enemy || !closes_mill(own, end)) {
            *out++ = step_of(start, end, ABSENT);
            continue;
        }
        for (uint32_t men = removable(enemy); men; men &= men - 1) *out++ = step_of(start, end, lowest(men));
        *out++ = step_of(start, end, ABSENT) | 1u << 24;
    }
    return out;
}

static int steps(const Position *position, Step *out, int all) {
    CONST_VIEW(State, s, position);
    Step *begin = out;
    uint32_t empty = empty_points(s);
    (void)all;
    if (decided(s) != NONE) return 0;
    if (s->hand[s->mover]) return (int)(emit(s, ABSENT, empty, out) - begin);
    for (uint32_t men = s->men[s->mover]; men; men &= men - 1) {
        out = emit(s, lowest(men), ends_of(s, lowest(men), empty), out);
    }
    return (int)(out - begin);
}

static void play(Position *position, Step step) {
    VIEW(State, s, position);
    int own = s->mover, enemy = 1 - own, start = FROM(step), end = TO(step), removed = REMOVED(step);
    s->forbidden[own][0] = s->forbidden[own][1] = ABSENT;
    if (start == ABSENT) {
        s->hand[own]--;
    } else {
        s->men[own] &= ~bit(start);
        if (closes_mill(s->men[own], end) && closes_mill(s->men[own], start)) {
            s->forbidden[own][0] = (uint8_t)end;
            s->forbidden[own][1] = (uint8_t)start;
        }
    }
    s->men[own] |= bit(end);
    if (removed != ABSENT) s->men[enemy] &= ~bit(removed);
    s->quiet = removed == ABSENT && (rules_version > 1 ? start != ABSENT : three_each(s)) ? s->quiet + 1 : 0;
    s->mover = (uint8_t)enemy;
}

static int side(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->mover;
}

static int parse_point(char **line) {
    for (int i = 0; i < POINTS; i++) {
        if ((*line)[0] == NAMES[i][0] && (*line)[1] == NAMES[i][1]) {
            *line += 2;
            return i;
        }
    }
    return NONE;
}

static int parse_extra(State *s, char **line) {
    while (**line && **line != ' ') {
        uint32_t number;
        int who = **line == 'w' ? 0 : **line == 'r' ? 1 : NONE;
        if (**line == ',' || **line == '-') {
            ++*line;
        } else if (**line == 'q') {
            while (**line && **line != '=') ++*line;
            if (!**line) return 0;
            ++*line;
            if (!parse_number(line, &number) || number > QUIET_LIMIT) return 0;
            s->quiet = (uint8_t)number;
        } else {
            if (who == NONE || (*line)[1] != ':') return 0;
            *line += 2;
            int start = parse_point(line);
            if (start == NONE || **line != '-') return 0;
            ++*line;
            int end = parse_point(line);
            if (end == NONE) return 0;
            s->forbidden[who][0] = (uint8_t)start;
            s->forbidden[who][1] = (uint8_t)end;
        }
    }
    return 1;
}

static int parse(Position *position, char **line) {
    VIEW(State, s, position);
    uint8_t cells[POINTS];
    uint32_t men, hands[2];
    make_tables();
    s->men[0] = s->men[1] = 0;
    s->quiet = 0;
    for (int who = 0; who < 2; who++) s->forbidden[who][0] = s->forbidden[who][1] = ABSENT;
    if (!parse_number(line, &men) || men > 12 || !parse_rows(line, WIDTHS, 7, "wr", cells)) return 0;
    s->men_per_side = (uint8_t)men;
    for (int i = 0; i < POINTS; i++) {
        if (cells[i]) s->men[cells[i] - 1] |= bit(ROWS[i]);
    }
    s->mover = (uint8_t)parse_word(line, "r");
    if (!s->mover && !parse_word(line, "w")) return 0;
    if (!parse_number(line, &hands[0]) || !parse_number(line, &hands[1]) || hands[0] > 12 || hands[1] > 12) return 0;
    s->hand[0] = (uint8_t)hands[0];
    s->hand[1] = (uint8_t)hands[1];
    return parse_extra(s, line);
}

static char *put_step(char *out, const uint8_t *step) { return put(put(put(out, NAMES[step[0]]), "-"), NAMES[step[1]]); }

static char *format(const Position *position, char *out) {
    CONST_VIEW(State, s, position);
    uint8_t cells[POINTS];
    char *begin;
    for (int i = 0; i < POINTS; i++) cells[i] = (uint8_t)(s->men[0] & bit(ROWS[i]) ? 1 : s->men[1] & bit(ROWS[i]) ? 2 : 0);
    out = put(put_number(put(out, "morabaraba "), s->men_per_side), " ");
    out = put(put_rows(out, WIDTHS, 7, "wr", cells), s->mover ? " r " : " w ");
    out = put(put_number(put(put_number(out, s->hand[0]), ","), s->hand[1]), " ");
    begin = out;
    for (int who = 0; who < 2; who++) {
        if (s->forbidden[who][0] != ABSENT) out = put(put_step(put(out, who ? "r:" : "w:"), s->forbidden[who]), ",");
    }
    if (s->quiet) out = put(put_number(put(out, "quiet="), s->quiet), ",");
    return out == begin ? put(out, "-") : out - 1;
}

static char *format_turn(const Step *turn, int count, char *out) {
    Step step = turn[0];
    (void)count;
    if (FROM(step) != ABSENT) out = put(put(out, NAMES[FROM(step)]), "-");
    out = put(out, NAMES[TO(step)]);
    if (DECLINES(step)) return put(out, "~");
    return REMOVED(step) == ABSENT ? out : put(put(out, "x"), NAMES[REMOVED(step)]);
}

static int random_point(uint32_t points) {
    for (uint32_t skip = random_below((uint32_t)count_bits(points)); skip; skip--) points &= points - 1;
    return lowest(points);
}

/* A turn that ends on one of `ends`, or 0; with a random removal where it closes a mill. */
static int find_step(const State *s, uint32_t ends, Step *out) {
    uint32_t own = s->men[s->mover], enemy = s->men[1 - s->mover], empty = empty_points(s);
    int start = ABSENT, end = NONE;
    ends &= empty;
    if (!ends) return 0;
    if (s->hand[s->mover]) {
        end = random_point(ends);
    } else {
        uint32_t men = own;
        while (men && end == NONE) {
            start = random_point(men);
            men &= ~bit(start);
            uint32_t found = ends_of(s, start, empty) & ends;
            if (found) end = random_point(found);
        }
        if (end == NONE) return 0;
        own &= ~bit(start);
    }
    int removed = enemy && closes_mill(own, end) ? random_point(removable(enemy)) : ABSENT;
    *out = step_of(start, end, removed);
    return 1;
}

static int playout(Position *position, int limit, int choice) {
    VIEW(State, s, position);
    for (; limit > 0; limit--) {
        uint32_t empty = empty_points(s);
        Step step;
        int found = decided(s);
        if (found != NONE) return found;
        found = 0;
        if (choice) {
            found = find_step(s, completing(s->men[s->mover], empty), &step) && REMOVED(step) != ABSENT;
            if (!found && random_below(4)) found = find_step(s, completing(s->men[1 - s->mover], empty), &step);
        }
        if (!found && !find_step(s, empty, &step)) return 1 - s->mover;
        play(position, step);
        steps_played++;
    }
    return NONE;
}

/* The points where `men` can close a mill with one step or placement onto one of the empty points. */
static uint32_t closable(uint32_t men, int hand, uint32_t empty) {
    uint32_t found = 0;
    if (hand) return completing(men, empty);
    if (count_bits(men) == FLYING) {
        for (uint32_t rest = men; rest; rest &= rest - 1) found |= completing(men & ~(rest & -rest), empty);
        return found;
    }
    for (uint32_t ends = completing(men, empty); ends; ends &= ends - 1) {
        int end = lowest(ends);
        for (int i = 0; i < pair_count[end]; i++) {
            if ((men & pairs[end][i]) == pairs[end][i] && neighbours[end] & men & ~pairs[end][i]) found |= bit(end);
        }
    }
    return found;
}

static int phase(const Position *position) {
    CONST_VIEW(State, s, position);
    return s->hand[s->mover] ? 0 : men_left(s, s->mover) > FLYING && men_left(s, 1 - s->mover) > FLYING ? 1 : 2;
}

static uint32_t features(const Position *position, Step step) {
    CONST_VIEW(State, s, position);
    int start = FROM(step), end = TO(step), removed = REMOVED(step);
    uint32_t own = s->men[s->mover], enemy = s->men[1 - s->mover], empty = empty_points(s), found = 0;
    uint32_t rest = own & (start == ABSENT ? ~0u : ~bit(start)), after = rest | bit(end), threats = completing(enemy, empty);
    uint32_t enemy_after = removed == ABSENT ? enemy : enemy & ~bit(removed);
    uint32_t empty_after = (empty | (start == ABSENT ? 0 : bit(start)) | (removed == ABSENT ? 0 : bit(removed))) & ~bit(end);
    int hand = s->hand[s->mover] - (start == ABSENT), next = count_bits(closable(after, hand, empty_after));
    int twos = count_bits(completing(after, empty & ~bit(end))), degree = count_bits(neighbours[end]);
    if (closes_mill(rest, end)) found |= 1u << 0;
    if (DECLINES(step)) found |= 1u << 1;
    if (threats & bit(end)) found |= 1u << 2;
    if (start != ABSENT && closes_mill(rest, start)) found |= 1u << 3;
    if (start != ABSENT && (neighbours[start] & enemy) && closes_mill(enemy, start)) found |= 1u << 4;
    if (twos) found |= 1u << (twos > 2 ? 7 : 4 + twos);
    found |= 1u << (degree > 4 ? 10 : degree > 3 ? 10 : degree > 2 ? 9 : 8);
    if (removed != ABSENT) {
        if (closes_mill(enemy, removed)) found |= 1u << 11;
        if (count_bits(completing(enemy, empty | bit(removed))) > count_bits(completing(enemy_after, empty | bit(removed)))) found |= 1u << 12;
        if (neighbours[removed] & after) found |= 1u << 13;
    }
    if (neighbours[end] & enemy) found |= 1u << 14;
    if (neighbours[end] & rest) found |= 1u << 15;
    if (completing(enemy_after, (empty | (start == ABSENT ? 0 : bit(start))) & ~bit(end))) found |= 1u << 16;
    if (start != ABSENT && !(neighbours[end] & empty)) found |= 1u << 17;
    if (next) found |= 1u << (next > 1 ? 19 : 18);
    if (threats & bit(end) && closable(enemy, s->hand[1 - s->mover], empty) & bit(end)) found |= 1u << 20;
    if (closable(enemy_after, s->hand[1 - s->mover], empty_after)) found |= 1u << 21;
    return found;
}

static void values(const Position *position, float *out) {
    CONST_VIEW(State, s, position);
    uint32_t empty = empty_points(s);
    float difference[5] = {0, 0, 0, 0, 0};
    const int mine = count_bits(closable(s->men[s->mover], s->hand[s->mover], empty));
    const int theirs = count_bits(closable(s->men[1 - s->mover], s->hand[1 - s->mover], empty));
    for (int who = 0; who < 2; who++) {
        int of = who ? 1 - s->mover : s->mover, moves = 0, blocked = 0, mills = 0;
        uint32_t men = s->men[of];
        for (uint32_t rest = men; rest; rest &= rest - 1) {
            int open = count_bits(neighbours[lowest(rest)] & empty);
            moves += open;
            blocked += !open;
        }
        for (int i = 0; i < LINES; i++) mills += (men & line_mask[i]) == line_mask[i];
        const float found[5] = {(float)men_left(s, of), 0.1f * (float)moves, 0.25f * (float)blocked, (float)mills, (float)count_bits(completing(men, empty))};
        for (int i = 0; i < 5; i++) difference[i] += who ? -found[i] : found[i];
    }
    out[0] = 1;
    for (int i = 0; i < 5; i++) out[1 + i] = difference[i];
    out[6] = (float)(men_left(s, s->mover) == FLYING) - (float)(men_left(s, 1 - s->mover) == FLYING);
    out[7] = difference[0] / (float)(men_left(s, 0) + men_left(s, 1)) * 4;
    out[8] = mine > 0;
    out[9] = mine > 1;
    out[10] = theirs > 0;
    out[11] = theirs > 1;
}

static int network(const Position *position) {
    (void)position;
    return MILLS;
}

static uint32_t turn_points(uint32_t points, int symmetry) {
    uint32_t turned = 0;
    if (!symmetry) return points;
    for (; points; points &= points - 1) turned |= bit(images[symmetry][lowest(points)]);
    return turned;
}

static int inputs(const Position *position, int symmetry, uint16_t *out) {
    CONST_VIEW(State, s, position);
    static const uint8_t QUIETER_THAN[QUIET_PARTS - 1] = {1, 10, 20, 40, 70};
    const uint32_t men[2] = {turn_points(s->men[s->mover], symmetry), turn_points(s->men[1 - s->mover], symmetry)};
    int count = 0, quiet = 0;
    for (int i = 0; i < LINES; i++) {
        int pattern = 0;
        for (int k = 0; k < 3; k++) pattern = 3 * pattern + (int)((men[0] >> LINE[i][k] & 1) + 2 * (men[1] >> LINE[i][k] & 1));
        out[count++] = (uint16_t)(PATTERNS * i + pattern);
    }
    for (int who = 0; who < 2; who++) {
        int of = who ? 1 - s->mover : s->mover, left = men_left(s, of);
        uint32_t points = turn_points(closable(s->men[of], s->hand[of], empty_points(s)), symmetry);
        for (; points; points &= points - 1) out[count++] = (uint16_t)(CLOSABLE + POINTS * who + lowest(points));
        out[count++] = (uint16_t)(HANDS + COUNTS * who + s->hand[of]);
        out[count++] = (uint16_t)(LEFT + COUNTS * who + (left > MOST_MEN ? MOST_MEN : left));
        if (s->forbidden[of][0] != ABSENT) out[count++] = (uint16_t)(BANS + who);
    }
    while (quiet < QUIET_PARTS - 1 && s->quiet >= QUIETER_THAN[quiet]) quiet++;
    out[count++] = (uint16_t)(QUIET + quiet);
    if (s->men_per_side == MOST_MEN) out[count++] = IS_TWELVE;
    return count;
}

/* The point of a man who is placed, or those that he leaves and goes to; and the point of the man who is removed. */
static int parts(Step step, int symmetry, uint16_t *out) {
    const uint8_t *image = images[symmetry];
    int count = 0, start = FROM(step), removed = REMOVED(step);
    if (start != ABSENT) out[count++] = (uint16_t)(POINTS + image[start]);
    out[count++] = (uint16_t)((start == ABSENT ? 0 : 2 * POINTS) + image[TO(step)]);
    if (removed != ABSENT) out[count++] = (uint16_t)(3 * POINTS + image[removed]);
    return count;
}

/* How often the men of a side could step to a neighbouring point now. */
static int count_steps(const State *s, int side) {
    int count = 0;
    for (uint32_t men = s->men[side], empty = empty_points(s); men; men &= men - 1) count += count_bits(neighbours[lowest(men)] & empty);
    return count;
}

/* A turn of the winner takes at most four steps from the loser by the end of its step and four by what it removes, a turn of the loser at most
   four by what it moves and three where that ends; one step may be forbidden. */
static int choose(const Position *position, int side, int turns, Step *list, int count) {
    CONST_VIEW(State, s, position);
    int enemy = 1 - side, missing = men_left(s, enemy) - LOSING, kept = 0, is_attack = s->mover == side;
    int can_block = s->hand[enemy] <= turns && count_bits(s->men[enemy]) + s->hand[enemy] > FLYING;
    if (can_block) can_block = s->hand[enemy] || count_steps(s, enemy) <= 8 * turns + 7 * (turns - is_attack) + 1;
    if (missing > turns && !can_block) return 0;
    if (!is_attack) return count;
    if (missing == turns && !can_block) {
        for (int i = 0; i < count; i++) {
            if (REMOVED(list[i]) != ABSENT) list[kept++] = list[i];
        }
        return kept;
    }
    for (int i = 0; i < count; i++) {
        if (REMOVED(list[i]) == ABSENT) continue;
        Step step = list[i];
        list[i] = list[kept];
        list[kept++] = step;
    }
    return count;
}

/* Three men against three or four, without any to place. */
static int is_ending(const State *s) {
    int white = count_bits(s->men[0]), red = count_bits(s->men[1]);
    return !s->hand[0] && !s->hand[1] && white >= FLYING && red >= FLYING && white + red <= 2 * FLYING + 1;
}

/* At most one capture away from those. */
static int nears_ending(const Position *position) {
    CONST_VIEW(State, s, position);
    if (s->hand[0] || s->hand[1] || count_bits(s->men[0]) + count_bits(s->men[1]) > 2 * FLYING + 2) return 0;
    make_endings(line_mask, LINES);
    if (!three_each(s)) make_larger_endings(neighbours);
    return 1;
}

/* What is known where no step is forbidden. */
static int known_by_men(const State *s, int *turns) {
    int own = s->mover, is_larger = !three_each(s), is_four = count_bits(s->men[own]) > FLYING, four = is_four ? own : 1 - own;
    *turns = is_larger ? turns_to_capture(s->men[four], s->men[1 - four], is_four) : turns_to_end(s->men[own], s->men[1 - own]);
    int is_too_late = is_larger ? rules_version > 1 && s->quiet + *turns > QUIET_LIMIT : s->quiet + *turns > FLYING_QUIET_LIMIT;
    if (!*turns || is_too_late) return DRAW;
    int winner = *turns & 1 ? own : 1 - own;
    /* A capture of the three leads to three men on each side, and comes before any other turn that wins. */
    if (is_larger && winner != four) *turns += LONGEST_ENDING;
    return winner;
}

static int known(const Position *position, int *turns);

/* What is known where a step is forbidden: what follows from all turns. Whoever can win at once does so; only by not doing so could one forbid oneself another
   step, for with three men nobody leaves a mill and closes another. So this ends after a turn of each side. */
static int known_by_turns(const Position *position, int *turns) {
    CONST_VIEW(State, s, position);
    Step list[MOST_ENDING_STEPS];
    Position after;
    int own = s->mover, count = steps(position, list, 1), best = NONE, rank = 0;
    for (int i = 0; i < count; i++) {
        __builtin_memcpy(&after, position, sizeof(State));
        play(&after, list[i]);
        *turns = 1;
        if (outcome(&after) == own) return own;
    }
    for (int i = 0; i < count; i++) {
        int later = 0;
        __builtin_memcpy(&after, position, sizeof(State));
        play(&after, list[i]);
        int found = outcome(&after);
        if (found == NONE) found = known(&after, &later);
        /* A win, the sooner the better, then a draw, then a loss, the later the better. */
        int value = found == own ? 3 * LONGEST_ENDING - later : found == DRAW ? 0 : later - 3 * LONGEST_ENDING;
        if (best != NONE && value <= rank) continue;
        best = found;
        rank = value;
        *turns = later + 1;
    }
    return best;
}

static int known(const Position *position, int *turns) {
    CONST_VIEW(State, s, position);
    if (!is_ending(s)) return NONE;
    int is_free = s->forbidden[0][0] == ABSENT && s->forbidden[1][0] == ABSENT;
    return is_free ? known_by_men(s, turns) : known_by_turns(position, turns);
}

const Game morabaraba = {sizeof(State), steps, play, side, never, always, outcome, parse, format, format_turn, playout, phase, features, values, no_key, network, inputs, parts, choose, 0, nears_ending, known};
