//===- Texts.h - The texts of a table, once each ----------------*- C++ -*-===//
//
// Texts stand one behind the other in one literal, and rows of a table say where
// theirs begin: thousands of pointers would be as many relocations of a shared library.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TBLGEN_TEXTS_H
#define TSC_TBLGEN_TEXTS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace tsc::tblgen {

/// Each ends in a zero; the first is empty.
class Texts {
public:
  Texts() { offsetOf(""); }
  size_t offsetOf(llvm::StringRef text) {
    auto [known, isNew] = offsets.try_emplace(text, size);
    if (isNew) {
      all.push_back(known->getKey());
      size += text.size() + 1;
    }
    return known->second;
  }
  /// A literal, for who has defined `macro`.
  void write(llvm::raw_ostream &os, llvm::StringRef macro) const {
    os << "#ifdef " << macro << "\n";
    for (llvm::StringRef text : all) {
      os << '"';
      os.write_escaped(text) << "\\0\"\n";
    }
    os << "#endif\n";
  }

private:
  llvm::StringMap<size_t> offsets;
  std::vector<llvm::StringRef> all;
  size_t size = 0;
};

} // namespace tsc::tblgen

#endif
