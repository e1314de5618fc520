//===- Archives.h - Archives around any bytes, and what must hold of them --===//
//
// A checksum guards each entry of a zip file, so that changed bytes of a file are
// seldom more than a wrong checksum. Targets therefore put the bytes into an entry of a
// sound file, and load that.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_ARCHIVES_H
#define TSC_FUZZ_ARCHIVES_H

#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ValueFile.h"
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

namespace tsc::fuzz {

/// A pickle of an object of the class `__torch__.Outer` without attributes.
inline constexpr llvm::StringLiteral emptyOuter("\x80\x02"
                                                "c__torch__\nOuter\n)\x81}b.");
/// A pickle of an empty tuple.
inline constexpr llvm::StringLiteral emptyTuple("\x80\x02).");

using Entries = std::initializer_list<std::pair<llvm::StringRef, llvm::StringRef>>;

/// A sound zip file of these entries, with the version that archives have (`f/version` may be among them), and a
/// storage.
inline std::string fileOf(Entries entries, llvm::StringRef version = "3\n") {
  ZipWriter writer;
  for (const auto &[name, content] : entries)
    writer.add(("f/" + name).str(), content);
  writer.add("f/version", version);
  writer.add("f/data/0", std::string(64, '\x3f'));
  return writer.finish();
}

/// Loads a file of torch.save. What loads is copied and written, and what is written is read.
inline void loadAndSave(llvm::StringRef file) {
  Context context;
  auto value = loadValue(context, Bytes{file, nullptr});
  if (!value.ok())
    return;
  (void)deepCopy(*value);
  auto saved = saveValue(*value);
  if (saved.ok() && !loadValue(context, Bytes{*saved, nullptr}).ok())
    std::abort();
}

/// Loads an archive and compiles all of its code. What fails says why.
inline void loadAndCompile(llvm::StringRef file) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags, prelude());
  auto loaded = loadArchive(compiler, Bytes{file, nullptr});
  if (!loaded.ok() && messageOf(loaded.status()).empty())
    std::abort();
  if (loaded.ok() && failed(compiler.defineAll()) && !diags.hasErrors())
    std::abort();
}

} // namespace tsc::fuzz

#endif // TSC_FUZZ_ARCHIVES_H
