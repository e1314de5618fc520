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

/// Gives texts by number out of deflated packs.
///
/// Threads:   find() may be called from many threads at once.
/// Ownership: the texts it returns live as long as the object.
class PackedTexts {
public:
  /// Some texts, one behind the other, deflated by zlib.
  struct Pack {
    llvm::StringRef deflated;
    uint32_t size; ///< The size in bytes once inflated.
  };
  /// Says where text `number` stands: `length` bytes from `begin` on in the inflated `pack`.
  struct Entry {
    uint16_t number, pack, begin, length;
  };

  /// Borrows both arrays. Entries are ordered by number.
  PackedTexts(llvm::ArrayRef<Pack> packs, llvm::ArrayRef<Entry> entries)
      : packs(packs), entries(entries), texts(std::make_unique<std::string[]>(packs.size())) {}

  bool has(unsigned number) const { return entry(number); }
  /// Returns the text of that number; empty when there is none.
  llvm::StringRef find(unsigned number);

private:
  const Entry *entry(unsigned number) const;

  llvm::ArrayRef<Pack> packs;
  llvm::ArrayRef<Entry> entries;
  std::mutex lock;
  /// The inflated text of each pack; empty before somebody asked for one of its texts.
  std::unique_ptr<std::string[]> texts;
};

} // namespace tsc

#endif
