/* The endings with three men against three or four, from the last turn backwards. With three men each, whoever closes a mill wins, and a turn that
   closes none only moves a man. */

#include "endings.h"

#include "kernel.h"

enum { POINTS = 24, SETS = 2024, MOST_LINES = 4, MOST_SYMMETRIES = 48, CLASSES = 757, MOST_STEPS = 16, UNKNOWN = 0, LAST = 64, NOWHERE = 255 };

static const uint32_t ALL = (1u << POINTS) - 1;

static uint32_t set[SETS], through[POINTS][MOST_LINES];
static uint8_t lines_through[POINTS], is_line[SETS], turns[SETS][SETS];
static uint8_t third[POINTS][POINTS]; /* the point that completes a line with two others, or NOWHERE */
/* For men that fly, every order of the points that keeps the lines is a symmetry; for men that step, it has to keep the steps too. */
static uint8_t symmetry[MOST_SYMMETRIES][POINTS], keeps_steps[MOST_SYMMETRIES];
static uint16_t image[MOST_SYMMETRIES][SETS];
static int symmetries;
static uint16_t number[POINTS][POINTS][POINTS];
static int is_made, is_larger_made;

/* Four men against three. Sets of four men that a symmetry turns into each other are one class, which has the results of the first of them.
   They are turns until the capture that decides, as `turns` has those until the end. */
static uint32_t first[CLASSES];
static uint16_t class_of[SETS * POINTS];
static uint8_t to_first[SETS * POINTS]; /* the symmetry that turns a set of four into the first of its class */
static uint8_t four_to_move[CLASSES][SETS], three_to_move[CLASSES][SETS];

static uint32_t bit(int point) { return 1u << point; }

static int lowest(uint32_t points) { return __builtin_ctz(points); }

static int highest(uint32_t points) { return 31 - __builtin_clz(points); }

static int number_of(uint32_t men) { return number[lowest(men)][lowest(men & (men - 1))][highest(men)]; }

/* A set of four men as an index, in the order of its points. */
static int place_of(uint32_t men) { return number_of(men & ~bit(highest(men))) * POINTS + highest(men); }

/* The points where men are after every point has become another one. */
static uint32_t reorder(uint32_t men, const uint8_t *order) {
    uint32_t found = 0;
    for (; men; men &= men - 1) found |= bit(order[lowest(men)]);
    return found;
}

static void make_sets(const uint32_t *lines, int count) {
    int found = 0;
    for (int a = 0; a < POINTS; a++) {
        for (int b = a + 1; b < POINTS; b++) {
            for (int c = b + 1; c < POINTS; c++) {
                number[a][b][c] = (uint16_t)found;
                set[found++] = 1u << a | 1u << b | 1u << c;
            }
        }
    }
    for (int i = 0; i < count; i++) {
        is_line[number_of(lines[i])] = 1;
        for (uint32_t rest = lines[i]; rest; rest &= rest - 1) {
            int point = lowest(rest);
            if (lines_through[point] == MOST_LINES) fail();
            through[point][lines_through[point]++] = lines[i] & ~(rest & -rest);
        }
    }
    __builtin_memset(third, NOWHERE, sizeof third);
    for (int a = 0; a < POINTS; a++) {
        for (int i = 0; i < lines_through[a]; i++) {
            int b = lowest(through[a][i]), c = highest(through[a][i]);
            third[a][b] = third[b][a] = (uint8_t)c;
            third[a][c] = third[c][a] = (uint8_t)b;
        }
    }
}

static int keeps_lines(const uint8_t *order, int point) {
    if (lines_through[order[point]] != lines_through[point]) return 0;
    for (int b = 1; b < point; b++) {
        for (int a = 0; a < b; a++) {
            if (is_line[number[a][b][point]] != is_line[number_of(bit(order[a]) | bit(order[b]) | bit(order[point]))]) return 0;
        }
    }
    return 1;
}

static void find_symmetries(uint8_t *order, int point, uint32_t free) {
    if (point == POINTS) {
        if (symmetries == MOST_SYMMETRIES) fail();
        for (int i = 0; i < SETS; i++) image[symmetries][i] = (uint16_t)number_of(reorder(set[i], order));
        __builtin_memcpy(symmetry[symmetries++], order, POINTS);
        return;
    }
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        order[point] = (uint8_t)lowest(rest);
        if (keeps_lines(order, point)) find_symmetries(order, point + 1, free & ~(rest & -rest));
    }
}

/* Whether no image of a set has a lower number. */
static int is_lowest(int of) {
    for (int i = 0; i < symmetries; i++) {
        if (image[i][of] < of) return 0;
    }
    return 1;
}

static int closes(uint32_t men, int point) {
    for (int i = 0; i < lines_through[point]; i++) {
        if ((men & through[point][i]) == through[point][i]) return 1;
    }
    return 0;
}

/* Whether the side to move wins in `turn` turns, or, if that is even, loses. All that ends sooner is known. */
static int ends_in(uint32_t own, uint32_t enemy, int turn) {
    uint32_t empty = ALL & ~(own | enemy);
    int other = number_of(enemy), is_win = turn & 1;
    for (uint32_t men = own; men; men &= men - 1) {
        uint32_t rest = own & ~(men & -men);
        for (uint32_t ends = empty; ends; ends &= ends - 1) {
            int after = turn == 1 ? 0 : turns[other][number_of(rest | (ends & -ends))];
            int is_good = turn == 1 ? closes(rest, lowest(ends)) : after != UNKNOWN && after < turn && (after & 1) != is_win;
            if (is_win && is_good) return 1;
            if (!is_win && !is_good) return 0;
        }
    }
    return !is_win;
}

void make_endings(const uint32_t *lines, int count) {
    if (is_made) return;
    is_made = 1;
    uint8_t order[POINTS];
    make_sets(lines, count);
    find_symmetries(order, 0, ALL);
    for (int turn = 1, found = 1, before = 1; (found || before) && turn < LAST; turn++) {
        before = found;
        found = 0;
        for (int a = 0; a < SETS; a++) {
            if (!is_lowest(a)) continue;
            for (int b = 0; b < SETS; b++) {
                if (set[a] & set[b] || turns[a][b] != UNKNOWN || !ends_in(set[a], set[b], turn)) continue;
                for (int i = 0; i < symmetries; i++) turns[image[i][a]][image[i][b]] = (uint8_t)turn;
                found = 1;
            }
        }
    }
}

int turns_to_end(uint32_t own, uint32_t enemy) { return turns[number_of(own)][number_of(enemy)]; }

/* Divide the sets of four men into classes. The sets come in the order of their indices, and the first symmetry changes nothing. */
static void make_classes(const uint32_t *neighbours) {
    int classes = 0;
    for (int i = 0; i < symmetries; i++) {
        keeps_steps[i] = 1;
        for (int point = 0; point < POINTS; point++) keeps_steps[i] &= reorder(neighbours[point], symmetry[i]) == neighbours[symmetry[i][point]];
    }
    for (int three = 0; three < SETS; three++) {
        for (int last = highest(set[three]) + 1; last < POINTS; last++) {
            uint32_t four = set[three] | bit(last);
            int place = place_of(four), least = place;
            for (int i = 0; i < symmetries; i++) {
                int other = keeps_steps[i] ? place_of(reorder(four, symmetry[i])) : place;
                if (other >= least) continue;
                least = other;
                to_first[place] = (uint8_t)i;
            }
            if (least == place) {
                if (classes == CLASSES) fail();
                first[classes] = four;
                class_of[place] = (uint16_t)classes++;
            } else {
                class_of[place] = class_of[least];
            }
        }
    }
}

/* Find the positions of a class in which the four are to move and that are decided in `turn` turns, and return how many. A mill of the four
   decides at once: two men are left. */
static int settle_four(int of, int turn, const uint32_t *neighbours) {
    struct { uint32_t end; const uint8_t *values; const uint16_t *image; } steps[MOST_STEPS];
    uint32_t closing = 0;
    int count = 0, settled = 0, is_win = turn & 1;
    for (uint32_t men = first[of]; men; men &= men - 1) {
        uint32_t rest = first[of] & ~(men & -men);
        for (uint32_t ends = neighbours[lowest(men)] & ~first[of]; ends; ends &= ends - 1) {
            uint32_t end = ends & -ends;
            int place = place_of(rest | end);
            if (closes(rest, lowest(end))) closing |= end;
            steps[count].end = end;
            steps[count].values = three_to_move[class_of[place]];
            steps[count++].image = image[to_first[place]];
        }
    }
    for (int i = 0; i < SETS; i++) {
        if (first[of] & set[i] || four_to_move[of][i] != UNKNOWN) continue;
        int is_found = turn == 1 ? (closing & ~set[i]) != 0 : !is_win, can_move = 0;
        for (int k = 0; k < count && turn > 1; k++) {
            if (steps[k].end & set[i]) continue;
            int after = steps[k].values[steps[k].image[i]];
            can_move = 1;
            if ((after != UNKNOWN && (after & 1) != is_win) != is_win) continue;
            is_found = is_win;
            break;
        }
        if (!is_found) continue;
        if (!is_win && !can_move) fail(); /* three men cannot block four */
        four_to_move[of][i] = (uint8_t)turn;
        settled++;
    }
    return settled;
}

/* Whether the three, which are to move, can close a mill and take a man so that the remaining three lose. */
static int captures_well(uint32_t four, uint32_t three) {
    uint32_t removable = 0;
    for (uint32_t men = four; men; men &= men - 1) {
        if (!closes(four & ~(men & -men), lowest(men))) removable |= men & -men;
    }
    if (!removable) removable = four;
    for (uint32_t men = three; men; men &= men - 1) {
        uint32_t rest = three & ~(men & -men);
        int end = third[lowest(rest)][highest(rest)];
        if (end == NOWHERE || (four | three) & bit(end)) continue;
        for (uint32_t taken = removable; taken; taken &= taken - 1) {
            if (!(turns_to_end(four & ~(taken & -taken), rest | bit(end)) & 1)) return 1;
        }
    }
    return 0;
}

/* Find those in which the three are to move. Whichever of them flies leaves two others, so the results are first collected by those two: the points from
   which the four win (1) or lose (0) with the third man there. After the first turn, captures need no look: where one helps, the position is decided. */
static int settle_three(int of, int turn) {
    uint32_t ends[2][POINTS][POINTS];
    int settled = 0, is_win = turn & 1;
    __builtin_memset(ends, 0, sizeof ends);
    for (int i = 0; i < SETS; i++) {
        int after = first[of] & set[i] ? UNKNOWN : four_to_move[of][i];
        if (after == UNKNOWN) continue;
        for (uint32_t men = set[i]; men; men &= men - 1) {
            uint32_t rest = set[i] & ~(men & -men);
            ends[after & 1][lowest(rest)][highest(rest)] |= men & -men;
        }
    }
    for (int i = 0; i < SETS; i++) {
        if (first[of] & set[i] || three_to_move[of][i] != UNKNOWN) continue;
        int is_found = turn == 1 ? captures_well(first[of], set[i]) : !is_win;
        for (uint32_t men = set[i]; men && turn > 1; men &= men - 1) {
            uint32_t rest = set[i] & ~(men & -men), good = ends[!is_win][lowest(rest)][highest(rest)] & ~set[i];
            if (is_win ? !good : (good | set[i] | first[of]) == ALL) continue;
            is_found = is_win;
            break;
        }
        if (!is_found) continue;
        three_to_move[of][i] = (uint8_t)turn;
        settled++;
    }
    return settled;
}

void make_larger_endings(const uint32_t *neighbours) {
    if (is_larger_made) return;
    is_larger_made = 1;
    make_classes(neighbours);
    for (int turn = 1, four = 1, three = 1; (four || three) && turn < LAST; turn++) {
        int is_four_near = turn == 1 || three, is_three_near = turn == 1 || four;
        four = three = 0;
        for (int i = 0; i < CLASSES && is_four_near; i++) four += settle_four(i, turn, neighbours);
        for (int i = 0; i < CLASSES && is_three_near; i++) three += settle_three(i, turn);
    }
}

int turns_to_capture(uint32_t four, uint32_t three, int is_four_to_move) {
    int place = place_of(four);
    return (is_four_to_move ? four_to_move : three_to_move)[class_of[place]][image[to_first[place]][number_of(three)]];
}
