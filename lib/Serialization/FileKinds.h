//===- FileKinds.h - What a file is that is no archive ----------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_FILEKINDS_H
#define TSC_LIB_SERIALIZATION_FILEKINDS_H

#include "tsc/Serialization/Zip.h"

namespace tsc {

/// The pickled magic number with which files of torch.save began before PyTorch 1.6.
inline constexpr llvm::StringLiteral legacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.");

/// What a file should have been.
enum class WantedFile {
  Archive, ///< One of torch.jit.save.
  Values,  ///< One of torch.save.
};

/// Says what bytes are that are no zip file, and what to do with them: DataLoss or Unimplemented. `why` is the zip
/// reader's word on them.
Status explainBytes(llvm::StringRef bytes, const Status &why, WantedFile wanted = WantedFile::Archive);
/// Says what a zip file is that is no archive of torch.jit.save, and what to do with it. `prefix` is its folder of
/// PyTorch's, with the slash; empty where it has none.
Status explainZip(ZipReader &zip, llvm::StringRef prefix);

} // namespace tsc

#endif
