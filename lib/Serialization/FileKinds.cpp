//===- FileKinds.cpp - What a file is that is no archive ------------------===//
//
// Files come by many hands, and a model has many forms. Each that can be told by
// its first bytes or by the names in it is named, with the way from there to an
// archive.
//
//===----------------------------------------------------------------------===//
#include "FileKinds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace tsc;
using llvm::StringRef;
using llvm::Twine;

static constexpr const char *saveAgain = "make the model in Python and write it with torch.jit.script and "
                                         "torch.jit.save";

static const char *nameOf(WantedFile wanted) {
  return wanted == WantedFile::Archive ? "a TorchScript archive" : "a file of torch.save";
}
/// `hint` is for who wanted an archive.
static Status otherForm(const Twine &what, const Twine &hint, WantedFile wanted = WantedFile::Archive) {
  return unimplemented("not " + Twine(nameOf(wanted)) + ": this is " + what +
                       (wanted == WantedFile::Archive ? "; " + hint : Twine()));
}
static Status damaged(const Twine &what, const Twine &hint, WantedFile wanted = WantedFile::Archive) {
  return dataLoss("not " + Twine(nameOf(wanted)) + ": this is " + what + "; " + hint);
}

//===----------------------------------------------------------------------===//
// By the first bytes
//===----------------------------------------------------------------------===//

namespace {
struct Signature {
  size_t offset;
  StringRef bytes;
  const char *what;
  const char *hint;
};
} // namespace

static constexpr const char *unpackIt = "unpack it first";
static const Signature signatures[] = {
    {0, StringRef("\x1f\x8b", 2), "a gzip file", unpackIt},
    {0, "BZh", "a bzip2 file", unpackIt},
    {0, StringRef("\xfd\x37zXZ\0", 6), "an xz file", unpackIt},
    {0, StringRef("\x28\xb5\x2f\xfd", 4), "a zstd file", unpackIt},
    {0, StringRef("7z\xbc\xaf\x27\x1c", 6), "a 7z file", unpackIt},
    {0, "Rar!", "a rar file", unpackIt},
    {257, "ustar", "a tar file", unpackIt},
    {0, StringRef("\x89HDF\r\n\x1a\n", 8), "an HDF5 file, as Keras writes models and weights",
     "tsc reads PyTorch's models only"},
    {0, "PYTORCH1", "an archive of a preview of PyTorch 1.0", "write the model with a newer PyTorch"},
    {0, "GGUF", "a GGUF file, weights of llama.cpp", "it holds no TorchScript"},
    {0, "\x93NUMPY", "an array of NumPy", "it holds no program"},
    {0,
     "\x7f"
     "ELF",
     "a compiled library or program", "tsc loads the archive that it was made from"},
    {4, "PTMF", "a model of PyTorch Mobile in the flatbuffer form, which has bytecode in the place of code",
     "write the model with torch.jit.save"},
    {4, "TFL3", "a model of TensorFlow Lite", "tsc reads PyTorch's models only"},
    {4, "ET1", "a program of ExecuTorch", "write the model with torch.jit.script and torch.jit.save"},
    {0, "RIFF", "a file of sound or pictures", "it holds no program"},
    {0, "\x89PNG", "a picture", "it holds no program"},
    {0, "%PDF", "a PDF", "it holds no program"},
};

/// The first field of a model of ONNX is its version, a small number; then comes the producer's name or another string.
static bool looksLikeOnnx(StringRef bytes) {
  if (bytes.size() < 16 || bytes[0] != 8 || bytes[1] < 2 || bytes[1] > 32)
    return false;
  const unsigned char field = bytes[2];
  return field == 0x12 || field == 0x1a || field == 0x22 || field == 0x3a || field == 0x42;
}

static bool looksLikeSafetensors(StringRef bytes) {
  if (bytes.size() < 16)
    return false;
  const uint64_t length = llvm::support::endian::read64le(bytes.data());
  return length >= 2 && length < (uint64_t(1) << 30) && bytes.substr(8).ltrim().starts_with("{\"");
}

static Status explainPointer(StringRef bytes, WantedFile wanted) {
  StringRef size = bytes.split("\nsize ").second.take_while(llvm::isDigit);
  return damaged("the pointer that Git LFS keeps in the place of a file" +
                     (size.empty() ? "" : " of " + size + " bytes"),
                 "fetch the file itself: git lfs pull", wanted);
}

/// The first line of a text, as far as it can be shown.
static std::string firstLine(StringRef bytes) {
  StringRef line = bytes.ltrim().take_until([](char c) { return c == '\n' || c == '\r'; }).take_front(60);
  return llvm::all_of(line, llvm::isPrint) ? line.str() : "";
}

Status tsc::explainBytes(StringRef bytes, const Status &why, WantedFile wanted) {
  if (bytes.empty())
    return damaged("an empty file", "was it written, or fetched, to its end?", wanted);
  if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
    return explainPointer(bytes, wanted);
  if (bytes.starts_with("PK\3\4"))
    return dataLoss(
        "the file is cut short: it begins as an archive, and what stands at an archive's end is not there (" +
        messageOf(why) + "; " + Twine(bytes.size()) + " bytes are there); fetch or copy it again");
  for (const Signature &signature : signatures)
    if (bytes.substr(signature.offset).starts_with(signature.bytes))
      return otherForm(signature.what, signature.hint, wanted);
  if (bytes.starts_with(legacyMagic))
    return otherForm("a file of torch.save in its form before PyTorch 1.6: values, such as a state dict, without code",
                     saveAgain);
  if (bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5)
    return otherForm("a pickle of Python's", saveAgain, wanted);
  if (looksLikeSafetensors(bytes))
    return otherForm("a file of safetensors: weights without code", saveAgain, wanted);
  if (bytes.starts_with("\x08\x01\x12"))
    return otherForm("a model of TensorFlow (SavedModel)", "tsc reads PyTorch's models only", wanted);
  if (looksLikeOnnx(bytes))
    return otherForm("a model of ONNX", "tsc reads the model it was exported from, written with torch.jit.save",
                     wanted);
  StringRef start = bytes.take_front(1000).ltrim();
  if (start.starts_with_insensitive("<!doctype") || start.starts_with_insensitive("<html") ||
      start.starts_with("<?xml"))
    return damaged("a web page, as servers send it in the place of a file",
                   "look at its text, and fetch the file again", wanted);
  std::string line = firstLine(bytes.take_front(1000));
  if (!line.empty() && (start.starts_with("{") || start.starts_with("[")))
    return damaged("a text of JSON ('" + line + "')", "did a server send an error in the place of the file?", wanted);
  if (!line.empty())
    return damaged("a text ('" + line + "')",
                   wanted == WantedFile::Archive ? "source has the ending .py, graphs have .ir" : "it holds no tensors",
                   wanted);
  return why;
}

//===----------------------------------------------------------------------===//
// By the names within a zip file
//===----------------------------------------------------------------------===//

/// What a pickle without code is: the classes that it names tell.
static Status explainValues(ZipReader &zip, StringRef prefix) {
  StatusOr<Bytes> pickle = zip.read((prefix + "data.pkl").str());
  const bool isModule = pickle.ok() && (pickle->data.contains("ctorch.nn.modules.") ||
                                        pickle->data.contains("_parameters") || pickle->data.contains("c__main__\n"));
  return otherForm(isModule ? "a module that torch.save pickled, which has no code (a file of torch.save names the "
                              "Python classes of its values)"
                            : "a file of torch.save: it has no code, but values, such as a state dict",
                   saveAgain);
}

Status tsc::explainZip(ZipReader &zip, StringRef prefix) {
  auto any = [&](auto predicate) { return llvm::any_of(zip.names(), predicate); };
  auto hasEnding = [&](StringRef ending) { return any([&](StringRef name) { return name.ends_with(ending); }); };
  if (hasEnding("serialized_exported_program.json") || hasEnding("/archive_format") || hasEnding("models/model.json"))
    return otherForm("a program of torch.export (.pt2)",
                     "tsc reads TorchScript: write the model with torch.jit.script or torch.jit.trace, and "
                     "torch.jit.save");
  if (!prefix.empty() && zip.contains((prefix + "bytecode.pkl").str()))
    return otherForm("a model of PyTorch Mobile without code: it has bytecode alone",
                     "write the model with torch.jit.save, or with _save_for_lite_interpreter, which keeps the code");
  if (hasEnding(".data/extern_modules") || hasEnding(".data/python_version"))
    return otherForm("a package of torch.package, whose code is Python's", saveAgain);
  if (!prefix.empty() && zip.contains((prefix + "data.pkl").str()))
    return explainValues(zip, prefix);
  if (hasEnding("/constants.pkl"))
    return damaged("an archive of torch.jit.save whose values (data.pkl) are missing", "was it packed again?");
  if (hasEnding("model.weights.h5") || hasEnding("saved_model.pb"))
    return otherForm("a model of Keras or TensorFlow", "tsc reads PyTorch's models only");
  if (!zip.names().empty() && llvm::all_of(zip.names(), [](StringRef name) { return name.ends_with(".npy"); }))
    return otherForm("a file of NumPy's arrays (.npz)", "it holds no program");
  for (StringRef name : zip.names())
    if (name.ends_with(".pt") || name.ends_with(".pth") || name.ends_with(".jit") || name.ends_with(".ptl"))
      return otherForm("a zip file that holds '" + name + "'", unpackIt);
  if (zip.names().empty())
    return damaged("a zip file without entries", "was it written to its end?");
  std::string some;
  for (const std::string &name : zip.names().take_front(3))
    some += (some.empty() ? "'" : ", '") + name + "'";
  return otherForm("a zip file of something else, with " + some, "it has no data.pkl, as torch.save and torch.jit.save "
                                                                 "write it");
}
