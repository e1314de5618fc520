//===- CallMismatch.h - Why a call fits no schema ---------------*- C++ -*-===//
#ifndef TSC_LIB_IR_CALLMISMATCH_H
#define TSC_LIB_IR_CALLMISMATCH_H

#include "tsc/IR/Graph.h"

namespace tsc {

class FunctionSchema;

/// The first thing about a call that a schema does not take.
struct Mismatch {
  /// What is wrong; Other is in no words but `text`.
  enum class Kind : uint8_t { UnknownKeyword, TooMany, Missing, WrongType, Other };
  Kind kind = Kind::Other;
  std::string text;             ///< What is wrong, in TorchScript's words.
  std::string parameter;        ///< The schema's parameter that it is about, or the keyword that the schema lacks.
  const Type *wanted = nullptr; ///< The type that a WrongType should have, as the schema says.
  const Type *given = nullptr;  ///< The type that a WrongType has.
  unsigned matched = 0;         ///< How many values of the call found an argument before.
  unsigned mostPositional = 0;  ///< How many the call may give by position, its receiver not counted.
};

/// A call as it is written.
struct WrittenCall {
  ArrayRef<NamedValue> args, kwargs;
  const Value *receiver = nullptr; ///< What a method is called on; null for a function.
  StringRef spelling;              ///< `+`, or `[]`, where it is an operator of the language; empty for a call.
};

/// The parameter of the schemas that is spelled most like a keyword which none of them has; empty where none is near.
std::string nearestParameter(ArrayRef<const FunctionSchema *> schemas, StringRef keyword);

/// One sentence, in the terms of who wrote the call, about all of the schemas, of which there is one at least.
std::string describeMismatch(ArrayRef<const FunctionSchema *> schemas, ArrayRef<Mismatch> mismatches,
                             const WrittenCall &call);

} // namespace tsc

#endif
