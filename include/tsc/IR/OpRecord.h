//===- OpRecord.h - The constant part of an operator ------------*- C++ -*-===//
//
// One OpRecord an overload, generated from include/tsc/IR/Ops/*.td: constant
// data, sorted by name, no work at start-up.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPRECORD_H
#define TSC_IR_OPRECORD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

/// Numbers the overloads that have a record; the number is the record's position in allOpRecords().
enum class OpKind : uint16_t {
#include "tsc/IR/OpKinds.inc"
  NumOps,
  Unknown = 0xFFFF ///< No record: registered at run time, or no operator at all.
};

enum class Trait : uint64_t {
#include "tsc/IR/OpTraits.inc"
};

struct OpRecord {
  llvm::StringLiteral qualified; ///< "aten::add"
  llvm::StringLiteral overload;  ///< "Tensor", or empty
  llvm::StringLiteral schema;    ///< The whole text, overload name included.
  uint64_t traits;               ///< Bits of Trait.
  OpKind kind;                   ///< This record's position in allOpRecords().
  llvm::StringLiteral summary;   ///< One line for people; may be empty.
  uint8_t weights;               ///< Bit i: kernels may rearrange operand i before they compute.

  bool has(Trait t) const { return traits & static_cast<uint64_t>(t); }
};

/// Sorted by `qualified`; the overloads of one name are in the order in which they are tried.
llvm::ArrayRef<OpRecord> allOpRecords();
/// The overloads of a name; empty when there is none.
llvm::ArrayRef<OpRecord> opRecordsNamed(llvm::StringRef qualified);
/// Null when there is none.
const OpRecord *findOpRecord(llvm::StringRef qualified, llvm::StringRef overload);
/// add_ for add, and add for add_: the overload that differs in where it writes only. Null when there is none.
const OpRecord *inPlaceFormOf(const OpRecord &record);
const OpRecord *functionalFormOf(const OpRecord &record);
inline const OpRecord &opRecord(OpKind kind) { return allOpRecords()[static_cast<size_t>(kind)]; }

} // namespace tsc

#endif
