//===- SplitInput.cpp - One file that holds many inputs -------------------===//
#include "tsc/Support/SplitInput.h"
using namespace tsc;

void tsc::forEachInputPart(llvm::StringRef text, llvm::function_ref<void(std::string part)> visit) {
  size_t linesBefore = 0;
  for (llvm::StringRef rest = text;;) {
    size_t end = rest.find("\n# -----");
    llvm::StringRef part = rest.take_front(end == llvm::StringRef::npos ? rest.size() : end + 1);
    visit(std::string(linesBefore, '\n') + part.str());
    if (end == llvm::StringRef::npos)
      return;
    linesBefore += part.count('\n') + 1;
    rest = rest.drop_front(end + 1);
    rest = rest.drop_front(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
}
