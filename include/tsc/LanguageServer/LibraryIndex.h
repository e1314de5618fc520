//===- LibraryIndex.h - What torch and Python offer, to look up -*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_LIBRARYINDEX_H
#define TSC_LANGUAGESERVER_LIBRARYINDEX_H

#include "tsc/Frontend/LibraryNames.h"
#include <memory>

namespace tsc::lsp {

/// The names of the libraries, worked out when they are first asked for and kept.
///
/// Threads: all functions may be called from many threads at once; one may wait for what another works out.
class LibraryIndex {
public:
  LibraryIndex();
  ~LibraryIndex();
  /// Works out what is asked for most, so that nobody has to wait for it.
  void prepare();
  /// Returns what a dotted name stands for (libraryEntry).
  std::optional<LibraryEntry> entry(llvm::StringRef path);
  /// Returns the names in a module (libraryMembers); they live as long as the index.
  const std::vector<std::string> &members(llvm::StringRef module);
  /// Types whose values have methods and attributes by operators.
  enum class Values : uint8_t { Tensor, String, List, Dict, Device };
  /// Returns the names of the methods and attributes that values of a type have (operatorMembers); they live as long as
  /// the index.
  const std::vector<std::string> &membersOf(Values values);
  /// Returns the operator behind a method or attribute, `aten::relu` for `relu`, or an empty string.
  std::string memberOf(Values values, llvm::StringRef name);
  /// Returns which of the Values a type is, or nothing.
  static std::optional<Values> valuesOf(const Type *type);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Returns the schemas of an operator's overloads, in the order in which they are tried.
std::vector<std::string> schemasOf(llvm::StringRef op);
/// Returns the first summary in the records of an operator's overloads; may be empty.
std::string summaryOf(llvm::StringRef op);

} // namespace tsc::lsp

#endif
