//===- ArchiveCode.h - The texts of an archive's code -----------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_ARCHIVECODE_H
#define TSC_LIB_SERIALIZATION_ARCHIVECODE_H

#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/SourceOrigins.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tsc {

/// The files below code/, each read when it is first wanted, with the debug records beside it.
///
/// Threads: one at a time; the debug records of what it gave may be read by many.
class ArchiveCode {
public:
  /// `prefix` ends with a slash: "model/".
  ArchiveCode(Context &context, std::shared_ptr<ZipReader> zip, std::string prefix)
      : context(context), zip(std::move(zip)), prefix(std::move(prefix)) {
    assert(this->zip && "code is read from an archive");
    assert(llvm::StringRef(this->prefix).ends_with("/") && "the name of a file follows its folder's");
  }
  /// "__torch__.a.b" -> code/__torch__/a/b.py; null when the archive has no such file.
  const SourceBuffer *find(llvm::StringRef module);
  /// Every module that has a file, in the order of the archive.
  std::vector<std::string> modules() const;

private:
  Context &context;
  std::shared_ptr<ZipReader> zip;
  std::string prefix;
  llvm::StringMap<const SourceBuffer *> known;
  std::vector<std::unique_ptr<SourceOrigins>> origins; ///< Where the texts of `known` come from.
};

/// What a look over all code tells, without parsing it: names are found in code, not in strings or comments.
class CodeScan {
public:
  /// The first places where one name is called or mentioned, and how many there are in all.
  struct Places {
    static constexpr size_t maxShown = 4;
    llvm::SmallVector<SourceRange, 1> first;
    size_t count = 0;
    /// Counts a place, and keeps it if it is one of the first.
    void add(SourceRange place) {
      if (count++ < maxShown)
        first.push_back(place);
    }
    void add(const Places &others) {
      for (SourceRange place : others.first)
        if (first.size() < maxShown)
          first.push_back(place);
      count += others.count;
    }
  };
  using Reference = llvm::StringMapEntry<Places>;

  /// Looks over the code of a module.
  void add(llvm::StringRef module, const SourceBuffer &text);
  /// `torch.X` and `ops.N.X` that are called, and names below `__torch__`, in the order in which they were met.
  llvm::ArrayRef<const Reference *> references() const { return order; }
  /// Whether a definition has this name or one that it begins with, as of a method or a member.
  bool definesStartOf(llvm::StringRef path) const;
  bool hasModule(llvm::StringRef module) const { return moduleNames.contains(module); }
  /// The first call of torch.device with a literal that names neither the CPU nor the meta device, or of torch.cuda.
  SourceRange device() const { return devicePlace; }
  llvm::StringRef deviceName() const { return firstDevice; }

private:
  void addDevice(const SourceBuffer &text, size_t begin, size_t end);
  unsigned partOf(unsigned node, llvm::StringRef part);
  llvm::StringMap<Places> names;
  std::vector<const Reference *> order;
  llvm::StringSet<> moduleNames;
  /// The qualified names of definitions as a tree: the node of a part by its parent and its text. Node 0 is the root.
  llvm::DenseMap<std::pair<unsigned, llvm::StringRef>, unsigned> parts;
  std::vector<bool> isDefinition{false}; ///< Whether a node is a definition.
  SourceRange devicePlace;
  std::string firstDevice;
};

/// Warns of every operator and class that the code names and this build lacks, with the lines that do.
/// Whether there are any.
bool reportMissing(Compiler &compiler, const CodeScan &scan);

} // namespace tsc

#endif
