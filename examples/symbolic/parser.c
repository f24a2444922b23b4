/* A parser that feeds a worker through a queue of one command. The line is input: "s" or "a" and a digit,
 * commands separated by ';'. At the end, and for a command `s0`, it tells the worker to stop. A
 * command that follows `s0` finds the worker gone, and the parser waits for ever.
 *
 *     raddle cc --symbolic -g -o parser parser.c -pthread && raddle run ./parser */
#include <pthread.h>
#include <raddle.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
    char verb;
    int number;
    bool full;
} slot;
static int total;

static void *worker(void *unused)
{
    for (bool stop = false; !stop;) {
        pthread_mutex_lock(&lock);
        while (!slot.full)
            pthread_cond_wait(&changed, &lock);
        if (slot.verb == 'a')
            total += slot.number;
        stop = slot.verb == 's' && slot.number == 0;
        slot.full = false;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void hand_over(char verb, int number)
{
    pthread_mutex_lock(&lock);
    while (slot.full)
        pthread_cond_wait(&changed, &lock);
    slot.verb = verb;
    slot.number = number;
    slot.full = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* The rest of a line that is not understood is left out. */
static void parse(const char *line)
{
    for (; (line[0] == 's' || line[0] == 'a') && line[1] >= '0' && line[1] <= '9'; line += 3) {
        hand_over(line[0], line[1] - '0');
        if (line[2] != ';')
            break;
    }
}

int main(void)
{
    pthread_t t;
    char line[7];
    raddle_input_string(line, sizeof line, "line");
    pthread_create(&t, NULL, worker, NULL);
    parse(line);
    hand_over('s', 0);
    pthread_join(t, NULL);
    return 0;
}
