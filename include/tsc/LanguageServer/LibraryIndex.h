//===- LibraryIndex.h - What torch and Python offer, to look up -*- C++ -*-===//
#ifndef TSC_LANGUAGESERVER_LIBRARYINDEX_H
#define TSC_LANGUAGESERVER_LIBRARYINDEX_H

#include "tsc/Frontend/LibraryNames.h"
#include <memory>

namespace tsc::lsp {

/// The names of the libraries, worked out once and kept.
///
/// Threads: safe; whoever asks first may wait for what another one works out.
class LibraryIndex {
public:
  LibraryIndex();
  ~LibraryIndex();
  /// Works out what is asked for most, so that nobody waits for it.
  void prepare();
  std::optional<LibraryEntry> entry(llvm::StringRef path);
  const std::vector<std::string> &members(llvm::StringRef module);
  /// Types for which memberOf() and membersOf() know operators.
  enum class Values : uint8_t { Tensor, String, List, Dict, Device };
  const std::vector<std::string> &membersOf(Values values);
  /// `aten::relu` for `relu`; empty for none.
  std::string memberOf(Values values, llvm::StringRef name);
  static std::optional<Values> valuesOf(const Type *type);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The overloads' schemas of an operator, in the order in which they are tried.
std::vector<std::string> schemasOf(llvm::StringRef op);
/// The first summary that one of its records has; may be empty.
std::string summaryOf(llvm::StringRef op);

} // namespace tsc::lsp

#endif
