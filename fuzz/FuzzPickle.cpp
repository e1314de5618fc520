//===- FuzzPickle.cpp - The pickle machine on any program -----------------===//
//
// A pickle is a program. The bytes are one, in a sound file of torch.save and as
// the object and the constants of a sound archive, whose classes, storages and
// NamedTuple it can name (pickle.dict lists opcodes and names). What loads is
// written, and read again.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ValueFile.h"
#include <cstdlib>
using namespace tsc;

static const char code[] = "class Pair(NamedTuple):\n"
                           "  left : Tensor\n"
                           "  right : int\n"
                           "class Inner(Module):\n"
                           "  __parameters__ = [\"w\", ]\n"
                           "  __buffers__ = [\"b\", ]\n"
                           "  w : Tensor\n"
                           "  b : Optional[Tensor]\n"
                           "  sizes : List[int]\n"
                           "class Outer(Module):\n"
                           "  __parameters__ = []\n"
                           "  __buffers__ = []\n"
                           "  inner : __torch__.Inner\n"
                           "  other : __torch__.Inner\n"
                           "  pair : __torch__.Pair\n"
                           "  table : Dict[str, List[float]]\n"
                           "  any : Any\n"
                           "  def forward(self: __torch__.Outer, x: Tensor) -> Tensor:\n"
                           "    return torch.add(x, self.inner.w)\n";

static std::string fileWith(llvm::StringRef object, llvm::StringRef constants, bool withCode) {
  ZipWriter writer;
  writer.add("f/data.pkl", object);
  if (withCode) {
    writer.add("f/constants.pkl", constants);
    writer.add("f/code/__torch__.py", code);
  }
  writer.add("f/version", "3\n");
  writer.add("f/byteorder", "little");
  writer.add("f/data/0", std::string(64, '\x3f'));
  writer.add("f/data/1", std::string(1, '\x01'));
  writer.add("f/constants/0", std::string(16, '\x3e'));
  return writer.finish();
}

static void loadModule(llvm::StringRef bytes) {
  Context context;
  CompilationUnit unit(context);
  DiagnosticEngine diags;
  Compiler compiler(unit, diags);
  auto loaded = loadArchive(compiler, Bytes{bytes, nullptr});
  if (!loaded.ok() && messageOf(loaded.status()).empty())
    std::abort(); // a failure without a word
  if (loaded.ok() && failed(compiler.defineAll()) && !diags.hasErrors())
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef pickle(reinterpret_cast<const char *>(data), size);
  std::string file = fileWith(pickle, "", /*withCode=*/false);
  Context context;
  if (auto value = loadValue(context, Bytes{file, nullptr}); value.ok()) {
    (void)deepCopy(*value);
    auto saved = saveValue(*value);
    if (saved.ok() && !loadValue(context, Bytes{*saved, nullptr}).ok())
      std::abort(); // what we write we read
  }
  loadModule(fileWith(pickle, "\x80\x02).", /*withCode=*/true));
  loadModule(fileWith("\x80\x02"
                      "c__torch__\nOuter\n)\x81}b.",
                      pickle, /*withCode=*/true));
  return 0;
}
