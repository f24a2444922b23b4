/* One thread makes a file, renames it or removes it, the other lists the folder, by calls of every kind: it
 * finds what was there before or what is there after. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *how;
static char folder[] = "/tmp/raddle-listed-XXXXXX", old[64], new[64];
static int walked;

static void *change(void *arg)
{
    if (!strcmp(how, "removed"))
        unlink(old);
    else if (!strcmp(how, "renamed"))
        rename(old, new);
    else if (!strcmp(how, "linked"))
        assert(symlink("x", new) == 0);
    else if (!strcmp(how, "made"))
        mkdir(new, 0700);
    else
        close(open(new, O_CREAT | O_WRONLY, 0600));
    return arg;
}

static int no_dot(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int walk(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    walked += kind == FTW_F;
    return 0;
}

static int sum_of_names(void)
{
    struct dirent **names;
    glob_t found;
    int n = 0;
    if (!strcmp(how, "scanned")) {
        n = scandir(folder, &names, no_dot, alphasort);
        for (int i = 0; i < n; i++)
            free(names[i]);
        free(names);
        return n;
    }
    if (!strcmp(how, "globbed")) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "%s/*", folder);
        glob(pattern, 0, NULL, &found);
        n = (int)found.gl_pathc;
        globfree(&found);
        return n;
    }
    if (!strcmp(how, "walked"))
        return nftw(folder, walk, 4, FTW_PHYS) ? -1 : walked;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        n += no_dot(e) ? e->d_name[0] == 'o' ? 1 : 10 : 0;
    closedir(d);
    return n;
}

int main(int argc, char **argv)
{
    how = argv[1];
    assert(mkdtemp(folder));
    snprintf(old, sizeof old, "%s/old", folder);
    snprintf(new, sizeof new, "%s/new", folder);
    close(open(old, O_CREAT | O_WRONLY, 0600));
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    int seen = sum_of_names();
    pthread_join(t, NULL);
    unlink(old);
    remove(new);
    rmdir(folder);
    assert(seen != atoi(argv[2])); /* BUG */
    return 0;
}
