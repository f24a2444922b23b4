/* bool access_try(void *to, uintptr_t from, size_t size): copies what is there; false: it cannot be
 * read. The handler of crashes (access_recovers) sees the fault that this makes, and goes on at
 * access_try_failed. uint64_t access_look(uintptr_t address, size_t size): the first 8 bytes at most;
 * 0 where nothing is. */
        .text
        .globl  access_look, access_try, access_try_reads, access_try_failed
        .hidden access_look, access_try, access_try_reads, access_try_failed
        .type   access_try, @function
access_try:
        .cfi_startproc
        movq    %rdx, %rcx
access_try_reads:
        rep movsb
        movl    $1, %eax
        ret
access_look:
        cmpq    $4, %rsi
        jne     1f
        movl    (%rdi), %eax
        ret
1:      cmpq    $8, %rsi
        jb      2f
        movq    (%rdi), %rax
        ret
2:      cmpq    $1, %rsi
        jne     3f
        movzbl  (%rdi), %eax
        ret
3:      cmpq    $2, %rsi
        jne     access_look_odd
        movzwl  (%rdi), %eax
        ret
access_try_failed:
        xorl    %eax, %eax
        ret
        .cfi_endproc
        .size   access_try, .-access_try
        .section .note.GNU-stack,"",@progbits
