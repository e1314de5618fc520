//===- HostDefinitions.h - Functions and classes of a host's ----*- C++ -*-===//
//
// For a host whose functions and classes are objects of a language, and not names of a
// file: each is handed in alone, with the text that it stands in and a resolver for the
// names in that text.
//
// Resolvers and texts outlive the compiler. Errors are reported to its diagnostics, and
// results are null then. Threads: as the Compiler, one at a time (Program::define).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_HOSTDEFINITIONS_H
#define TSC_FRONTEND_HOSTDEFINITIONS_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tsc {

class ClassType;
class Compiler;
class Function;
class Resolver;
class SourceBuffer;
class SugaredValue;

//===-- Definitions ---------------------------------------------------------===//

/// Declares the function that a text holds. Its body is compiled by ensureDefined(). The name must be new.
Function *declareFunction(Compiler &compiler, const SourceBuffer &text, llvm::StringRef qualifiedName, Resolver &names);
/// Declares the method that a text holds, and adds it to a class under `name`. A method of that name is taken away from
/// the class before.
Function *declareMethod(Compiler &compiler, ClassType &type, const SourceBuffer &text, llvm::StringRef name,
                        Resolver &names);
/// Declares the class, interface, enumeration or NamedTuple that a text holds.
const Type *declareClass(Compiler &compiler, const SourceBuffer &text, llvm::StringRef qualifiedName, Resolver &names);
/// Returns the type that a text spells as an annotation does.
const Type *typeFromText(Compiler &compiler, const SourceBuffer &text, Resolver &names);

//===-- What names of a host stand for in expressions -----------------------===//

/// Returns what stands for a function, or for the overloads of one, which are tried in their order.
SugaredValue *valueOfFunction(Compiler &compiler, std::vector<Function *> overloads);
/// Returns what stands for a type: a class is called to make an object.
SugaredValue *valueOfType(Compiler &compiler, const Type *type);
/// Returns what stands for a constant. `type` is that of an empty container, or null.
SugaredValue *valueOfConstant(Compiler &compiler, IValue value, const Type *type = nullptr);
/// Returns what stands for a function that each call compiles for its arguments, because it takes functions, or any
/// number of arguments without types. The text holds a definition or, with `isLambda`, a lambda expression.
SugaredValue *valueOfTemplate(Compiler &compiler, const SourceBuffer &text, Resolver &names, bool isLambda = false);
/// Returns what a name of Python's libraries stands for by its full path, such as `torch.nn.functional.relu`, or null,
/// without a report, where compiled code does not know it.
SugaredValue *valueOfLibrary(Compiler &compiler, llvm::StringRef path);
/// Returns the class of Python's libraries that has a full path, such as `torch.nn.utils.rnn.PackedSequence`, or null,
/// without a report.
const Type *typeOfLibrary(Compiler &compiler, llvm::StringRef path);

} // namespace tsc

#endif
