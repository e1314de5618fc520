//===- OpRecord.h - Operators as constant data ------------------*- C++ -*-===//
//
// One record an overload, in the order PyTorch tries them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPRECORD_H
#define TSC_IR_OPRECORD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

enum class OpKind : uint16_t { Unknown };

/// Facts a pass may ask a node for; bits of OpRecord::traits.
enum class Trait : uint8_t { Pointwise, SideEffects, Random };

struct OpRecord {
  llvm::StringRef qualified; ///< "aten::add"
  llvm::StringRef overload;  ///< "Tensor"; may be empty
  llvm::StringRef schema;    ///< the whole signature
  uint64_t traits = 0;
  OpKind kind = OpKind::Unknown;
  llvm::StringRef summary;
  bool has(Trait trait) const { return traits >> static_cast<unsigned>(trait) & 1; }
};

/// Every record, those of one name adjacent.
llvm::ArrayRef<OpRecord> allOpRecords();

} // namespace tsc

#endif
