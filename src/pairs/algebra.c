/* Constructions:
 *   two values, pairs: the columns are all halves of the rows (Kleitman, Spencer 1973; optimal);
 *   k <= q+1 columns over a field of q elements: values of the polynomials of degree < t at its
 *     points and at infinity (Bush 1952), q^t rows;
 *   pairs, more columns: a column is numbered (i, j1, j2, …). The first q^2 rows show column i of
 *     the array above, so columns with different i are covered and those with the same i agree;
 *     each further block of q^2-q rows is the array without its constant rows, at column j1, j2, …,
 *     and covers the remaining, unequal pairs: q^2 + s(q^2-q) rows, (q+1) q^s columns.
 *   two values, triples: for up to 11 columns the 12 rows of Plackett and Burman (1946), in any
 *     three columns of which all eight combinations occur; for twice as many the doubling of Roux
 *     (1987): the array twice side by side, below it one for pairs beside its complement.
 * The field of p^m elements is made of polynomials over Z_p modulo an irreducible one, found by
 * trying. Bounds: the largest product of t sizes; for two values Kleitman-Spencer; for three values
 * the known optima; one more than d^2 if there are more than d+1 parameters of d values. */
#include "pairs/algebra.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FIELD 64
#define MAX_ROWS 1000000

struct algebra_field {
    int q, p, m;
    unsigned char add[MAX_FIELD][MAX_FIELD], mul[MAX_FIELD][MAX_FIELD];
};

static int prime_power(int q, int *p, int *m)
{
    for (*p = 2; *p <= q; ++*p)
        if (q % *p == 0)
            break;
    int x = 1;
    for (*m = 0; x < q; ++*m)
        x *= *p;
    return q > 1 && x == q;
}

/* Product of two elements (digits in base p) modulo x^m + (digits of f). */
static int multiply(const struct algebra_field *k, int a, int b, int f)
{
    int digits[16] = {0}, result = 0;
    for (int i = 0, x = a; x; i++, x /= k->p)
        for (int j = 0, y = b; y; j++, y /= k->p)
            digits[i + j] += (x % k->p) * (y % k->p);
    for (int i = 2 * k->m - 2; i >= k->m; i--)
        for (int j = 0, y = f; j < k->m; j++, y /= k->p)
            digits[i - k->m + j] += (k->p - y % k->p) * (digits[i] % k->p);
    for (int i = k->m - 1; i >= 0; i--)
        result = result * k->p + digits[i] % k->p;
    return result;
}

static int try_modulus(struct algebra_field *k, int f)
{
    for (int a = 1; a < k->q; a++)
        for (int b = a; b < k->q; b++) {
            int c = multiply(k, a, b, f);
            if (c == 0)
                return 0; /* zero divisors: f is reducible */
            k->mul[a][b] = k->mul[b][a] = (unsigned char)c;
        }
    return 1;
}

static int field_init(struct algebra_field *k, int q)
{
    memset(k, 0, sizeof *k);
    k->q = q;
    if (q > MAX_FIELD || !prime_power(q, &k->p, &k->m))
        return -1;
    for (int a = 0; a < q; a++)
        for (int b = 0; b < q; b++)
            for (int x = a, y = b, unit = 1; unit < q; x /= k->p, y /= k->p, unit *= k->p)
                k->add[a][b] = (unsigned char)(k->add[a][b] + (x + y) % k->p * unit);
    for (int f = 0; f < q; f++)
        if (k->m == 1 ? f == 0 : 1)
            if (try_modulus(k, f))
                return 0;
    return -1;
}

/* Value of the polynomial whose coefficients are the base-q digits of `row` at a point; the point q
 * is infinity (the leading coefficient). */
static int at_point(const struct algebra_field *k, int row, int t, int point)
{
    int value = 0, coefficient[PAIRS_MAX_STRENGTH] = {0};
    for (int i = 0; i < t; i++, row /= k->q)
        coefficient[i] = row % k->q;
    if (point == k->q)
        return coefficient[t - 1];
    for (int i = t - 1; i >= 0; i--)
        value = k->add[k->mul[value][point]][coefficient[i]];
    return value;
}

static void set_cell(const struct problem *p, int16_t *row, int param, int value)
{
    if (value < p->levels[param])
        row[param] = (int16_t)value;
}

static int polynomial_array(const struct problem *p, struct table *t, const struct algebra_field *k,
                            int strength, const int *params, int count)
{
    int rows = 1, columns = count < k->q + 1 ? count : k->q + 1;
    for (int i = 0; i < strength; i++)
        if ((rows *= k->q) > MAX_ROWS)
            return 0;
    for (int r = 0; r < rows; r++) {
        int16_t *row = table_add(t);
        for (int c = 0; c < columns; c++)
            set_cell(p, row, params[c], at_point(k, r, strength, c));
    }
    return columns;
}

/* The product construction for pairs; also the plain array if it has enough columns. */
static int product_array(const struct problem *p, struct table *t, const struct algebra_field *k,
                         const int *params, int count)
{
    int q = k->q, columns = q + 1, levels = 0;
    polynomial_array(p, t, k, 2, params, count);
    for (int c = q + 1; c < count; c++) /* columns with the same i agree in the first block */
        for (int r = 0; r < q * q; r++)
            set_cell(p, table_row(t, t->count - (size_t)(q * q) + (size_t)r), params[c],
                     at_point(k, r, 2, c % (q + 1)));
    for (; columns < count; columns *= q)
        levels++;
    for (int level = 0, unit = q + 1; level < levels; level++, unit *= q)
        for (int r = 0; r < q * q; r++) {
            if (r / q == 0) /* slope 0: a constant row */
                continue;
            int16_t *row = table_add(t);
            for (int c = 0; c < count; c++)
                set_cell(p, row, params[c], at_point(k, r, 2, c / unit % q));
        }
    return count;
}

static unsigned long long choose(int n, int k)
{
    unsigned long long c = 1;
    for (int i = 1; i <= k; i++)
        if ((c = c * (unsigned long long)(n - k + i) / (unsigned long long)i) > 1u << 30)
            return c;
    return c;
}

/* The number of rows that `count` two-valued columns need. */
static int binary_rows(int count)
{
    int n = 4;
    while (choose(n - 1, (n + 1) / 2) < (unsigned long long)count)
        n++;
    return n;
}

static int binary_array(const struct problem *p, struct table *t, const int *params, int count)
{
    int n = binary_rows(count), ones = (n + 1) / 2, c = 0;
    size_t first = t->count;
    for (int r = 0; r < n; r++)
        table_add(t);
    for (unsigned mask = 0; mask < 1u << (n - 1) && c < count; mask++) {
        if (__builtin_popcount(mask) != ones)
            continue;
        for (int r = 0; r < n; r++)
            set_cell(p, table_row(t, first + (size_t)r), params[c], r > 0 && (mask >> (r - 1) & 1));
        c++;
    }
    return c;
}

/* The 12-run design of Plackett and Burman: rotations of one row, and a constant one. */
static int triples_base(const struct problem *p, struct table *t, const int *params, int count)
{
    static const char row11[] = "11011100010";
    for (int r = 0; r < 12; r++) {
        int16_t *row = table_add(t);
        for (int c = 0; c < count; c++)
            set_cell(p, row, params[c], r < 11 && row11[(c + r) % 11] == '1');
    }
    return count;
}

static int triples_array(const struct problem *p, struct table *t, const int *params, int count)
{
    if (count <= 11)
        return triples_base(p, t, params, count);
    int half = (count + 1) / 2;
    size_t first = t->count;
    triples_array(p, t, params, half);
    size_t pairs = t->count;
    binary_array(p, t, params, half);
    for (size_t r = first; r < t->count; r++)
        for (int c = half; c < count; c++) {
            int16_t *row = table_row(t, r);
            set_cell(p, row, params[c], row[params[c - half]] ^ (r >= pairs));
        }
    return count;
}

int algebra_array(const struct problem *p, struct table *t, int strength, int values,
                  const int *params, int count)
{
    if (values == 2 && strength == 2 && count > 3)
        return binary_array(p, t, params, count);
    if (values == 2 && strength == 3 && count > 4)
        return triples_array(p, t, params, count);
    struct algebra_field k;
    int q = values;
    while (q <= MAX_FIELD && field_init(&k, q))
        q++;
    if (q > MAX_FIELD || q + 1 < strength || values < 2)
        return 0;
    return strength == 2 ? product_array(p, t, &k, params, count)
                         : polynomial_array(p, t, &k, strength, params, count);
}

/* ---- lower bounds ---- */

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

static size_t pairs_bound(const int *d, int n)
{
    static const size_t three[] = {9, 9, 9, 9, 9, 11, 12, 12, 13, 13, 14, 15};
    size_t best = 0;
    int twos = 0, threes = 0;
    for (int i = 0; i < n; i++) {
        twos += d[i] >= 2;
        threes += d[i] >= 3;
        int more_than_orthogonal = i >= d[i] + 1 && d[i] > 1;
        size_t x = (size_t)d[i] * (size_t)d[i] + (size_t)more_than_orthogonal;
        best = i > 0 && x > best ? x : best;
    }
    if (twos > 3 && (size_t)binary_rows(twos) > best)
        best = (size_t)binary_rows(twos);
    size_t x = threes > 4 ? three[threes < 11 ? threes : 11] : 0;
    return x > best ? x : best;
}

size_t algebra_lower_bound(const struct problem *p)
{
    int n = p->n, *d = mem_alloc(sizeof(int) * (size_t)(n + 1));
    memcpy(d, p->levels, sizeof(int) * (size_t)n);
    qsort(d, (size_t)n, sizeof *d, descending);
    size_t bound = 1;
    for (int i = 0; i < p->strength && i < n; i++)
        bound *= (size_t)d[i];
    if (p->strength == 2 && n > 2) {
        size_t x = pairs_bound(d, n);
        bound = x > bound ? x : bound;
    }
    int twos = 0;
    for (int i = 0; i < n; i++)
        twos += d[i] >= 2;
    if (p->strength == 3 && twos > 4) { /* the tests with one value of a parameter cover pairs */
        size_t x = 2 * (size_t)binary_rows(twos - 1);
        bound = x > bound ? x : bound;
    }
    free(d);
    return bound;
}
