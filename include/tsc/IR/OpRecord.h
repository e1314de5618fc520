//===- OpRecord.h - The constant part of an operator ------------*- C++ -*-===//
//
// There is one OpRecord for each overload, generated from include/tsc/IR/Ops/*.td:
// constant data, sorted by name, without work at start-up.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPRECORD_H
#define TSC_IR_OPRECORD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <cstdint>

namespace tsc {

/// Numbers the overloads that have a record; the number is the record's position in allOpRecords().
enum class OpKind : uint16_t {
#include "tsc/IR/OpKinds.inc"
  NumOps,
  Unknown = 0xFFFF ///< There is no record: the operator was registered at run time, or the node is no operator.
};

/// A fact about an operator that passes ask for, as a bit of OpRecord::traits. Ops/Base.td describes each.
enum class Trait : uint64_t {
#include "tsc/IR/OpTraits.inc"
};

/// The constant part of one overload of an operator. The records live as long as the program.
struct OpRecord {
  llvm::StringLiteral qualified; ///< The name, such as "aten::add".
  llvm::StringLiteral overload;  ///< The overload's name, such as "Tensor"; may be empty.
  llvm::StringLiteral schema;    ///< The text of the whole schema, overload name included.
  uint64_t traits;               ///< The operator's traits, one bit each.
  OpKind kind;                   ///< This record's position in allOpRecords().
  llvm::StringLiteral summary;   ///< One line that says what the operator does; may be empty.
  uint8_t weights;               ///< Bit i is set where kernels may rearrange operand i, a weight, before they compute.

  bool has(Trait t) const { return traits & static_cast<uint64_t>(t); }
};

/// Returns all records, sorted by name; the overloads of one name are in the order in which they are tried.
llvm::ArrayRef<OpRecord> allOpRecords();
/// Returns the records of all overloads of a name, in the order in which they are tried; empty for an unknown name.
llvm::ArrayRef<OpRecord> opRecordsNamed(llvm::StringRef qualified);
/// Returns the record of one overload, e.g. findOpRecord("aten::add", "Tensor"), or null.
const OpRecord *findOpRecord(llvm::StringRef qualified, llvm::StringRef overload);
/// Returns the overload that computes the same and writes it to its first operand (add_ for add), or null.
const OpRecord *inPlaceFormOf(const OpRecord &record);
/// Returns the overload that computes the same as an in-place operator and writes nothing (add for add_), or null.
const OpRecord *functionalFormOf(const OpRecord &record);
/// Returns the record of `kind`, which must not be OpKind::Unknown.
inline const OpRecord &opRecord(OpKind kind) {
  assert(kind != OpKind::Unknown && "an operator that has a record");
  return allOpRecords()[static_cast<size_t>(kind)];
}

} // namespace tsc

#endif
