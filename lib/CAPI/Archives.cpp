//===- Archives.cpp - The files within archives ---------------------------===//
#include "Handles.h"
#include "tsc/Support/MappedFile.h"

using namespace tsc;
using namespace tsc::capi;

struct tsc_archive {
  explicit tsc_archive(ZipReader reader) : reader(std::move(reader)) {
    llvm::ArrayRef<std::string> names = this->reader.names();
    for (const std::string &name : names) // all are in one folder, as PyTorch writes them
      if (names.empty() ||
          !llvm::StringRef(name).starts_with(llvm::StringRef(names.front()).split('/').first.str() + "/"))
        return;
    if (!names.empty())
      folder = llvm::StringRef(names.front()).split('/').first.str() + "/";
  }
  ZipReader reader;
  std::string folder;              ///< The folder that all files are in, with its slash; "" where there is none.
  llvm::StringMap<Bytes> contents; ///< What was read, which hosts go on reading.
};

static tsc_error *open(tsc_archive **archive, llvm::function_ref<StatusOr<Bytes>()> bytes) {
  return guarded([&]() -> Status {
    StatusOr<Bytes> file = bytes(); // first: it releases what fails
    TSC_RETURN_IF_ERROR(checkNotNull({{archive, "archive"}}));
    *archive = nullptr;
    TSC_RETURN_IF_ERROR(file.status());
    TSC_ASSIGN_OR_RETURN(ZipReader reader, ZipReader::open(*std::move(file)));
    *archive = new tsc_archive(std::move(reader));
    return okStatus();
  });
}

tsc_error *tsc_archive_open(const char *path, tsc_archive **archive) {
  return open(archive, [&]() -> StatusOr<Bytes> {
    TSC_RETURN_IF_ERROR(checkNotNull({{path, "path"}}));
    TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
    llvm::StringRef bytes = file->bytes();
    return Bytes{bytes, std::move(file)};
  });
}

tsc_error *tsc_archive_open_bytes(const void *data, size_t size, tsc_release release, void *user,
                                  tsc_archive **archive) {
  return open(archive, [&] { return bytesOf(data, size, release, user); });
}

void tsc_archive_free(tsc_archive *archive) { delete archive; }

tsc_error *tsc_archive_num_records(const tsc_archive *archive, size_t *count) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{count, "count"}}));
    *count = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{archive, "archive"}}));
    *count = archive->reader.names().size();
    return okStatus();
  });
}

tsc_error *tsc_archive_record_name(const tsc_archive *archive, size_t index, const char **name) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    *name = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{archive, "archive"}}));
    llvm::ArrayRef<std::string> names = archive->reader.names();
    if (index >= names.size())
      return invalidArgument("there is no file " + llvm::Twine(index) + ": the archive has " +
                             llvm::Twine(names.size()));
    *name = names[index].c_str();
    return okStatus();
  });
}

tsc_error *tsc_archive_record(tsc_archive *archive, const char *name, const void **data, size_t *size) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{data, "data"}, {size, "size"}}));
    *data = nullptr;
    *size = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{archive, "archive"}, {name, "name"}}));
    const std::string full = archive->reader.contains(name) ? std::string(name) : archive->folder + name;
    if (!archive->reader.contains(full))
      return notFound("the archive has no file '" + llvm::Twine(name) + "'");
    auto known = archive->contents.find(full);
    if (known == archive->contents.end()) {
      TSC_ASSIGN_OR_RETURN(Bytes read, archive->reader.read(full));
      known = archive->contents.try_emplace(full, std::move(read)).first;
    }
    *data = known->second.data.data();
    *size = known->second.data.size();
    return okStatus();
  });
}
