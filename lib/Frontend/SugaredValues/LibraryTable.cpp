//===- LibraryTable.cpp - The rows of Library.def -------------------------===//
#include "LibraryTable.h"
#include "../Emitter/FunctionContext.h"
#include "../Emitter/TypeExpressions.h"
#include "Values.h"
#include "tsc/Frontend/LibraryNames.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <numbers>

using namespace tsc;
using namespace tsc::library;

template <typename Row> static const Row *findIn(ArrayRef<Row> rows, llvm::StringLiteral Row::*key, StringRef wanted) {
  const Row *row = llvm::find_if(rows, [&](const Row &one) { return one.*key == wanted; });
  return row == rows.end() ? nullptr : row;
}

ArrayRef<ModuleRow> library::modules() {
  static constexpr ModuleRow rows[] = {
#define LIBRARY_MODULE(path, uses) {path, true, uses},
#define PYTHON_MODULE(path) {path, false, Hidden},
#include "../Library.def"
  };
  return rows;
}

bool library::isModule(StringRef path) {
  const ModuleRow *row = findIn(modules(), &ModuleRow::path, path);
  return row && row->isOfLibrary;
}

ArrayRef<TextRow> library::texts() {
  static constexpr bool Whole = true, Part = false;
  static constexpr TextRow rows[] = {
#define LIBRARY_TEXT(path, prelude, part) {path, &prelude, part},
#include "../Library.def"
  };
  return rows;
}

ArrayRef<NameRow> library::names() {
  static constexpr NameRow rows[] = {
#define LIBRARY_FORM(path, form, uses) {path, FormKind::form, "", uses},
#define LIBRARY_OPERATOR(path, op, uses) {path, std::nullopt, #op, uses},
#define LIBRARY_SYNTAX(path, uses) {path, std::nullopt, "", uses},
#include "../Library.def"
  };
  return rows;
}

const NameRow *library::findName(StringRef path) { return findIn(names(), &NameRow::path, path); }

ArrayRef<MemberRow> library::members() {
  static constexpr MemberRow rows[] = {
#define LIBRARY_MEMBER(module, name) {module, name},
#include "../Library.def"
  };
  return rows;
}

ArrayRef<BuiltinRow> library::builtins() {
  using Meaning = BuiltinRow::Meaning;
  static constexpr BuiltinRow rows[] = {
#define BUILTIN_FORM(name, form, uses) {#name, Meaning::Form, FormKind::form, nullptr, "", uses},
#define BUILTIN_CAST(name, type, op, uses)                                                                             \
  {#name, Meaning::Cast, std::nullopt, []() -> const Type * { return type; }, #op, uses},
#define BUILTIN_OPERATOR(name, op, uses) {#name, Meaning::Operator, std::nullopt, nullptr, #op, uses},
#define BUILTIN_TEXT(name, uses) {#name, Meaning::Text, std::nullopt, nullptr, "", uses},
#define BUILTIN_WALKED(name, uses) {#name, Meaning::Walked, std::nullopt, nullptr, "", uses},
#define BUILTIN_REFUSED(name) {#name, Meaning::Refused, std::nullopt, nullptr, "", Hidden},
#include "../Library.def"
  };
  return rows;
}

const BuiltinRow *library::findBuiltin(StringRef name) { return findIn(builtins(), &BuiltinRow::name, name); }

ArrayRef<TensorRow> library::tensorNames() {
  static constexpr TensorRow rows[] = {
#define TENSOR_ATTRIBUTE(name, op) {#name, #op, std::nullopt, Shown | Walked},
#define TENSOR_CAST(name, dtype) {#name, "", dtype, Shown | Walked},
#define TENSOR_METHOD(name, uses) {#name, "", std::nullopt, uses},
#include "../Library.def"
  };
  return rows;
}

const TensorRow *library::findTensorName(StringRef name) { return findIn(tensorNames(), &TensorRow::name, name); }

ArrayRef<DeviceRow> library::deviceNames() {
  static constexpr DeviceRow rows[] = {
#define DEVICE_ATTRIBUTE(name, op) {#name, #op},
#include "../Library.def"
  };
  return rows;
}

bool library::hasPythonMethod(StringRef type, StringRef name) {
  StringRef names;
#define PYTHON_METHODS(group, listed)                                                                                  \
  if (type == group)                                                                                                   \
    names = listed;
#include "../Library.def"
  llvm::SmallVector<StringRef> known;
  names.split(known, ' ', -1, /*KeepEmpty=*/false);
  return llvm::is_contained(known, name);
}

ArrayRef<ModuleMemberRow> library::moduleMembers() {
  static constexpr ModuleMemberRow rows[] = {
#define MODULE_MEMBER(name, uses) {#name, uses},
#include "../Library.def"
  };
  return rows;
}

const ModuleMemberRow *library::findModuleMember(StringRef name) {
  return findIn(moduleMembers(), &ModuleMemberRow::name, name);
}

ArrayRef<llvm::StringLiteral> library::mathOperators() {
  static constexpr llvm::StringLiteral rows[] = {
#define MATH_OPERATOR(name) #name,
#include "../Library.def"
  };
  return rows;
}

ArrayRef<llvm::StringLiteral> library::mathTexts() {
  static constexpr llvm::StringLiteral rows[] = {
#define MATH_TEXT(name) #name,
#include "../Library.def"
  };
  return rows;
}

ArrayRef<MathConstant> library::mathConstants() {
  static const MathConstant rows[] = {
#define MATH_CONSTANT(name, value, usesInTorch) {#name, value, usesInTorch},
#include "../Library.def"
  };
  return rows;
}

std::optional<double> library::mathConstant(StringRef name) {
  const MathConstant *row = findIn(mathConstants(), &MathConstant::name, name);
  return row ? std::optional(row->value) : std::nullopt;
}

std::optional<double> library::torchNumber(StringRef name) {
  const MathConstant *row = findIn(mathConstants(), &MathConstant::name, name);
  return row && !(row->usesInTorch & Absent) ? std::optional(row->value) : std::nullopt;
}

ArrayRef<TorchConstant> library::torchConstants() {
  static constexpr TorchConstant rows[] = {
#define TORCH_CONSTANT(name, value) {#name, value},
#include "../Library.def"
  };
  return rows;
}

std::optional<DType> tsc::legacyDType(StringRef name) {
#define TORCH_TENSOR_TYPE(type, dtype)                                                                                 \
  if (name == #type)                                                                                                   \
    return dtype;
#include "../Library.def"
  return std::nullopt;
}

std::optional<IValue> tsc::pythonConstant(StringRef path) {
#define LIBRARY_CONSTANT(name, value)                                                                                  \
  if (path == name)                                                                                                    \
    return IValue(value);
#include "../Library.def"
  return std::nullopt;
}

bool tsc::movesDataOnly(Symbol kind) {
  static constexpr std::pair<llvm::StringLiteral, Uses> rows[] = {
#define LIBRARY_OPERATOR(path, op, uses) {#op, uses},
#define BUILTIN_CAST(name, type, op, uses) {#op, uses},
#define BUILTIN_OPERATOR(name, op, uses) {#op, uses},
#define LANGUAGE_OPERATOR(tree, op, uses) {#op, uses},
#define SYNTAX_OPERATOR(op, uses) {#op, uses},
#include "../Library.def"
  };
  return llvm::any_of(rows, [&](const auto &row) { return (row.second & MovesData) && row.first == kind.qualified(); });
}
