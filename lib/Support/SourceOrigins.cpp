//===- SourceOrigins.cpp - Where printed text came from -------------------===//
#include "tsc/Support/SourceOrigins.h"
#include "llvm/ADT/DenseMap.h"
#include <shared_mutex>

using namespace tsc;

namespace {
/// A buffer does not know who tells of it: it is made before, and belongs to the context.
struct Attachments {
  std::shared_mutex mutex;
  llvm::DenseMap<const SourceBuffer *, const SourceOrigins *> byBuffer;
};
} // namespace

static Attachments &attachments() {
  static Attachments all;
  return all;
}

SourceOrigins::~SourceOrigins() {
  if (!attached)
    return;
  std::unique_lock lock(attachments().mutex);
  attachments().byBuffer.erase(attached);
}

void SourceOrigins::attachTo(const SourceBuffer &buffer) {
  attached = &buffer;
  std::unique_lock lock(attachments().mutex);
  attachments().byBuffer[&buffer] = this;
}

SourceRange tsc::originOf(SourceRange range) {
  if (!range.isValid())
    return {};
  std::shared_lock lock(attachments().mutex);
  const SourceOrigins *origins = attachments().byBuffer.lookup(range.buffer());
  return origins ? origins->find(range.begin()) : SourceRange();
}

bool tsc::isPrinted(const SourceBuffer &buffer) {
  std::shared_lock lock(attachments().mutex);
  return attachments().byBuffer.count(&buffer);
}
