//===- Entries.cpp - What of a file that was run can be called ------------===//
#include "../Emitter/SourceResolver.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"

using namespace tsc;
using namespace tsc::python;

SugaredValue *Evaluator::globalForCode(StringRef name, SourceRange range) {
  AnyValue *value = user ? user->globals.find(name) : nullptr;
  if (!value)
    return nullptr;
  if (auto *library = value->as<LibraryObject>())
    return libraryValue(compiler, compiler.arena, library->path);
  if (value->object && !value->as<ListObject>() && !value->as<TupleObject>() && !value->as<DictObject>())
    return nullptr;
  std::optional<IValue> data = toData(*value, range);
  return data ? compiler.arena.make<ConstantSugar>(*data, data->dynamicType(compiler.context)) : nullptr;
}

static InstanceObject *asModule(const AnyValue &value) {
  auto *instance = value.as<InstanceObject>();
  return instance && instance->type->isModule ? instance : nullptr;
}

static bool isModel(const AnyValue &value, const FileScope &file) {
  auto *type = value.as<ClassObject>();
  return type && type->isModule && type->file == &file && Evaluator::needsNoArguments(*type);
}

InstanceObject *Evaluator::findModule(StringRef name, bool &failed) {
  auto makeModule = [&](ClassObject &type) {
    Result made = construct(type, {}, type.tree->point());
    failed |= !made;
    return made ? made->as<InstanceObject>() : nullptr;
  };
  if (!name.empty()) {
    AnyValue *value = user->globals.find(name);
    if (!value)
      return nullptr;
    if (InstanceObject *module = asModule(*value))
      return module;
    return isModel(*value, *user) ? makeModule(*value->as<ClassObject>()) : nullptr;
  }
  // A module that the file's code made, the last of several; else the last class that says how it is made.
  InstanceObject *last = nullptr;
  ClassObject *lastClass = nullptr;
  for (auto &[known, value] : user->globals) {
    if (InstanceObject *module = asModule(value))
      last = module;
    if (isModel(value, *user))
      lastClass = value.as<ClassObject>();
  }
  return last ? last : lastClass ? makeModule(*lastClass) : nullptr;
}

std::vector<std::string> Evaluator::moduleNames() {
  std::vector<std::string> names;
  for (auto &[name, value] : user->globals)
    if (asModule(value) || isModel(value, *user))
      names.push_back(name);
  return names;
}
