//===- FuzzArchive.cpp - Archives and files of torch.save of any bytes ----===//
//
// The bytes are taken as a whole file, and, since a checksum guards the entries
// of a zip file, as the pickle inside of a sound file and of a sound archive.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ValueFile.h"
#include <cstdlib>
using namespace tsc;

static const char code[] = "class Inner(Module):\n"
                           "  __parameters__ = [\"w\", ]\n"
                           "  __buffers__ = []\n"
                           "  w : Tensor\n"
                           "  sizes : List[int]\n"
                           "class Outer(Module):\n"
                           "  __parameters__ = []\n"
                           "  __buffers__ = []\n"
                           "  inner : __torch__.Inner\n"
                           "  table : Dict[str, Optional[Tensor]]\n"
                           "  def forward(self: __torch__.Outer, x: Tensor) -> Tensor:\n"
                           "    return torch.add(x, self.inner.w)\n";

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  {
    Context context;
    (void)loadValue(context, Bytes{bytes, nullptr});
  }
  ZipWriter values, archive;
  values.add("f/data.pkl", bytes);
  archive.add("f/data.pkl", bytes);
  archive.add("f/constants.pkl", "\x80\x02).");
  archive.add("f/code/__torch__.py", code);
  for (ZipWriter *writer : {&values, &archive}) {
    writer->add("f/version", "3\n");
    writer->add("f/data/0", std::string(64, '\x3f'));
  }
  {
    Context context;
    auto value = loadValue(context, Bytes{values.finish(), nullptr});
    if (value.ok() && saveValue(*value).ok() && !loadValue(context, Bytes{*saveValue(*value), nullptr}).ok())
      std::abort(); // what we write we read
  }
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags);
  auto loaded = loadArchive(compiler, Bytes{archive.finish(), nullptr});
  if (!loaded.ok() && messageOf(loaded.status()).empty())
    std::abort(); // a failure without a word
  return 0;
}
