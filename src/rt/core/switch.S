/* fiber_switch(void **save_sp, void *load_sp, uintptr_t fs): leaves the running fiber (its
 * callee-saved registers on its stack) and continues another one with its own thread-local storage,
 * unless that is trapped (fiber_tls 0: see fiber.c).
 * fiber_trampoline: where a new fiber begins; rbx holds the function to run, which never returns. */
        .text
        .globl  fiber_switch
        .hidden fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
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
        ret
1:      cmpb    $1, fiber_tls(%rip)
        jne     3f
        wrfsbase %rdx
        jmp     2b
3:      movq    %rdx, %rsi
        movl    $0x1002, %edi           /* ARCH_SET_FS */
        movl    $158, %eax              /* arch_prctl */
        syscall
        jmp     2b
        .cfi_endproc
        .size   fiber_switch, .-fiber_switch

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
