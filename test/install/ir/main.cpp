// Links tsc::IR alone.
#include "tsc/Support/Source.h"
#include <cstdio>

int main() {
  tsc::SourceBuffer buffer("model.py", "a\nb\n");
  std::printf("%u\n", buffer.lineColumn(2).line);
  return buffer.lineColumn(2).line == 2 ? 0 : 1;
}
