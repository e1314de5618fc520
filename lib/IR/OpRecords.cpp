//===- OpRecords.cpp - The table of overloads -----------------------------===//
//
// The library holds it small, without pointers, and who asks first makes records of it:
// in the time that the loader would take for so many relocations.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/OpRecord.h"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>

using namespace tsc;

namespace {
/// Texts by where they begin, and how long they are.
struct Row {
  uint32_t schema;
  uint16_t schemaSize, qualified, overload, summary, traits;
  uint8_t qualifiedSize, overloadSize, summarySize, weights;
};
} // namespace

#define TSC_RECORD_ROWS
static constexpr Row rows[] = {
#include "tsc/IR/OpRecords.inc"
};
#undef TSC_RECORD_ROWS

#define TSC_RECORD_TRAITS
static constexpr uint64_t traits[] = {
#include "tsc/IR/OpRecords.inc"
};
#undef TSC_RECORD_TRAITS

#define TSC_RECORD_SCHEMAS
static constexpr char schemas[] =
#include "tsc/IR/OpRecords.inc"
    ;
#undef TSC_RECORD_SCHEMAS

#define TSC_RECORD_NAMES
static constexpr char names[] =
#include "tsc/IR/OpRecords.inc"
    ;
#undef TSC_RECORD_NAMES

#define TSC_RECORD_SUMMARIES
static constexpr char summaries[] =
#include "tsc/IR/OpRecords.inc"
    ;
#undef TSC_RECORD_SUMMARIES

static constexpr size_t count = std::size(rows);

static llvm::StringLiteral literal(const char *texts, size_t begin, size_t size) {
  return std::bit_cast<llvm::StringLiteral>(llvm::StringRef(texts + begin, size));
}

static const OpRecord *makeRecords() {
  alignas(OpRecord) static std::byte space[count * sizeof(OpRecord)];
  for (size_t i = 0; i != count; ++i) {
    const Row &row = rows[i];
    new (space + i * sizeof(OpRecord)) OpRecord{literal(names, row.qualified, row.qualifiedSize),
                                                literal(names, row.overload, row.overloadSize),
                                                literal(schemas, row.schema, row.schemaSize),
                                                traits[row.traits],
                                                static_cast<OpKind>(i),
                                                literal(summaries, row.summary, row.summarySize),
                                                row.weights};
  }
  return std::launder(reinterpret_cast<const OpRecord *>(space));
}

llvm::ArrayRef<OpRecord> tsc::allOpRecords() {
  static const OpRecord *const records = makeRecords();
  return {records, count};
}

llvm::ArrayRef<OpRecord> tsc::opRecordsNamed(llvm::StringRef qualified) {
  const llvm::ArrayRef<OpRecord> records = allOpRecords();
  auto before = [](const OpRecord &r, llvm::StringRef name) { return llvm::StringRef(r.qualified) < name; };
  const OpRecord *first = std::lower_bound(records.begin(), records.end(), qualified, before);
  const OpRecord *last = first;
  while (last != records.end() && last->qualified == qualified)
    ++last;
  return {first, last};
}

const OpRecord *tsc::findOpRecord(llvm::StringRef qualified, llvm::StringRef overload) {
  for (const OpRecord &record : opRecordsNamed(qualified))
    if (record.overload == overload)
      return &record;
  return nullptr;
}

/// What the schema says behind the type of operand 0: "pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)" and
/// "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor" agree in that.
static llvm::StringRef furtherParameters(const OpRecord &record) {
  llvm::StringRef parameters = llvm::StringRef(record.schema).split('(').second.rsplit(" -> ").first;
  parameters.consume_front("Tensor");
  return parameters.starts_with("(") ? parameters.split(')').second : parameters; // without an alias annotation
}

const OpRecord *tsc::inPlaceFormOf(const OpRecord &record) {
  for (const OpRecord &other : opRecordsNamed(record.qualified.str() + "_"))
    if (other.has(Trait::InPlaceForm) && furtherParameters(other) == furtherParameters(record))
      return &other;
  return nullptr;
}

const OpRecord *tsc::functionalFormOf(const OpRecord &record) {
  llvm::StringRef name = record.qualified;
  if (!record.has(Trait::InPlaceForm) || !name.consume_back("_"))
    return nullptr;
  for (const OpRecord &other : opRecordsNamed(name))
    if (furtherParameters(other) == furtherParameters(record))
      return &other;
  return nullptr;
}
