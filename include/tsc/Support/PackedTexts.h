//===- PackedTexts.h - Texts that a library holds deflated ------*- C++ -*-===//
//
// Sources by number, of which a program needs few: they stand in packs of some
// kilobytes, each of which is inflated when one of its texts is asked for. Those
// of a column of the records tsc-tblgen writes, with both tables (-gen-op-packed-…).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_PACKEDTEXTS_H
#define TSC_SUPPORT_PACKEDTEXTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <mutex>
#include <string>

namespace tsc {

/// Threads: any may ask at any time. What was given stays for as long as the object does.
class PackedTexts {
public:
  struct Pack {
    llvm::StringRef deflated;
    uint32_t size; ///< Inflated.
  };
  /// Where a text stands in its pack, inflated. Ordered by number.
  struct Entry {
    uint16_t number, pack, begin, length;
  };

  /// Borrows both.
  PackedTexts(llvm::ArrayRef<Pack> packs, llvm::ArrayRef<Entry> entries)
      : packs(packs), entries(entries), texts(std::make_unique<std::string[]>(packs.size())) {}

  bool has(unsigned number) const { return entry(number); }
  /// Empty when there is none of that number.
  llvm::StringRef find(unsigned number);

private:
  const Entry *entry(unsigned number) const;

  llvm::ArrayRef<Pack> packs;
  llvm::ArrayRef<Entry> entries;
  std::mutex lock;
  std::unique_ptr<std::string[]> texts; ///< Of each pack; empty before somebody asked.
};

} // namespace tsc

#endif
