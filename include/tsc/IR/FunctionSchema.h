//===- FunctionSchema.h - Signatures ----------------------------*- C++ -*-===//
//
// `ns::name.overload(Tensor(a!) self, int[2] stride=1, *, Tensor? out=None, ...) -> (Tensor(a!), int)`
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_FUNCTIONSCHEMA_H
#define TSC_IR_FUNCTIONSCHEMA_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"
#include "llvm/Support/LogicalResult.h"
#include <memory>

namespace tsc {

class Context;
class DiagnosticEngine;
class SourceBuffer;

/// `(a! -> b|*)`: the sets a value belongs to before and after the call, and whether it is written.
/// A set's name is a letter; "*" is the wildcard.
struct AliasInfo {
  bool isWrite = false;
  llvm::SmallVector<std::string, 1> before, after;
  /// For containers: the annotation of the elements (`Tensor(a!)[]`), by index of contained type.
  std::vector<AliasInfo> contained;
  bool operator==(const AliasInfo &) const = default;
};

struct Argument {
  std::string name; ///< May be empty for a return.
  const Type *type = nullptr;
  /// The 2 of `int[2]`: a single int that is given instead is repeated so many times.
  std::optional<int32_t> fixedLength;
  std::optional<IValue> defaultValue;
  bool keywordOnly = false;
  std::optional<AliasInfo> alias;
};

class FunctionSchema {
public:
  FunctionSchema() = default;
  FunctionSchema(std::string name, std::string overload, std::vector<Argument> arguments, std::vector<Argument> returns,
                 bool isVararg = false, bool isVarret = false)
      : qualified(std::move(name)), overload(std::move(overload)), args(std::move(arguments)), rets(std::move(returns)),
        vararg(isVararg), varret(isVarret) {}

  StringRef name() const { return qualified; } ///< "aten::add"
  StringRef overloadName() const { return overload; }
  ArrayRef<Argument> arguments() const { return args; }
  ArrayRef<Argument> returns() const { return rets; }
  bool isVararg() const { return vararg; } ///< Takes any further arguments (`...`).
  bool isVarret() const { return varret; }
  std::optional<unsigned> argumentIndex(StringRef name) const;
  /// The argument, a device, that says where the tensors that it gives are wanted.
  std::optional<unsigned> deviceArgument() const;
  bool isMutating() const; ///< Some argument is written.
  /// PyTorch's canonical text.
  std::string str() const;
  void setName(std::string n) { qualified = std::move(n); }
  std::vector<Argument> &mutableReturns() { return rets; }

private:
  std::string qualified, overload;
  std::vector<Argument> args, rets;
  bool vararg = false, varret = false;
};

/// Parses one schema, or reports where it is wrong. Depth and length are bounded.
llvm::FailureOr<FunctionSchema> parseSchema(Context &context, const SourceBuffer &text, DiagnosticEngine &diags);
/// For text known to be right (records); asserts on failure.
FunctionSchema parseKnownSchema(Context &context, StringRef text);
/// A type in IR or schema spelling: `Tensor?`, `int[]`, `Dict(str, int)`, `__torch__.Foo`.
llvm::FailureOr<const Type *> parseType(Context &context, const SourceBuffer &text, DiagnosticEngine &diags);

} // namespace tsc

#endif
