/* A session is closed by one thread while another still sends. The lock protects the pointer's use,
 * but not the time between looking it up and using it. */
#include <pthread.h>
#include <stdlib.h>

struct session {
    int socket;
    int sent;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static struct session *look_up(void)
{
    pthread_mutex_lock(&lock);
    struct session *s = current;
    pthread_mutex_unlock(&lock);
    return s;
}

static void *send_reply(void *unused)
{
    struct session *s = look_up();
    if (s)
        s->sent++;
    return unused;
}

static void *hang_up(void *unused)
{
    pthread_mutex_lock(&lock);
    struct session *s = current;
    current = NULL;
    pthread_mutex_unlock(&lock);
    free(s);
    return unused;
}

static struct session *open_session(int socket)
{
    struct session *s = calloc(1, sizeof *s);
    s->socket = socket;
    return s;
}

int main(void)
{
    pthread_t sender, closer;
    current = open_session(4);
    pthread_create(&sender, NULL, send_reply, NULL);
    pthread_create(&closer, NULL, hang_up, NULL);
    pthread_join(sender, NULL);
    pthread_join(closer, NULL);
    return 0;
}
