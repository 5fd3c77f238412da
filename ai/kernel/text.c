/* Numbers, cells and rows in position lines and moves. */

#include "kernel.h"

int parse_number(char **at, uint32_t *out) {
    uint32_t number = 0;
    char *begin = *at;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        if (number > 100000000) return 0;
        number = number * 10 + (uint32_t)(**at - '0');
    }
    if (*at == begin) return 0;
    if (**at == ' ' || **at == ',') ++*at;
    *out = number;
    return 1;
}

int parse_word(char **at, const char *word) {
    char *here = *at;
    while (*word && *here == *word) here++, word++;
    if (*word || (*here && *here != ' ')) return 0;
    *at = *here ? here + 1 : here;
    return 1;
}

int parse_rows(char **at, const uint8_t *widths, int rows, const char *letters, uint8_t *out) {
    for (int row = 0; row < rows; row++) {
        int left = widths[row];
        while (**at && **at != '/' && **at != ' ') {
            int run = 0, found = 0;
            for (; **at >= '0' && **at <= '9'; ++*at) run = run > 99 ? run : run * 10 + **at - '0';
            if (!run) {
                while (letters[found] && letters[found] != **at) found++;
                if (!letters[found]) return 0;
                found++;
                run = 1;
                ++*at;
            }
            left -= run;
            if (left < 0) return 0;
            while (run--) *out++ = (uint8_t)found;
        }
        if (left || **at != (row < rows - 1 ? '/' : ' ')) return 0;
        ++*at;
    }
    return 1;
}

int parse_cell(char **at, int *file, int *rank) {
    if (**at < 'A' || **at > 'Z') return 0;
    *file = *(*at)++ - 'A';
    int number = 0;
    for (; **at >= '0' && **at <= '9' && number < 100; ++*at) number = number * 10 + **at - '0';
    *rank = number - 1;
    return number > 0;
}

char *put(char *out, const char *text) {
    while (*text) *out++ = *text++;
    return out;
}

char *put_number(char *out, uint32_t number) {
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count) *out++ = digits[--count];
    return out;
}

char *put_cell(char *out, int file, int rank) {
    *out++ = (char)('A' + file);
    return put_number(out, (uint32_t)rank + 1);
}

char *put_rows(char *out, const uint8_t *widths, int rows, const char *letters, const uint8_t *cells) {
    for (int row = 0; row < rows; row++) {
        uint32_t run = 0;
        if (row) *out++ = '/';
        for (int i = 0; i < widths[row]; i++, cells++) {
            if (!*cells) {
                run++;
                continue;
            }
            if (run) out = put_number(out, run);
            run = 0;
            *out++ = letters[*cells - 1];
        }
        if (run) out = put_number(out, run);
    }
    return out;
}
