//===- LibraryTable.h - The rows of Library.def -----------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_LIBRARYTABLE_H
#define TSC_LIB_FRONTEND_LIBRARYTABLE_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tsc {
class Type;
enum class FormKind : uint8_t;
struct PreludeModule;
} // namespace tsc

namespace tsc::library {

/// How a name may be used, as Library.def explains; a row joins them with `|`.
enum Use : uint8_t { Hidden = 0, Shown = 1, Walked = 2, MovesData = 4, Decorator = 8, Absent = 16 };
/// Uses that are joined.
using Uses = unsigned;

/// A module of a library, or one of Python's that only `import` knows.
struct ModuleRow {
  llvm::StringLiteral path;
  bool isOfLibrary;
  Uses uses;
};
/// Returns the modules.
llvm::ArrayRef<ModuleRow> modules();
/// Whether the path is a module of a library: "torch.nn".
bool isModule(llvm::StringRef path);

/// A module of the prelude that has all names of a module of a library, or some.
struct TextRow {
  llvm::StringLiteral module;
  const PreludeModule *prelude;
  bool isWhole;
};
/// Returns which texts of the prelude belong to which modules.
llvm::ArrayRef<TextRow> texts();

/// A name of a module: a form, an operator (`op` is not empty then), or one that the syntax around it explains.
struct NameRow {
  llvm::StringLiteral path;
  std::optional<FormKind> form;
  llvm::StringLiteral op;
  Uses uses;
};
/// Returns the names of modules.
llvm::ArrayRef<NameRow> names();
/// Returns the row of a name, or null.
const NameRow *findName(llvm::StringRef path);

/// An operator that completion shows in a module, under its own name.
struct MemberRow {
  llvm::StringLiteral module, name;
};
/// Returns the operators that completion shows.
llvm::ArrayRef<MemberRow> members();

/// A name of Python's own.
struct BuiltinRow {
  /// How compiled code understands the name, if it does.
  enum class Meaning : uint8_t {
    Form,     ///< Compiled by the syntax around it.
    Cast,     ///< A type, and a conversion when it is called.
    Operator, ///< An operator.
    Text,     ///< A function of the prelude.
    Walked,   ///< Known to the evaluator alone.
    Refused   ///< Known not to be here.
  };
  llvm::StringLiteral name;
  Meaning meaning;
  std::optional<FormKind> form; ///< The form of a Form.
  const Type *(*type)();        ///< Returns the type of a Cast's values; null for others.
  llvm::StringLiteral op;       ///< The operator of a Cast or an Operator.
  Uses uses;
};
/// Returns Python's own names.
llvm::ArrayRef<BuiltinRow> builtins();
/// Returns the row of a name of Python's own, or null.
const BuiltinRow *findBuiltin(llvm::StringRef name);

/// A name behind the dot of a tensor: an attribute (`op` is not empty), a conversion (`dtype`), or another method.
struct TensorRow {
  llvm::StringLiteral name, op;
  std::optional<DType> dtype;
  Uses uses;
};
/// Returns what tensors have.
llvm::ArrayRef<TensorRow> tensorNames();
/// Returns the row of a tensor's attribute or method, or null.
const TensorRow *findTensorName(llvm::StringRef name);

/// An attribute of devices, and its operator.
struct DeviceRow {
  llvm::StringLiteral name, op;
};
/// Returns what devices have.
llvm::ArrayRef<DeviceRow> deviceNames();

/// Whether values of a type of Python's ("list", "torch.Size") have a method or attribute of the name, here or not.
bool hasPythonMethod(llvm::StringRef type, llvm::StringRef name);

/// What a torch.nn.Module has.
struct ModuleMemberRow {
  llvm::StringLiteral name;
  Uses uses;
};
/// Returns what modules have.
llvm::ArrayRef<ModuleMemberRow> moduleMembers();
/// Returns the row of an attribute or method of modules, or null.
const ModuleMemberRow *findModuleMember(llvm::StringRef name);

/// Returns the functions of `math` that are operators; `cmath` has those that take complex numbers.
llvm::ArrayRef<llvm::StringLiteral> mathOperators();
/// Returns the functions of `math` that are texts of the prelude.
llvm::ArrayRef<llvm::StringLiteral> mathTexts();

/// A constant of `math` and `cmath`, and how `torch` has it.
struct MathConstant {
  llvm::StringLiteral name;
  double value;
  Uses usesInTorch;
};
/// Returns the constants of `math`.
llvm::ArrayRef<MathConstant> mathConstants();
/// Returns the value of a constant of `math`, or nothing.
std::optional<double> mathConstant(llvm::StringRef name);
/// Returns the value of a number that `torch` has as well, or nothing.
std::optional<double> torchNumber(llvm::StringRef name);

/// A layout or a memory format of `torch`.
struct TorchConstant {
  llvm::StringLiteral name;
  int64_t value;
};
/// Returns the layouts and memory formats.
llvm::ArrayRef<TorchConstant> torchConstants();

} // namespace tsc::library

#endif
