// A plugin for clang: the parts of local variables that another thread may know are instrumented.
//
// Up to version 19 the thread sanitizer leaves out an access to a local variable if the address operand
// *of the access* does not escape. That of a member or an element is computed for the access alone, so
// it never does, even where the variable's address was given to another thread. Here, just before the
// sanitizer, such an operand goes through an empty assembly statement, behind which its origin is not
// known. Variables that do not escape stay as they are.
//
// And functions named __VERIFIER_atomic_*, which the runtime finds on the stack, stay functions.
//
// Built for each LLVM that is there; for other clangs the driver makes do with an option that
// instruments too much (cc/compiler.h, compiler_locals).
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

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

struct AtomicFunctions : PassInfoMixin<AtomicFunctions> {
    static bool isRequired() { return true; }

    PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
    {
        const StringRef prefix = "__VERIFIER_atomic_";
        for (Function &f : m)
            if (f.getName().substr(0, prefix.size()) == prefix) {
                f.removeFnAttr(Attribute::AlwaysInline);
                f.addFnAttr(Attribute::NoInline);
                f.addFnAttr("disable-tail-calls", "true");
            }
        return PreservedAnalyses::all();
    }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "raddle-locals", "1", [](PassBuilder &builder) {
                builder.registerPipelineStartEPCallback([](ModulePassManager &passes, auto...) {
                    passes.addPass(AtomicFunctions());
                });
                builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, auto...) {
                    passes.addPass(createModuleToFunctionPassAdaptor(Locals()));
                });
            }};
}
