/* Other names under which libc exports functions that the runtime has: which of them a program calls depends
 * on feature macros (_FILE_OFFSET_BITS, _XOPEN_SOURCE) and on age. A jump keeps the caller's address, from
 * which the source line is taken. */
#include "rt/core/rt.h"

#define ALIAS(name, of)                                                                            \
    __asm__(".pushsection .text\n"                                                                 \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", @function\n" #name ": jmp " #of "@PLT\n"                             \
            ".size " #name ", . - " #name "\n"                                                     \
            ".popsection");

ALIAS(bsd_signal, signal)
ALIAS(ssignal, signal)
ALIAS(sysv_signal, __sysv_signal)
ALIAS(gsignal, raise)
ALIAS(__sigaction, sigaction)
ALIAS(__sigsuspend, sigsuspend)

ALIAS(getrlimit64, getrlimit)
ALIAS(setrlimit64, setrlimit)
ALIAS(prlimit64, prlimit)

ALIAS(tmpfile64, tmpfile)
ALIAS(freopen64, freopen)
ALIAS(fseeko64, fseeko)
ALIAS(ftello64, ftello)
ALIAS(fgetpos64, fgetpos)
ALIAS(fsetpos64, fsetpos)
ALIAS(stat64, stat)
ALIAS(lstat64, lstat)
ALIAS(fstat64, fstat)
ALIAS(fstatat64, fstatat)
ALIAS(statfs64, statfs)
ALIAS(fstatfs64, fstatfs)
ALIAS(statvfs64, statvfs)
ALIAS(fstatvfs64, fstatvfs)
ALIAS(glob64, glob)
ALIAS(readdir64, readdir)
ALIAS(fallocate64, fallocate)
ALIAS(posix_fallocate64, posix_fallocate)
ALIAS(sendfile64, sendfile)
ALIAS(preadv64, preadv)
ALIAS(preadv64v2, preadv2)
ALIAS(pwritev64, pwritev)
ALIAS(pwritev64v2, pwritev2)
ALIAS(mkstemp64, mkstemp)
ALIAS(mkostemp64, mkostemp)
ALIAS(mkstemps64, mkstemps)
ALIAS(__open, open)
ALIAS(__open64, open64)
ALIAS(__read, read)
ALIAS(__write, write)
ALIAS(__close, close)
ALIAS(__fcntl, fcntl)
ALIAS(__dup2, dup2)
ALIAS(__pipe, pipe)
ALIAS(__poll, poll)
ALIAS(__select, select)
ALIAS(__connect, connect)
ALIAS(__send, send)
ALIAS(_IO_fopen, fopen)
ALIAS(_IO_fclose, fclose)
ALIAS(_IO_popen, popen)

ALIAS(__getdelim, getdelim)
ALIAS(scanf, __isoc99_scanf)
ALIAS(fscanf, __isoc99_fscanf)
ALIAS(sscanf, __isoc99_sscanf)
ALIAS(vscanf, __isoc99_vscanf)
ALIAS(vfscanf, __isoc99_vfscanf)
ALIAS(vsscanf, __isoc99_vsscanf)

ALIAS(__fork, fork)
ALIAS(__vfork, vfork)
ALIAS(__getpid, getpid)
ALIAS(__nanosleep, nanosleep)
ALIAS(__gettimeofday, gettimeofday)
ALIAS(__sched_yield, sched_yield)
ALIAS(__pthread_key_create, pthread_key_create)

ALIAS(index, strchr)
ALIAS(rindex, strrchr)
ALIAS(__bzero, bzero)
ALIAS(__mempcpy, mempcpy)
ALIAS(__stpcpy, stpcpy)
ALIAS(__stpncpy, stpncpy)
ALIAS(__strdup, strdup)
ALIAS(__strndup, strndup)
