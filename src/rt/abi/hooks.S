/* The compiler's hooks for atomics that look at memory: each notes the registers that the program's frame
 * keeps its variables in, where it stands (struct frame in rt.h, the first thing in struct thread), and
 * goes on in atomic.c. A thread that waits in a loop is recognised by them without unwinding; see
 * spin.c. */
        .text

        .macro  HOOK name
        .globl  __tsan_\name
        .type   __tsan_\name, @function
        .hidden hook_\name
__tsan_\name:
        .cfi_startproc
        movq    8+rt(%rip), %rax        /* rt.self */
        movq    (%rsp), %r11
        movq    %rbx, (%rax)
        movq    %rbp, 8(%rax)
        movq    %r12, 16(%rax)
        movq    %r13, 24(%rax)
        movq    %r14, 32(%rax)
        movq    %r15, 40(%rax)
        movq    %rsp, 48(%rax)
        movq    %r11, 56(%rax)
        jmp     hook_\name
        .cfi_endproc
        .size   __tsan_\name, .-__tsan_\name
        .endm

        .hidden rt
        .irp    bits, 8, 16, 32, 64, 128
        HOOK    atomic\bits\()_load
        HOOK    atomic\bits\()_compare_exchange_val
        HOOK    atomic\bits\()_compare_exchange_strong
        HOOK    atomic\bits\()_compare_exchange_weak
        HOOK    atomic\bits\()_exchange
        HOOK    atomic\bits\()_fetch_add
        HOOK    atomic\bits\()_fetch_sub
        HOOK    atomic\bits\()_fetch_and
        HOOK    atomic\bits\()_fetch_or
        HOOK    atomic\bits\()_fetch_xor
        HOOK    atomic\bits\()_fetch_nand
        .endr

        .section .note.GNU-stack,"",@progbits
