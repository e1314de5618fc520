//===- Environment.h - The variables of a function --------------*- C++ -*-===//
//
// One frame a block. First-class variables are written with prim::Store and read
// with prim::Load, and the frames keep only their types: SSA.cpp turns both into
// values. What is not first-class (a function given a name) is kept here whole.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_ENVIRONMENT_H
#define TSC_LIB_FRONTEND_ENVIRONMENT_H

#include "tsc/Frontend/SugaredValue.h"
#include "tsc/IR/Graph.h"
#include <functional>
#include <map>
#include <set>

namespace tsc {

/// Why a name that was defined on some path cannot be used here, and the If or loop that has the paths.
struct PathError {
  std::string why;
  SourceRange range;
  bool isLoop;
  bool isChoice = false; ///< A name of what is no value, which depends on a branch or a loop.
};

/// The variables that one block has set, and what is known of them there.
struct Frame {
  Frame(Block *block, std::unique_ptr<Frame> parent) : block(block), parent(std::move(parent)) {}
  Block *block;
  std::unique_ptr<Frame> parent;
  std::map<std::string, const Type *, std::less<>> types;
  std::map<std::string, SugaredValue *, std::less<>> sugared;
  std::map<std::string, const Type *, std::less<>> wider; ///< What variables were before a condition narrowed them.
  std::map<std::string, PathError, std::less<>> errors;

  /// What a condition has told of attributes, `a.b` -> its type; null where that no longer holds.
  std::map<std::string, const Type *, std::less<>> paths;
  bool forgetsPaths = false; ///< Whether what frames around this one know of attributes no longer holds here.

  /// Names of frames around this one that are no longer defined here.
  std::set<std::string, std::less<>> deleted;

  /// Returns the type of a first-class variable of this frame, or null.
  const Type *typeHere(StringRef name) const;
  /// Returns what a name of this frame stands for that is no first-class variable, or null.
  SugaredValue *sugaredHere(StringRef name) const;
  bool defines(StringRef name) const { return typeHere(name) || sugaredHere(name); }
};

/// The variables of a function: a stack of frames, one for each block around the insertion point.
class Environment {
public:
  explicit Environment(Graph &graph) : graph(graph) {}
  void push(Block &block) { top = std::make_unique<Frame>(&block, std::move(top)); }
  /// The frame that was on top, its parent given back to the environment.
  std::unique_ptr<Frame> pop();
  Frame &current() { return *top; }
  bool hasFrames() const { return top != nullptr; }

  const Type *typeOf(StringRef name) const;      ///< The type in any frame; null when absent or not first-class.
  SugaredValue *sugaredOf(StringRef name) const; ///< Null for a first-class variable.
  /// Returns what typeOf does, of the frames around the current one alone.
  const Type *typeInParents(StringRef name) const;
  /// Returns what sugaredOf does, of the frames around the current one alone.
  SugaredValue *sugaredInParents(StringRef name) const;
  bool isDefined(StringRef name) const { return typeOf(name) || sugaredOf(name); }
  /// The record of why a name is not usable; null when there is none.
  const PathError *errorOf(StringRef name) const;

  /// Inserts a read of a first-class variable.
  Value *load(StringRef name, const Type *type, SourceRange range);
  /// Inserts a write of a first-class variable, whose type setType() declares. `declared` is that type where it is
  /// wider than the value's.
  void store(StringRef name, Value *value, SourceRange range, const Type *declared = nullptr);
  /// Declares a first-class variable's type in the current frame.
  void setType(StringRef name, const Type *type);
  /// Lets a name stand for what is no value, in the current frame.
  void setSugared(StringRef name, SugaredValue *value);
  /// Notes that a condition has just narrowed the variable, which was of type `wider`.
  void noteNarrowed(StringRef name, const Type *wider) { top->wider.try_emplace(name.str(), wider); }
  /// What a variable of a frame around this one was before a condition narrowed it there. Null where none has, or where
  /// a loop in between uses it as it was narrowed.
  const Type *widerType(StringRef name) const;
  //===-- Attributes that a condition narrowed ------------------------------===//
  const Type *typeOfPath(StringRef path) const; ///< Null when nothing is known.
  void setPath(StringRef path, const Type *type) { top->paths[path.str()] = type; }
  /// Something ran that may have set any attribute.
  void forgetPaths();
  /// An attribute of this name was set, of an object that other names may have too.
  void forgetAttribute(StringRef name);
  /// The variable `root` was set.
  void forgetPathsOf(StringRef root);
  /// Notes why a name that was defined on some path cannot be used from here on.
  void setError(StringRef name, std::string why, SourceRange range, bool isLoop = false);
  /// The name stood for what is no value, and for what else a branch or a loop has decided: nobody can say what it is.
  void forgetChoice(StringRef name, SourceRange range, bool isLoop);
  /// Makes a name undefined from here on.
  void erase(StringRef name);
  /// What `inner`, which was popped, deleted of names that are defined here.
  void eraseDeleted(const Frame &inner);

  //===-- Names ---------------------------------------------------------------===//
  /// Returns the variable that a name stands for here: another one in a comprehension whose target hides a variable.
  std::string nameHere(StringRef name) const;
  std::map<std::string, std::string, std::less<>> renamed; ///< The variables that targets of comprehensions stand for.
  /// Types that a statement `name: T` gives variables which have no value yet.
  std::map<std::string, const Type *, std::less<>> declaredTypes;
  /// Told of each variable that the function sets, with its type; false stops. May be empty.
  std::function<bool(StringRef name, const Type *type, SourceRange range)> onSet;

private:
  Graph &graph;
  std::unique_ptr<Frame> top;
};

/// Whether PyTorch would name a value after such a variable: not `_3`, nor `$tmp`.
bool isMeaningfulName(StringRef name);

} // namespace tsc

#endif
