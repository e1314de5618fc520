//===- RandomInputs.h - Values of the types a graph takes -----------------===//
//
// What the types leave open (ranks, sizes, dtypes, lengths, small integers) is a
// table of choices, one for each place of the inputs. A search changes one choice
// at a time and keeps what lets the graph run further; the data of tensors is
// drawn anew for each run.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_VALIDATION_RANDOMINPUTS_H
#define TSC_RUNTIME_VALIDATION_RANDOMINPUTS_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/IValue.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <random>

namespace tsc {

class Context;
class Graph;

/// Objects to be used for their classes.
using KnownObjects = llvm::DenseMap<const ClassType *, IValue>;

/// Draws inputs for a graph from its types, and searches for choices with which it runs. Borrows the context and the
/// objects.
class RandomInputs {
public:
  RandomInputs(Context &context, const Graph &graph, const KnownObjects &objects, uint64_t seed);

  /// Forgets the choices; sizes that nothing says become `size`.
  void restart(int64_t size);
  /// Makes one choice anew (or a few), and remembers how it was.
  void mutate();
  /// Takes the last mutation back.
  void undo() { choices = previous; }
  /// Inputs for the choices made, with data drawn from `dataSeed`. NotFound when a type has no values that we can make.
  StatusOr<std::vector<IValue>> make(uint64_t dataSeed);
  bool hasChoices() const { return !choices.empty(); }

private:
  using Random = std::mt19937_64;
  /// What a type leaves open in one place; each kind of value uses its own part.
  struct Choice {
    unsigned rank = 2;
    DType dtype = DType::Float;
    std::vector<int64_t> sizes;
    int64_t integer = 2;
    unsigned length = 2;
    bool present = true;
    unsigned alternative = 0;
  };
  Choice draw();
  Choice &choiceAt(const std::string &place);
  void collectFrom(const Graph &graph);
  void noteFacts(const Type *type);
  StatusOr<IValue> value(const Type *type, const std::string &place, unsigned depth);
  StatusOr<IValue> tensor(const TensorType &type, const std::string &place);
  StatusOr<IValue> object(const ClassType &type, const std::string &place, unsigned depth);
  StatusOr<IValue> list(const Type *element, const std::string &place, unsigned depth);
  StatusOr<IValue> simpleValue(TypeKind kind, const std::string &place);
  const ClassType &standIn(const ClassType &opaque);
  unsigned below(Random &random, unsigned limit) { return random() % limit; }

  Context &context;
  const KnownObjects &objects;
  std::vector<const Type *> types;
  Random search, data;
  int64_t commonSize = 4;
  std::map<std::string, Choice> choices, previous; // ordered: a mutation picks by position
  std::vector<int64_t> integers;                   ///< Candidates for an int: small ones, and what the graph mentions.
  std::vector<int64_t> likelySizes;                ///< Candidates for a dimension.
  std::vector<DType> likelyDTypes;                 ///< Each as often as the graph's types mention it.
  std::vector<std::string> strings;
  llvm::StringMap<llvm::MapVector<llvm::StringRef, const Type *>>
      attributes; ///< Attributes of opaque classes, as the graph uses them.
  llvm::StringMap<std::unique_ptr<ClassType>> standIns;
};

} // namespace tsc

#endif
