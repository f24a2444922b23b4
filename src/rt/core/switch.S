/* fiber_switch(void **save_sp, void *load_sp, uintptr_t fs): leaves the running fiber (its
 * callee-saved registers on its stack) and continues another one with its own thread-local storage,
 * unless that is trapped (fiber_tls 0: see fiber.c).
 * fiber_trampoline: where a new fiber begins; rbx holds the function to run, which never returns.
 * fiber_wait_turn(struct turn *own): where a kernel thread waits that fibers are shown on to a debugger
 * (fiber_tls 3); goes on with the fiber it is given. While it waits, nothing on any stack is its own: the
 * fiber that it left may be replaced by another. */
        .text
        .globl  fiber_switch
        .hidden fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        pushq   %rbx
        .cfi_def_cfa_offset 24
        .cfi_offset %rbx, -24
        pushq   %r12
        .cfi_def_cfa_offset 32
        .cfi_offset %r12, -32
        pushq   %r13
        .cfi_def_cfa_offset 40
        .cfi_offset %r13, -40
        pushq   %r14
        .cfi_def_cfa_offset 48
        .cfi_offset %r14, -48
        pushq   %r15
        .cfi_def_cfa_offset 56
        .cfi_offset %r15, -56
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        cmpb    $0, fiber_tls(%rip)
        jne     1f
2:      popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        .cfi_remember_state
        .cfi_def_cfa_offset 8
        ret
        .cfi_restore_state
1:      cmpb    $1, fiber_tls(%rip)
        jne     3f
        wrfsbase %rdx
        jmp     2b
3:      cmpb    $2, fiber_tls(%rip)
        jne     4f
        movq    %rdx, %rsi
        movl    $0x1002, %edi           /* ARCH_SET_FS */
        movl    $158, %eax              /* arch_prctl */
        syscall
        jmp     2b

4:      movq    (%rdi), %rsp            /* still on the fiber that is left */
        movq    %rsi, %r12
        movq    %rdx, %rdi
        subq    $8, %rsp                /* calls with an aligned stack */
        .cfi_adjust_cfa_offset 8
        call    fiber_turn_of
        movq    %rax, %r13
        movq    %fs:0, %rdi
        call    fiber_turn_of
        movq    %rax, %r14
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        cmpq    %r13, %r14
        jne     5f
        movq    %r12, %rsp              /* both on the same kernel thread: main and the search */
        jmp     2b
5:      movl    $0, 8(%r14)
        movq    %r12, (%r13)
        movl    $1, 8(%r13)
        leaq    8(%r13), %rdi
        movl    $1, %esi                /* FUTEX_WAKE */
        movl    $1, %edx
        movl    $202, %eax              /* futex */
        syscall
6:      cmpl    $1, 8(%r14)
        je      7f
        leaq    8(%r14), %rdi
        xorl    %esi, %esi              /* FUTEX_WAIT while it is 0 */
        xorl    %edx, %edx
        xorl    %r10d, %r10d
        movl    $202, %eax
        syscall
        jmp     6b
7:      movq    (%r14), %rsp
        jmp     2b
        .cfi_endproc
        .size   fiber_switch, .-fiber_switch

        .globl  fiber_wait_turn
        .hidden fiber_wait_turn
        .type   fiber_wait_turn, @function
fiber_wait_turn:
        .cfi_startproc
        .cfi_undefined rip
        movq    %rdi, %r14
        jmp     6b
        .cfi_endproc
        .size   fiber_wait_turn, .-fiber_wait_turn

        .globl  fiber_trampoline
        .hidden fiber_trampoline
        .type   fiber_trampoline, @function
fiber_trampoline:
        .cfi_startproc
        .cfi_undefined rip
        xorl    %ebp, %ebp
        call    *%rbx
        ud2
        .cfi_endproc
        .size   fiber_trampoline, .-fiber_trampoline
        .section .note.GNU-stack,"",@progbits
