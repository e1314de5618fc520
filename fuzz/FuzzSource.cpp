//===- FuzzSource.cpp - Lexer and parser of TorchScript on any bytes ------===//
#include "Mutators.h"
#include "tsc/Frontend/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <cstdlib>
using namespace tsc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  DiagnosticEngine diags;
  SourceBuffer buffer("fuzz.py", std::string(reinterpret_cast<const char *>(data), size));
  if (failed(parseSource(buffer, diags)) && !diags.hasErrors())
    std::abort(); // a failure without a word
  DiagnosticEngine expressionDiags;
  if (failed(parseExpression(buffer, expressionDiags)) && !expressionDiags.hasErrors())
    std::abort();
  (void)diags.str();
  return 0;
}

TSC_MUTATE_WITH(mutateText)
