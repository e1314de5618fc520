//===- Mangling.cpp - Classes of their own for traced modules -------------===//
//
// What runs in a module depends on the module: two layers of one class may differ in
// their sizes, or in what their constructors chose. So each traced module has a class
// of its own, whose methods are what ran in it.
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Stack.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/ADT/DenseSet.h"
using namespace tsc;

void tsc::separateOpaqueClasses(Graph &graph) {
  Context &context = graph.context();
  llvm::DenseSet<const Type *> taken{graph.inputs()[0]->type()};
  llvm::StringMap<const Type *> chosen; // by scope, which a trace may name twice
  for (Node &node : graph.nodes()) {
    const auto *type = node.kind() == prim::TracedAttr ? dyn_cast<ClassType>(node.output()->type()) : nullptr;
    if (!type || type->isDefined())
      continue;
    const Type *&own = chosen[node.get<std::string>(attr::scope)];
    if (!own)
      own = taken.insert(type).second ? type : context.classType(mangledName(context, type->name()));
    node.output()->setType(own);
  }
}

namespace {

class ModuleCopier {
public:
  explicit ModuleCopier(Context &context) : context(context) {}

  StatusOr<Ref<ObjectValue>> copy(const Ref<ObjectValue> &module) {
    auto [entry, isNew] = copies.try_emplace(module.get());
    if (!isNew) {
      if (!entry->second)
        return invalidArgument("a module of class '" + module->type->name() + "' holds itself");
      return entry->second;
    }
    if (!mayRecurse())
      return invalidArgument("modules are nested too deeply");
    const ClassType &from = *module->type;
    ClassType &to = *context.classType(mangledName(context, from.name()));
    to.setIsModule(from.isModule());
    auto made = makeRef<ObjectValue>(&to, 0);
    made->slots = module->slots; // which may be fewer than the class has attributes
    for (auto [i, attribute] : llvm::enumerate(from.attributes())) {
      const Type *type = attribute.type;
      if (i < made->slots.size() && isModuleObject(made->slots[i])) {
        TSC_ASSIGN_OR_RETURN(Ref<ObjectValue> inner, copy(Ref<ObjectValue>::share(&made->slots[i].toObject())));
        type = inner->type;
        made->slots[i] = IValue(std::move(inner));
      }
      to.addAttribute(attribute.name, type, attribute.kind);
    }
    to.setDefined();
    copies[module.get()] = made; // `entry` may lie elsewhere by now
    return made;
  }

private:
  Context &context;
  llvm::DenseMap<const ObjectValue *, Ref<ObjectValue>> copies; ///< Null while the copy is made.
};

} // namespace

StatusOr<Ref<ObjectValue>> tsc::copyForTrace(const Ref<ObjectValue> &module, Context &context) {
  return ModuleCopier(context).copy(module);
}
