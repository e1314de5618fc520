//===- FuzzArchive.cpp - Archives and files of torch.save of any bytes ----===//
//
// The bytes are taken as a whole file, whose entries are changed one by one. What is
// no zip file is taken as the pickle inside of a sound file and of a sound archive, too,
// as the code of one, as its debug records, and as the model.json of an old one.
//
//===----------------------------------------------------------------------===//
#include "Archives.h"
#include "Mutators.h"
using namespace tsc;
using namespace tsc::fuzz;

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

/// An archive whose code says where it came from.
static std::string withRecords(llvm::StringRef records) {
  const std::string wrong = std::string(code) + "  def wrong(self: __torch__.Outer) -> int:\n    return torch.none()\n";
  return fileOf({{"data.pkl", emptyOuter},
                 {"constants.pkl", emptyTuple},
                 {"code/__torch__.py", wrong},
                 {"code/__torch__.py.debug_pkl", records}});
}

/// An archive of PyTorch 1.1.
static std::string withModel(llvm::StringRef model) {
  return fileOf({{"model.json", model},
                 {"code/M.py", "op_version_set = 0\ndef forward(self,\n    x: Tensor) -> Tensor:\n"
                               "  return torch.add(x, self.w)\n"},
                 {"tensors/0", "?????????????????????????????????????????????????????????????????"}},
                "1\n");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  loadAndSave(bytes);
  loadAndCompile(bytes);
  if (ZipReader::looksLikeZip(bytes))
    return 0;
  loadAndSave(fileOf({{"data.pkl", bytes}}));
  loadAndCompile(fileOf({{"data.pkl", bytes}, {"constants.pkl", emptyTuple}, {"code/__torch__.py", code}}));
  loadAndCompile(fileOf({{"data.pkl", emptyOuter}, {"constants.pkl", emptyTuple}, {"code/__torch__.py", bytes}}));
  loadAndCompile(withRecords(bytes));
  loadAndCompile(withModel(bytes));
  return 0;
}

TSC_MUTATE_WITH(mutateArchive)
