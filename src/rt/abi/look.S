/* bool access_try(void *to, uintptr_t from, size_t size): copies what is there; false: it cannot be read. The
 * handler of crashes (access_recovers) sees the fault that this makes, and goes on at access_try_failed. */
        .text
        .globl  access_try, access_try_reads, access_try_failed
        .hidden access_try, access_try_reads, access_try_failed
        .type   access_try, @function
access_try:
        .cfi_startproc
        movq    %rdx, %rcx
access_try_reads:
        rep movsb
        movl    $1, %eax
        ret
access_try_failed:
        xorl    %eax, %eax
        ret
        .cfi_endproc
        .size   access_try, .-access_try
        .section .note.GNU-stack,"",@progbits
