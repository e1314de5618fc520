//===- FrozenArchive.cpp - A frozen module as a module of its own ---------===//
//
// A class keeps the attributes that frozen code reads or writes in any object of
// it, and those on the way to them. It gets a new name: the old one stands for the
// class with all its attributes.
//
//===----------------------------------------------------------------------===//
#include "FrozenArchive.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace tsc;

namespace {
class FrozenMaker {
public:
  FrozenMaker(Context &context, CompilationUnit &unit) : context(context), unit(unit) {}
  StatusOr<IValue> make(const Ref<ObjectValue> &root, FrozenModule frozen);

private:
  /// Marks what is used within `object`; whether anything is.
  bool markUsed(const ObjectValue &object, ArrayRef<AttributeSlot> used);
  ClassType &trimmed(const ClassType &type);
  const Type *renamed(const Type *type);
  IValue copy(const IValue &value);
  Status rename(Graph &graph);
  Status addMethod(ClassType &type, FrozenMethod &method);

  Context &context;
  CompilationUnit &unit;
  llvm::MapVector<const ClassType *, llvm::SmallBitVector> wanted; ///< Slots of each module class.
  llvm::DenseMap<const ClassType *, ClassType *> classes;
  llvm::DenseMap<const ObjectValue *, IValue> copies;
};
} // namespace

bool FrozenMaker::markUsed(const ObjectValue &object, ArrayRef<AttributeSlot> used) {
  llvm::SmallBitVector slots(object.type->numAttributes());
  for (const AttributeSlot &slot : used)
    if (slot.object == &object)
      slots.set(slot.index);
  for (unsigned i = 0; i != slots.size(); ++i)
    if (isModuleObject(object.slots[i]) && markUsed(object.slots[i].toObject(), used))
      slots.set(i);
  llvm::SmallBitVector &all = wanted[object.type];
  all |= slots;
  return slots.any();
}

ClassType &FrozenMaker::trimmed(const ClassType &type) {
  if (ClassType *known = classes.lookup(&type))
    return *known;
  std::string name = (type.name() + "_frozen").str();
  while (context.findNamed(name))
    name += "_";
  ClassType &made = *context.classType(name);
  classes[&type] = &made;
  made.setIsModule(true);
  made.setDefined();
  const llvm::SmallBitVector slots = wanted.lookup(&type);
  for (unsigned i = 0; i != type.numAttributes(); ++i)
    if (i < slots.size() && slots.test(i))
      made.addAttribute(type.attribute(i).name, renamed(type.attribute(i).type), type.attribute(i).kind);
  return made;
}

const Type *FrozenMaker::renamed(const Type *type) {
  auto *classType = dyn_cast<ClassType>(type);
  return classType && wanted.count(classType) ? &trimmed(*classType) : type;
}

IValue FrozenMaker::copy(const IValue &value) {
  if (!isModuleObject(value) || !wanted.count(value.toObject().type))
    return value;
  const ObjectValue &old = value.toObject();
  if (auto known = copies.find(&old); known != copies.end())
    return known->second;
  ClassType &type = trimmed(*old.type);
  Ref<ObjectValue> made = makeRef<ObjectValue>(&type, type.numAttributes());
  for (unsigned i = 0; i != type.numAttributes(); ++i)
    made->slots[i] = copy(old.slots[*old.type->findAttribute(type.attribute(i).name)]);
  return copies[&old] = IValue(std::move(made));
}

static bool holdsModule(const Type *type) {
  auto *classType = dyn_cast<ClassType>(type);
  return (classType && classType->isModule()) || llvm::any_of(type->contained(), holdsModule);
}

Status FrozenMaker::rename(Graph &graph) {
  Status failure;
  auto renameAll = [&](ArrayRef<Value *> values) {
    for (Value *value : values) {
      if (!isa<ClassType>(value->type()) && holdsModule(value->type()))
        failure = unimplemented("a frozen module that holds modules in a container cannot be written");
      value->setType(renamed(value->type()));
    }
  };
  renameAll(graph.inputs());
  graph.walk([&](Node &node) {
    renameAll(node.outputs());
    for (Block &block : node.blocks())
      renameAll(block.inputs());
  });
  return failure;
}

Status FrozenMaker::addMethod(ClassType &type, FrozenMethod &method) {
  TSC_RETURN_IF_ERROR(rename(*method.graph));
  Function *made = unit.create((type.name() + "." + method.function->name()).str());
  const FunctionSchema &schema = method.function->schema();
  std::vector<Argument> parameters = schema.arguments().vec();
  parameters.front().type = &type;
  made->setSchema(FunctionSchema(schema.name().str(), "", std::move(parameters), schema.returns().vec()));
  made->setGraph(std::move(method.graph));
  type.addMethod(made);
  return okStatus();
}

StatusOr<IValue> FrozenMaker::make(const Ref<ObjectValue> &root, FrozenModule frozen) {
  markUsed(*root, frozen.used);
  ClassType &type = trimmed(*root->type);
  IValue object = copy(IValue(root));
  for (FrozenMethod &method : frozen.methods)
    if (ClassType &owner = trimmed(*cast<ClassType>(method.function->schema().arguments().front().type));
        !owner.findMethod(method.function->name())) // of two objects of a class, both may keep it
      TSC_RETURN_IF_ERROR(addMethod(owner, method));
  type.forwardHooks() = root->type->forwardHooks();
  return object;
}

StatusOr<IValue> tsc::makeFrozenObject(const Ref<ObjectValue> &root, FrozenModule frozen, CompilationUnit &unit) {
  return FrozenMaker(unit.context(), unit).make(root, std::move(frozen));
}
