//===- FuzzPickle.cpp - The pickle machine on any program -----------------===//
//
// A pickle is a program. The bytes are one, in a sound file of torch.save and as
// the object and the constants of a sound archive, whose classes, storages and
// NamedTuple it can name (pickle.dict lists opcodes and names). What loads is
// written, and read again.
//
//===----------------------------------------------------------------------===//
#include "Archives.h"
#include "Mutators.h"
using namespace tsc;
using namespace tsc::fuzz;

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

static std::string archiveOf(llvm::StringRef object, llvm::StringRef constants) {
  return fileOf({{"data.pkl", object},
                 {"constants.pkl", constants},
                 {"code/__torch__.py", code},
                 {"byteorder", "little"},
                 {"data/1", "\x01"},
                 {"constants/0", ">>>>>>>>>>>>>>>>"}});
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef pickle(reinterpret_cast<const char *>(data), size);
  loadAndSave(fileOf({{"data.pkl", pickle}, {"byteorder", "little"}, {"data/1", "\x01"}}));
  loadAndCompile(archiveOf(pickle, emptyTuple));
  loadAndCompile(archiveOf(emptyOuter, pickle));
  return 0;
}

TSC_MUTATE_WITH(mutatePickle)
