//===- PercentFormat.cpp - Texts on the left of % -------------------------===//
#include "tsc/Support/PercentFormat.h"

using namespace tsc;

std::optional<PercentConversion> tsc::takeConversion(llvm::StringRef &text) {
  const size_t at = text.find('%');
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  PercentConversion conversion;
  conversion.before = text.take_front(at);
  text = text.drop_front(at + 1);
  if (text.consume_front("("))
    std::tie(conversion.key.emplace(), text) = text.split(')');
  conversion.options = text.take_while([](char c) { return llvm::StringRef("0123456789.*+-# ").contains(c); });
  text = text.drop_front(conversion.options.size()).ltrim("hlL"); // sizes of C's types, which mean nothing
  if (!text.empty()) {
    conversion.letter = text.front();
    text = text.drop_front();
  }
  return conversion;
}
