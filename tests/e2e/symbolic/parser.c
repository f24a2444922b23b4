/* A number with a sign and an operator: enough branches for an optimiser to merge some. */
#include <raddle.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int evaluate(const char *s)
{
    int sign = 1, value = 0;
    while (*s == ' ')
        s++;
    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    if (!is_digit(*s))
        return -1;
    while (is_digit(*s))
        value = value * 10 + (*s++ - '0');
    switch (*s) {
    case '*':
        return 2 * value * sign;
    case '/':
        return value / 2;
    case 0:
        return value * sign;
    default:
        return -1;
    }
}

int main(void)
{
    char line[5];
    raddle_input_string(line, sizeof line, "line");
    return evaluate(line) == 77;
}
