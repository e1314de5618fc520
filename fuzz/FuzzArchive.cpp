//===- FuzzArchive.cpp - Archives and files of torch.save of any bytes ----===//
//
// The bytes are taken as a whole file, and, since a checksum guards the entries
// of a zip file, as the pickle inside of a sound file and of a sound archive,
// as the code of one, as its debug records, and as the model.json of an old one.
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

/// A file of torch.save, or, with code, an archive.
static std::string fileWith(llvm::StringRef pickle, llvm::StringRef source) {
  ZipWriter writer;
  writer.add("f/data.pkl", pickle);
  if (!source.empty()) {
    writer.add("f/constants.pkl", "\x80\x02).");
    writer.add("f/code/__torch__.py", source);
  }
  writer.add("f/version", "3\n");
  writer.add("f/data/0", std::string(64, '\x3f'));
  return writer.finish();
}

/// An archive whose code says where it came from.
static std::string withRecords(llvm::StringRef records) {
  ZipWriter writer;
  writer.add("f/data.pkl", "\x80\x02"
                           "c__torch__\nOuter\n)\x81}b.");
  writer.add("f/constants.pkl", "\x80\x02).");
  writer.add("f/code/__torch__.py",
             std::string(code) + "  def wrong(self: __torch__.Outer) -> int:\n    return torch.none()\n");
  writer.add("f/code/__torch__.py.debug_pkl", records);
  writer.add("f/version", "3\n");
  return writer.finish();
}

/// An archive of PyTorch 1.1.
static std::string withModel(llvm::StringRef model) {
  ZipWriter writer;
  writer.add("f/model.json", model);
  writer.add("f/code/M.py",
             "op_version_set = 0\ndef forward(self,\n    x: Tensor) -> Tensor:\n  return torch.add(x, self.w)\n");
  writer.add("f/tensors/0", std::string(64, '\x3f'));
  writer.add("f/version", "1\n");
  return writer.finish();
}

static void load(llvm::StringRef bytes) {
  Context context;
  auto value = loadValue(context, Bytes{bytes, nullptr});
  if (!value.ok())
    return;
  auto saved = saveValue(*value);
  if (saved.ok() && !loadValue(context, Bytes{*saved, nullptr}).ok())
    std::abort(); // what we write we read
}

static void loadAndCompile(llvm::StringRef bytes) {
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
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  load(bytes);
  load(fileWith(bytes, ""));
  loadAndCompile(bytes);
  loadAndCompile(fileWith(bytes, code));
  loadAndCompile(withRecords(bytes));
  loadAndCompile(withModel(bytes));
  // An object of the class Outer without attributes, whose class is what the bytes say.
  loadAndCompile(fileWith("\x80\x02"
                          "c__torch__\nOuter\n)\x81}b.",
                          bytes));
  return 0;
}
