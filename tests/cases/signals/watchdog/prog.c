/* Alarms that end a program which hangs: they do not go off as long as somebody can go on, and if
 * nobody can that is a deadlock (any argument). */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void hangs(int sig)
{
    abort();
}

static void *work(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    timer_t timer;
    struct itimerspec ten = {.it_value = {.tv_sec = 10}};
    struct itimerval five = {.it_value = {.tv_sec = 5}};
    struct sigevent kill = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_create(CLOCK_MONOTONIC, &kill, &timer);
    timer_settime(timer, 0, &ten, NULL);
    signal(SIGALRM, hangs);
    alarm(20);
    setitimer(ITIMER_REAL, &five, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(argc > 1 ? &b : &a);
    pthread_mutex_lock(argc > 1 ? &a : &b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, NULL);
    return 0;
}
