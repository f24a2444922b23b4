/* altstack_call(void (*f)(int, siginfo_t *, void *), int sig, siginfo_t *info, void *context,
 * void *top): calls f(sig, info, context) on the stack that ends at top. */
        .text
        .globl  altstack_call
        .hidden altstack_call
        .type   altstack_call, @function
altstack_call:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %r8, %rsp
        andq    $-16, %rsp
        movq    %rdi, %rax
        movl    %esi, %edi
        movq    %rdx, %rsi
        movq    %rcx, %rdx
        call    *%rax
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   altstack_call, . - altstack_call
        .section .note.GNU-stack, "", @progbits
