// A plugin for clang: the parts of local variables that another thread may know are instrumented.
//
// Up to version 19 the thread sanitizer leaves out an access to a local variable if the address operand
// *of the access* does not escape. That of a member or an element is computed for the access alone, so
// it never does, even where the variable's address was given to another thread. Here, just before the
// sanitizer, such an operand goes through an empty assembly statement, behind which its origin is not
// known. Variables that do not escape stay as they are.
//
// And static variables stay variables. If only one function uses one, and always writes it first,
// clang makes a local variable of it (GlobalOpt), also if several threads run the function: a lock that
// is written so does not lock any more. Other compilers do not, and nobody looks for such an error in a
// program. So the static variables that are written are said to be used in a way that clang does not see.
//
// And accesses of any size are instrumented. The sanitizer knows 1, 2, 4, 8 and 16 bytes and leaves out all
// others without a word: long double, vectors of 32 bytes and more (which clang makes of loops by itself
// where the processor has them), accesses of vectors under a mask. Here they are announced as ranges. So is
// a structure that is given to a function by value and copied for it from memory by the call itself.
//
// Built for each LLVM that is there; for other clangs the driver makes do with an option that
// instruments too much (cc/compiler.h, compiler_locals).
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <map>

using namespace llvm;

namespace {

class Locals : public PassInfoMixin<Locals> {
    std::map<Value *, bool> escaping;
    std::map<Value *, Value *> hidden;

    // A part of a local variable of which others may know.
    bool isSharedPart(Value *address)
    {
        Value *variable = getUnderlyingObject(address);
        if (address == variable || !isa<AllocaInst>(variable) ||
            !(isa<GetElementPtrInst>(address) || isa<CastInst>(address)))
            return false;
        auto known = escaping.find(variable);
        if (known == escaping.end())
            known = escaping.emplace(variable, PointerMayBeCaptured(variable, true, true)).first;
        return known->second;
    }

    Value *hide(Value *address)
    {
        Value *&to = hidden[address];
        if (!to) {
            auto *after = cast<Instruction>(address);
            IRBuilder<> builder(after->getParent(), std::next(after->getIterator()));
            builder.SetCurrentDebugLocation(after->getDebugLoc());
            auto *type = FunctionType::get(address->getType(), {address->getType()}, false);
            to = builder.CreateCall(type, InlineAsm::get(type, "", "=r,0", false), {address});
        }
        return to;
    }

public:
    static bool isRequired() { return true; }

    PreservedAnalyses run(Function &f, FunctionAnalysisManager &)
    {
        escaping.clear();
        hidden.clear();
        if (!f.hasFnAttribute(Attribute::SanitizeThread))
            return PreservedAnalyses::all();
        SmallVector<Use *, 16> addresses;
        for (Instruction &i : instructions(f)) {
            if (!isa<LoadInst>(i) && !isa<StoreInst>(i))
                continue;
            Use &address = i.getOperandUse(isa<LoadInst>(i) ? LoadInst::getPointerOperandIndex()
                                                            : StoreInst::getPointerOperandIndex());
            if (isSharedPart(address))
                addresses.push_back(&address);
        }
        for (Use *u : addresses)
            u->set(hide(u->get()));
        return addresses.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
    }
};

class Sizes : public PassInfoMixin<Sizes> {
    Function *f = nullptr;

    static bool isLeftOut(uint64_t size) { return size > 16 || (size & (size - 1)); }

    // A constant, or a local variable that nobody else knows.
    static bool isOwn(Value *address)
    {
        Value *variable = getUnderlyingObject(address);
        if (auto *global = dyn_cast<GlobalVariable>(variable))
            return global->isConstant();
        return isa<AllocaInst>(variable) && !PointerMayBeCaptured(variable, true, true);
    }

    void announce(IRBuilder<> &builder, Value *address, Value *size, bool writes)
    {
        auto *pointer = PointerType::get(builder.getInt8Ty(), 0);
        auto *type = FunctionType::get(builder.getVoidTy(), {pointer, builder.getInt64Ty()}, false);
        const char *name = writes ? "__tsan_write_range" : "__tsan_read_range";
        auto hook = f->getParent()->getOrInsertFunction(name, type);
        builder.CreateCall(hook, {builder.CreatePointerCast(address, pointer), size});
    }

    bool announceWhole(Instruction &i, Value *address, Type *type, bool writes)
    {
        TypeSize size = f->getParent()->getDataLayout().getTypeStoreSize(type);
        if (size.isScalable() || !isLeftOut(size.getFixedValue()) || isOwn(address))
            return false;
        IRBuilder<> builder(&i);
        announce(builder, address, builder.getInt64(size.getFixedValue()), writes);
        return true;
    }

    // Each element of a vector for which the mask is set.
    bool announceMasked(IntrinsicInst &i, Value *address, Value *mask, Type *type, bool writes)
    {
        auto *vector = dyn_cast<FixedVectorType>(type);
        if (!vector || (!address->getType()->isVectorTy() && isOwn(address)))
            return false;
        IRBuilder<> builder(&i);
        Type *element = vector->getElementType();
        uint64_t size = f->getParent()->getDataLayout().getTypeStoreSize(element).getFixedValue();
        bool gathers = address->getType()->isVectorTy();
        if (!gathers)
            address = builder.CreatePointerCast(address, PointerType::get(builder.getInt8Ty(), 0));
        for (unsigned k = 0; k < vector->getNumElements(); k++) {
            Value *at = gathers ? builder.CreateExtractElement(address, k)
                                : builder.CreateConstGEP1_64(builder.getInt8Ty(), address, k * size);
            Value *bytes = builder.CreateSelect(builder.CreateExtractElement(mask, k),
                                                builder.getInt64(size), builder.getInt64(0));
            announce(builder, at, bytes, writes);
        }
        return true;
    }

    bool announceCopies(CallBase &call)
    {
        bool any = false;
        for (unsigned k = 0; k < call.arg_size(); k++) {
            if (!call.isByValArgument(k) || isOwn(call.getArgOperand(k)))
                continue;
            IRBuilder<> builder(&call);
            TypeSize size = f->getParent()->getDataLayout().getTypeStoreSize(call.getParamByValType(k));
            announce(builder, call.getArgOperand(k), builder.getInt64(size.getFixedValue()), false);
            any = true;
        }
        return any;
    }

    bool look(Instruction &i)
    {
        if (auto *load = dyn_cast<LoadInst>(&i))
            return !load->isAtomic() && announceWhole(i, load->getPointerOperand(), load->getType(), false);
        if (auto *store = dyn_cast<StoreInst>(&i))
            return !store->isAtomic() &&
                   announceWhole(i, store->getPointerOperand(), store->getValueOperand()->getType(), true);
        if (isa<CallBase>(i) && !isa<IntrinsicInst>(i))
            return announceCopies(cast<CallBase>(i));
        auto *call = dyn_cast<IntrinsicInst>(&i);
        switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
        case Intrinsic::masked_load:
        case Intrinsic::masked_gather:
            return announceMasked(*call, call->getArgOperand(0), call->getArgOperand(2),
                                  call->getType(), false);
        case Intrinsic::masked_store:
        case Intrinsic::masked_scatter:
            return announceMasked(*call, call->getArgOperand(1), call->getArgOperand(3),
                                  call->getArgOperand(0)->getType(), true);
        default:
            return false;
        }
    }

public:
    static bool isRequired() { return true; }

    PreservedAnalyses run(Function &function, FunctionAnalysisManager &)
    {
        f = &function;
        SmallVector<Instruction *, 64> all;
        bool changed = false;
        if (!f->hasFnAttribute(Attribute::SanitizeThread))
            return PreservedAnalyses::all();
        for (Instruction &i : instructions(*f))
            all.push_back(&i);
        for (Instruction *i : all)
            changed |= look(*i);
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};

class Statics : public PassInfoMixin<Statics> {
    static bool isWritten(const Value &v)
    {
        for (const User *u : v.users()) {
            if (isa<LoadInst>(u))
                continue;
            bool same = isa<ConstantExpr>(u) || isa<GetElementPtrInst>(u) || isa<CastInst>(u);
            if (!same || isWritten(*u))
                return true;
        }
        return false;
    }

public:
    static bool isRequired() { return true; }

    PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
    {
        SmallVector<GlobalValue *, 16> variables;
        for (GlobalVariable &v : m.globals())
            if (v.hasLocalLinkage() && !v.isConstant() && !v.isThreadLocal() && isWritten(v))
                variables.push_back(&v);
        appendToCompilerUsed(m, variables);
        return variables.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
    }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "raddle-locals", "1", [](PassBuilder &builder) {
                builder.registerPipelineStartEPCallback(
                    [](ModulePassManager &passes, auto...) { passes.addPass(Statics()); });
                builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, auto...) {
                    passes.addPass(createModuleToFunctionPassAdaptor(Locals()));
                    passes.addPass(createModuleToFunctionPassAdaptor(Sizes()));
                });
            }};
}
