/* The network: forward for the search, and backward to learn. */

#include "network.h"

/* How much the value of a search counts beside the result, and how much faster the steps learn than the chances. */
#define VALUE_WEIGHT 4.0f
#define RESULT_WEIGHT 0.5f
#define POLICY_RATE 1.33f

enum { MOST_LEARNED = 1024 }; /* steps of a position */

#define ROWS(inputs, values, parts) ((inputs) + (values) + 1 + GAME_PHASES * WIN_OR_DRAW + (parts) + FEATURES)
#define NUMBERS(inputs, values, parts, hidden) (ROWS(inputs, values, parts) * (hidden) + GAME_PHASES * (WIN_OR_DRAW + FEATURES))
#define NETWORK(name, inputs, values, parts, hidden) \
    _Static_assert((int)(parts) <= MAX_PARTS && (int)(hidden) <= MAX_HIDDEN, "a network must fit"); \
    static float name##_numbers[NUMBERS(inputs, values, parts, hidden)]; \
    static const Sizes name = {inputs, values, parts, hidden, sizeof name##_numbers / sizeof *name##_numbers, name##_numbers}

typedef struct {
    int inputs, values, parts, hidden, count;
    float *numbers;
} Sizes;

NETWORK(small, 489, 0, 162, 256);
NETWORK(large, 1017, 17, 338, 128);
NETWORK(mills, MILL_INPUTS, 12, MILL_PARTS, 64);

static const Sizes *sizes_of(int of) { return of == SMALL ? &small : of == LARGE ? &large : &mills; }

static const Game *game;
static const Position *position;
static int symmetry, active, phase;
static uint16_t inputs[MAX_INPUTS];
static Network network;
static float hidden[MAX_HIDDEN], values[FEATURES];

float *network_numbers(int of) { return sizes_of(of)->numbers; }

int count_network_numbers(int of) { return sizes_of(of)->count; }

static void use_network(int of) {
    const Sizes *sizes = sizes_of(of);
    const int all = sizes->hidden;
    if (network.input == sizes->numbers) return;
    network = (Network){.values = sizes->values, .parts = sizes->parts, .hidden = all, .input = sizes->numbers};
    network.value = network.input + sizes->inputs * all;
    network.bias = network.value + network.values * all;
    network.chance = network.bias + all;
    network.chance_bias = network.chance + GAME_PHASES * WIN_OR_DRAW * all;
    network.part = network.chance_bias + GAME_PHASES * WIN_OR_DRAW;
    network.feature = network.part + network.parts * all;
    network.feature_bias = network.feature + FEATURES * all;
}

static float *chance_row(int k) { return network.chance + (phase * WIN_OR_DRAW + k) * network.hidden; }
static float *chance_bias(int k) { return network.chance_bias + phase * WIN_OR_DRAW + k; }
static float *feature_bias(int i) { return network.feature_bias + phase * FEATURES + i; }

float exponential(float x) {
    union { uint32_t bits; float number; } scale;
    x *= 1.442695041f;
    if (x < -120) return 0;
    if (x > 120) x = 120;
    int whole = (int)(x + 150) - 150;
    float f = (x - (float)whole) * 0.6931471806f;
    scale.bits = (uint32_t)(whole + 127) << 23;
    return scale.number * (1 + f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * 0.0083333f)))));
}

/* In parts, which the compiler computes at once. */
static float dot(const float *row) {
    enum { PARTS = 16 };
    float part[PARTS] = {0};
    for (int h = 0, all = network.hidden; h < all; h += PARTS) {
        for (int k = 0; k < PARTS; k++) part[k] += hidden[h + k] * row[h + k];
    }
    for (int half = PARTS / 2; half; half /= 2) {
        for (int k = 0; k < half; k++) part[k] += part[k + half];
    }
    return part[0];
}

int show(const Game *played, const Position *at, int seen_through) {
    game = played;
    position = at;
    symmetry = seen_through;
    int of = game->network ? game->network(position) : NONE;
    if (of == NONE) return 0;
    use_network(of);
    active = game->inputs(position, symmetry, inputs);
    phase = game->phase(position) % GAME_PHASES;
    const int all = network.hidden;
    for (int h = 0; h < all; h++) hidden[h] = network.bias[h];
    for (int i = 0; i < active; i++) {
        const float *row = network.input + inputs[i] * all;
        for (int h = 0; h < all; h++) hidden[h] += row[h];
    }
    if (network.values) game->values(position, values);
    for (int i = 0; i < network.values; i++) {
        const float *row = network.value + i * all;
        for (int h = 0; h < all; h++) hidden[h] += values[i] * row[h];
    }
    for (int h = 0; h < all; h++) hidden[h] = hidden[h] > 0 ? hidden[h] : 0;
    return active;
}

void estimate_chances(float *win, float *draw) {
    float odds[WIN_OR_DRAW];
    for (int k = 0; k < WIN_OR_DRAW; k++) odds[k] = exponential(*chance_bias(k) + dot(chance_row(k)));
    float sum = 1 + odds[0] + odds[1];
    *win = odds[0] / sum;
    *draw = odds[1] / sum;
}

void compute_logits(const Step *steps, int count, float *logits) {
    static float part_logit[MAX_PARTS], feature_logit[FEATURES];
    uint8_t is_known[MAX_PARTS] = {0};
    uint16_t parts[PARTS_OF_STEP];
    for (int i = 0; i < FEATURES; i++) feature_logit[i] = *feature_bias(i) + dot(network.feature + i * network.hidden);
    for (int i = 0; i < count; i++) {
        logits[i] = 0;
        for (int k = 0, all = game->parts(steps[i], symmetry, parts); k < all; k++) {
            int part = parts[k];
            if (!is_known[part]) is_known[part] = 1, part_logit[part] = dot(network.part + part * network.hidden);
            logits[i] += part_logit[part];
        }
        for (uint32_t found = game->features(position, steps[i]); found; found &= found - 1) logits[i] += feature_logit[__builtin_ctz(found)];
    }
}

/* Turn logits into shares, in place. */
static void soften(float *logits, int count) {
    float highest = -1e9f, sum = 0;
    for (int i = 0; i < count; i++) highest = logits[i] > highest ? logits[i] : highest;
    for (int i = 0; i < count; i++) sum += logits[i] = exponential(logits[i] - highest);
    for (int i = 0; i < count; i++) logits[i] /= sum;
}

/* Move the weights in `row`, which the hidden layer is multiplied by, against `change`; add to `slope` what the hidden layer has to do with it. */
static void descend(float *row, float *slope, float change) {
    for (int h = 0, all = network.hidden; h < all; h++) {
        slope[h] += change * row[h];
        row[h] -= change * hidden[h];
    }
}

static void learn_chances(int result, float value, float *slope, float rate) {
    float chance[WIN_OR_DRAW];
    estimate_chances(&chance[0], &chance[1]);
    float expected = chance[0] + 0.5f * chance[1];
    for (int k = 0; k < WIN_OR_DRAW; k++) {
        float worth = k ? 0.5f : 1, target = result == 2 - k ? 1 : 0;
        float change = rate * (RESULT_WEIGHT * (chance[k] - target) + VALUE_WEIGHT * (expected - value) * chance[k] * (worth - expected));
        descend(chance_row(k), slope, change);
        *chance_bias(k) -= change;
    }
}

static void learn_steps(const Step *steps, int count, const float *shares, float *slope, float rate) {
    static float odds[MOST_LEARNED];
    float part_change[MAX_PARTS] = {0}, feature_change[FEATURES] = {0};
    uint16_t parts[PARTS_OF_STEP];
    if (count > MOST_LEARNED) return;
    compute_logits(steps, count, odds);
    soften(odds, count);
    for (int i = 0; i < count; i++) {
        float change = rate * (odds[i] - shares[i]);
        for (int k = game->parts(steps[i], symmetry, parts) - 1; k >= 0; k--) part_change[parts[k]] += change;
        for (uint32_t found = game->features(position, steps[i]); found; found &= found - 1) feature_change[__builtin_ctz(found)] += change;
    }
    /* In the order in which the networks have learned from the beginning, as it decides the last bits. */
    for (int i = 0, half = network.parts / 2; i < half; i++) {
        for (int part = i; part < network.parts; part += half) {
            if (part_change[part] != 0) descend(network.part + part * network.hidden, slope, part_change[part]);
        }
    }
    for (int i = 0; i < FEATURES; i++) {
        *feature_bias(i) -= feature_change[i];
        if (feature_change[i] != 0) descend(network.feature + i * network.hidden, slope, feature_change[i]);
    }
}

void learn(int result, float value, const Step *steps, int count, const float *shares, float rate) {
    float slope[MAX_HIDDEN] = {0};
    const int all = network.hidden;
    learn_chances(result, value, slope, rate);
    if (shares) learn_steps(steps, count, shares, slope, POLICY_RATE * rate);
    for (int h = 0; h < all; h++) slope[h] = hidden[h] > 0 ? slope[h] : 0;
    for (int h = 0; h < all; h++) network.bias[h] -= slope[h];
    for (int i = 0; i < active; i++) {
        float *row = network.input + inputs[i] * all;
        for (int h = 0; h < all; h++) row[h] -= slope[h];
    }
    for (int i = 0; i < network.values; i++) {
        float *row = network.value + i * all;
        for (int h = 0; h < all; h++) row[h] -= values[i] * slope[h];
    }
}
