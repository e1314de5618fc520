//===- Source.cpp - Source buffers and ranges -----------------------------===//
#include "tsc/Support/Source.h"
#include <algorithm>
using namespace tsc;

SourceBuffer::SourceBuffer(std::string name, std::string text, bool hasText)
    : bufferName(std::move(name)), bufferText(std::move(text)), textKnown(hasText) {
  lineStarts.push_back(0);
  for (size_t i = 0; i != bufferText.size(); ++i)
    if (bufferText[i] == '\n')
      lineStarts.push_back(uint32_t(i + 1));
}

LineColumn SourceBuffer::lineColumn(uint32_t offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  unsigned line = unsigned(next - lineStarts.begin());
  return {line, offset - lineStarts[line - 1]};
}

llvm::StringRef SourceBuffer::line(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  llvm::StringRef rest = llvm::StringRef(bufferText).substr(lineStarts[line - 1]);
  return rest.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

SourceRange SourceRange::join(SourceRange a, SourceRange b) {
  if (!a.isValid())
    return b;
  if (!b.isValid() || a.source != b.source || !a.source->hasText())
    return a;
  return SourceRange(*a.source, std::min(a.first, b.first), std::max(a.last, b.last)).inCall(a.call);
}

const SourceBuffer &SourceManager::add(std::string name, std::string text) {
  auto buffer = std::make_unique<SourceBuffer>(std::move(name), std::move(text));
  std::lock_guard<std::mutex> lock(mutex);
  buffers.push_back(std::move(buffer));
  return *buffers.back();
}

const SourceBuffer &SourceManager::addNameOnly(llvm::StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  const SourceBuffer *&known = nameOnly[name];
  if (!known) {
    buffers.push_back(std::make_unique<SourceBuffer>(name.str(), std::string(), /*hasText=*/false));
    known = buffers.back().get();
  }
  return *known;
}

const InlinedCall *SourceManager::addInlinedCall(const InlinedCall *inner, SourceRange call, llvm::StringRef callee) {
  if (inner) { // its outermost call stands in `callee`
    const InlinedCall *around = addInlinedCall(inner->at.inlinedCall(), call, callee);
    return addInlinedCall(nullptr, inner->at.inCall(around), inner->callee);
  }
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<InlinedCall> &known =
      inlinedCalls[{call.buffer(), call.begin(), call.end(), call.inlinedCall(), callee.str()}];
  if (!known)
    known = std::make_unique<InlinedCall>(InlinedCall{call, callee.str()});
  return known.get();
}
