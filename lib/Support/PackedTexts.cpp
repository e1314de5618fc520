//===- PackedTexts.cpp - Texts that a library holds deflated --------------===//
#include "tsc/Support/PackedTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

using namespace tsc;

const PackedTexts::Entry *PackedTexts::entry(unsigned number) const {
  const Entry *found = llvm::lower_bound(entries, number, [](const Entry &e, unsigned n) { return e.number < n; });
  return found != entries.end() && found->number == number ? found : nullptr;
}

llvm::StringRef PackedTexts::find(unsigned number) {
  const Entry *found = entry(number);
  if (!found)
    return {};
  std::lock_guard guard(lock);
  std::string &text = texts[found->pack];
  if (text.empty()) {
    const Pack &pack = packs[found->pack];
    std::string inflated(pack.size, '\0');
    size_t size = pack.size;
    llvm::cantFail(llvm::compression::zlib::decompress(llvm::arrayRefFromStringRef(pack.deflated),
                                                       reinterpret_cast<uint8_t *>(inflated.data()), size),
                   "the build deflated this");
    text = std::move(inflated);
  }
  return llvm::StringRef(text).substr(found->begin, found->length);
}
