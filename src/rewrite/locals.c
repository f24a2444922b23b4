/* Parts of local variables that another thread may know of are instrumented: see locals.cc, which does the
 * same for programs that are not rewritten. An address that the thread sanitizer would take for private goes
 * through a call while it works, behind which its origin is not known; the call is taken out again. */
#include "rewrite/rewrite.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#define HIDDEN "raddle_sym_hidden"

/* What an address was computed from; NULL: it is none of a local variable. */
static LLVMValueRef variable_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsACastInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) ? address : NULL;
}

static bool passes_on(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user);
}

static bool is_lifetime(LLVMValueRef user)
{
    size_t n;
    return LLVMIsAIntrinsicInst(user) &&
           !strncmp(LLVMGetValueName2(LLVMGetCalledValue(user), &n), "llvm.lifetime.", 14);
}

/* Could anybody else come to know the address? Not by an access to what it points to. */
static bool is_told(LLVMValueRef address)
{
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool access = LLVMIsALoadInst(user) || LLVMIsAMemIntrinsic(user) || LLVMIsADbgInfoIntrinsic(user) ||
                      LLVMIsAICmpInst(user) ||
                      (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address);
        if (!access && !(passes_on(user) ? !is_told(user) : is_lifetime(user)))
            return true;
    }
    return false;
}

bool is_private_local(LLVMValueRef address)
{
    LLVMValueRef variable = variable_of(address);
    return variable && !is_told(variable);
}

static void hide(LLVMBuilderRef builder, LLVMValueRef access, unsigned operand, LLVMValueRef call,
                 LLVMTypeRef type)
{
    LLVMValueRef address = LLVMGetOperand(access, operand), variable = variable_of(address);
    if (!variable || variable == address || !is_told(variable))
        return;
    LLVMPositionBuilderBefore(builder, access);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(access));
    LLVMSetOperand(access, operand, LLVMBuildCall2(builder, type, call, &address, 1, ""));
}

void hide_locals(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
    LLVMValueRef call = LLVMAddFunction(module, HIDDEN, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsALoadInst(i))
                    hide(builder, i, 0, call, type);
                else if (LLVMIsAStoreInst(i))
                    hide(builder, i, 1, call, type);
            }
    LLVMDisposeBuilder(builder);
}

void show_locals(LLVMModuleRef module)
{
    LLVMValueRef call = LLVMGetNamedFunction(module, HIDDEN);
    for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetFirstUse(call)) {
        LLVMValueRef hidden = LLVMGetUser(u);
        LLVMReplaceAllUsesWith(hidden, LLVMGetOperand(hidden, 0));
        LLVMInstructionEraseFromParent(hidden);
    }
    LLVMDeleteFunction(call);
}
