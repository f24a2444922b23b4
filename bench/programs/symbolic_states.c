/* A state machine that reads 6 bytes: words, numbers, and what is in quotes. */
#include <raddle.h>

enum { START, WORD, NUMBER, QUOTED, ESCAPED, FAILED };

static int next(int state, unsigned char c)
{
    switch (state) {
    case START:
        return c == '"' ? QUOTED : c >= '0' && c <= '9' ? NUMBER : c >= 'a' && c <= 'z' ? WORD : START;
    case WORD:
        return c == ' ' ? START : WORD;
    case NUMBER:
        return c == ' ' ? START : c >= '0' && c <= '9' ? NUMBER : FAILED;
    case QUOTED:
        return c == '\\' ? ESCAPED : c == '"' ? START : QUOTED;
    case ESCAPED:
        return QUOTED;
    default:
        return FAILED;
    }
}

int main(void)
{
    unsigned char bytes[6];
    int state = START;
    raddle_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 6 && state != FAILED; i++)
        state = next(state, bytes[i]);
    return 0;
}
