//===- LibraryIndex.cpp - What torch and Python offer, to look up ---------===//
#include "tsc/LanguageServer/LibraryIndex.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <mutex>

using namespace tsc;
using namespace tsc::lsp;
using llvm::StringRef;

struct LibraryIndex::Impl {
  Impl() : unit(context), compiler(unit, diags, prelude()) {}
  const Type *typeOf(Values values) {
    switch (values) {
    case Values::Tensor: return Type::tensorType();
    case Values::String: return Type::stringType();
    case Values::List: return context.listOf(Type::tensorType());
    case Values::Dict: return context.dictOf(Type::stringType(), Type::tensorType());
    case Values::Device: return Type::deviceType();
    }
    return nullptr;
  }

  std::mutex mutex;
  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit;
  Compiler compiler;
  llvm::StringMap<std::vector<std::string>> modules;
  llvm::StringMap<LibraryEntry> entries;
  std::array<std::optional<std::vector<std::string>>, 5> values;
};

LibraryIndex::LibraryIndex() : impl(std::make_unique<Impl>()) {}
LibraryIndex::~LibraryIndex() = default;

void LibraryIndex::prepare() {
  for (Values values : {Values::Tensor, Values::String, Values::List, Values::Dict})
    membersOf(values);
  for (StringRef module : {"torch", "torch.nn.functional", "torch.nn", "math"})
    for (const std::string &name : members(module))
      (void)entry((module + "." + name).str());
}

std::optional<LibraryEntry> LibraryIndex::entry(StringRef path) {
  std::lock_guard lock(impl->mutex);
  // Names that nobody has are not kept: somebody types them.
  if (auto known = impl->entries.find(path); known != impl->entries.end())
    return known->second;
  std::optional<LibraryEntry> found = libraryEntry(impl->compiler, path);
  if (found)
    impl->entries.try_emplace(path, *found);
  return found;
}

const std::vector<std::string> &LibraryIndex::members(StringRef module) {
  std::lock_guard lock(impl->mutex);
  auto [known, isNew] = impl->modules.try_emplace(module);
  if (isNew)
    known->second = libraryMembers(impl->compiler, module);
  return known->second;
}

const std::vector<std::string> &LibraryIndex::membersOf(Values values) {
  std::lock_guard lock(impl->mutex);
  std::optional<std::vector<std::string>> &known = impl->values[static_cast<size_t>(values)];
  if (!known)
    known = operatorMembers(impl->context, impl->typeOf(values));
  return *known;
}

std::string LibraryIndex::memberOf(Values values, StringRef name) {
  std::lock_guard lock(impl->mutex);
  return operatorMember(impl->context, impl->typeOf(values), name);
}

std::optional<LibraryIndex::Values> LibraryIndex::valuesOf(const Type *type) {
  if (!type)
    return std::nullopt;
  if (type->isTensor())
    return Values::Tensor;
  if (type->isString())
    return Values::String;
  if (type->isDevice())
    return Values::Device;
  if (llvm::isa<ListType>(type))
    return Values::List;
  if (llvm::isa<DictType>(type))
    return Values::Dict;
  return std::nullopt;
}

std::vector<std::string> tsc::lsp::schemasOf(StringRef op) {
  std::vector<std::string> schemas;
  for (const OpRecord &record : opRecordsNamed(op))
    schemas.push_back(record.schema.str());
  return schemas;
}

std::string tsc::lsp::summaryOf(StringRef op) {
  for (const OpRecord &record : opRecordsNamed(op))
    if (!record.summary.empty())
      return record.summary.str();
  return "";
}
