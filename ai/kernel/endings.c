/* The endings with three men on each side, from the last turn backwards. Whoever closes a mill wins; a turn that closes none only moves a man. */

#include "endings.h"

#include "kernel.h"

enum { POINTS = 24, SETS = 2024, MOST_LINES = 4, UNKNOWN = 0, LAST = 64 };

static uint32_t set[SETS], through[POINTS][MOST_LINES];
static uint8_t lines_through[POINTS], turns[SETS][SETS];
static uint16_t number[POINTS][POINTS][POINTS];
static int is_made;

static int number_of(uint32_t men) {
    int first = __builtin_ctz(men), second = __builtin_ctz(men & (men - 1));
    return number[first][second][31 - __builtin_clz(men)];
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
        for (uint32_t rest = lines[i]; rest; rest &= rest - 1) {
            int point = __builtin_ctz(rest);
            if (lines_through[point] == MOST_LINES) fail();
            through[point][lines_through[point]++] = lines[i] & ~(rest & -rest);
        }
    }
}

static int closes(uint32_t men, int point) {
    for (int i = 0; i < lines_through[point]; i++) {
        if ((men & through[point][i]) == through[point][i]) return 1;
    }
    return 0;
}

/* Whether the side to move wins in `turn` turns, or, if that is even, loses. All that ends sooner is known. */
static int ends_in(uint32_t own, uint32_t enemy, int turn) {
    uint32_t empty = 0xFFFFFF & ~(own | enemy);
    int other = number_of(enemy), is_win = turn & 1;
    for (uint32_t men = own; men; men &= men - 1) {
        uint32_t rest = own & ~(men & -men);
        for (uint32_t ends = empty; ends; ends &= ends - 1) {
            int after = turn == 1 ? 0 : turns[other][number_of(rest | (ends & -ends))];
            int is_good = turn == 1 ? closes(rest, __builtin_ctz(ends)) : after != UNKNOWN && after < turn && (after & 1) != is_win;
            if (is_win && is_good) return 1;
            if (!is_win && !is_good) return 0;
        }
    }
    return !is_win;
}

void make_endings(const uint32_t *lines, int count) {
    if (is_made) return;
    is_made = 1;
    make_sets(lines, count);
    for (int turn = 1, found = 1, before = 1; (found || before) && turn < LAST; turn++) {
        before = found;
        found = 0;
        for (int a = 0; a < SETS; a++) {
            for (int b = 0; b < SETS; b++) {
                if (set[a] & set[b] || turns[a][b] != UNKNOWN || !ends_in(set[a], set[b], turn)) continue;
                turns[a][b] = (uint8_t)turn;
                found = 1;
            }
        }
    }
}

int turns_to_end(uint32_t own, uint32_t enemy) { return turns[number_of(own)][number_of(enemy)]; }
