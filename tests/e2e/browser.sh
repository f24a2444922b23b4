#!/usr/bin/env bash
# The pages in a browser: how they look, stepping by keyboard, without scripts, nothing from outside, hostile text, a
# long schedule. The pictures stay in build/pictures.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
unset CI
pictures=$TOP/build/pictures
mkdir -p pages "$pictures"
build() { "$RADDLE" cc -g -o "$1" "$2" -pthread; }
for p in three_locks lost_wakeup race use_after_free selective_wait property; do
    build $p "$TOP/examples/reports/$p.c" || exit 1
done
for p in three_locks lost_wakeup use_after_free; do "$RADDLE" run -q --html pages/$p.html ./$p >/dev/null; done
"$RADDLE" run -q -k -n 2000 --engine icb --coverage c.csv --html pages/race.html ./race >/dev/null
"$RADDLE" run -q --engine reach --html pages/selective_wait.html ./selective_wait >/dev/null
"$RADDLE" run -q --property 'audit:property.c:31 && from + to != 100' --html pages/property.html ./property >/dev/null
"$RADDLE" model -q --html pages/model.html "$TOP/examples/reports/forks.efsm" >/dev/null
cp "$TOP/examples/reports/inputs.html" pages
build counter "$TOP/examples/unit/counter.c" && "$RADDLE" test --html pages/tests.html ./counter >/dev/null
mkdir elsewhere && cat >elsewhere/names.cc <<'C'
#include <cassert>
#include <functional>
#include <pthread.h>
#include <utility>
template <class Job, template <class> class Queue> struct Worker {
    Job job_with_a_rather_long_name_of_its_own{};
    static void *thread_function(void *w)
    {
        static_cast<Worker *>(w)->job_with_a_rather_long_name_of_its_own.first++;
        return nullptr;
    }
};
template <class T> struct BoundedQueue {};
static Worker<std::pair<int, std::function<void(int)>>, BoundedQueue> the_only_worker_of_this_program;
int main()
{
    pthread_t t[2];
    for (auto &one : t)
        pthread_create(&one, 0, the_only_worker_of_this_program.thread_function, &the_only_worker_of_this_program);
    for (auto &one : t)
        pthread_join(one, 0);
    assert(the_only_worker_of_this_program.job_with_a_rather_long_name_of_its_own.first == 2);
}
C
(cd elsewhere && "$RADDLE" c++ -g -o ../names names.cc -pthread) && "$RADDLE" run -q --html pages/names.html ./names >/dev/null
cat >hostile.c <<'C'
#include <assert.h>
#include <raddle.h>
#include <stdio.h>
#include <string.h>
static char line[10 << 20];
int main(void)
{
    raddle_note("</script><img src=x>\033]0;title\007 \xff \xe2\x80\xae``` | , :");
    memset(line, 'x', sizeof line);
    memcpy(line, "<b onclick=alert(1)>\033[1m\xf0\x28]]>", 27);
    fwrite(line, 1, sizeof line, stdout); /* 10 MB on one line */
    fflush(stdout);
    assert(!"</pre><script>alert(1)</script>");
}
C
build hostile hostile.c && "$RADDLE" run -q --html pages/hostile.html --sarif s --junit j.xml --markdown m ./hostile >text
[ "$(cat pages/hostile.html s j.xml m text | wc -c)" -lt 500000 ]
tap $? "10 MB on one line are cut in every format" "$(wc -c pages/hostile.html s j.xml m text)"
cat >long.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static void *work(void *unused)
{
    for (int i = 0; i < 1250; i++) {
        pthread_mutex_lock(&m);
        turns++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(turns != 2500);
}
C
build long long.c && "$RADDLE" run -q --no-shrink -n 1 --engine random --html pages/long.html ./long >/dev/null
[ "$(stat -c %s pages/long.html)" -lt 1000000 ]
tap $? "the page of 5,000 steps is smaller than 1 MB" "$(stat -c %s pages/long.html)"
timeout "${RADDLE_LONG:+3}600" python3 "$TOP/tests/browser/pages.py" pages "$pictures" >log 2>&1
status=$?
retell log
[ $status -eq 0 ]
tap $? "the browser was asked everything" "$(tail -5 log)"
finish
