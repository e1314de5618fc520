//===- FuzzSchema.cpp - The schema parser on any bytes --------------------===//
//
// What parses must print to text that parses, and prints the same.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Diagnostics.h"
#include <cstdlib>
using namespace tsc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Context context;
  DiagnosticEngine diags;
  SourceBuffer first("fuzz", std::string(reinterpret_cast<const char *>(data), size));
  auto schema = parseSchema(context, first, diags);
  if (failed(schema)) {
    if (!diags.hasErrors())
      std::abort(); // a failure without a word
    return 0;
  }
  SourceBuffer second("printed", schema->str());
  auto again = parseSchema(context, second, diags);
  if (failed(again) || again->str() != schema->str())
    std::abort();
  return 0;
}

TSC_MUTATE_WITH(mutateText)
