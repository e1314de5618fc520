//===- DiskCacheTest.cpp - Whose code is run ------------------------------===//
#include "tsc/Support/DiskCache.h"
#include "FilesOfTests.h"
#include "llvm/ADT/STLExtras.h"
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tsc;
using namespace tsc::test;

namespace {
constexpr uint64_t mostBytes = uint64_t{64} << 20;
constexpr uid_t another = 12345;

DiskCache cacheIn(const std::string &folder, const std::string &identity = "processor") {
  return DiskCache(folder, identity, mostBytes);
}
StoredKernels kernelsOf(std::vector<std::string> nests, std::string code) {
  StoredKernels made;
  for (const std::string &nest : nests)
    made.object.symbols.push_back("symbol_of_" + nest);
  made.nests = std::move(nests);
  made.object.bytes = std::move(code);
  return made;
}
/// The code of a nest, or nothing.
std::string codeOf(DiskCache &cache, llvm::StringRef nest) {
  auto found = cache.load(nest);
  return found ? found->object.bytes : "";
}
/// The names of files with kernels.
std::vector<std::string> entriesIn(const ScratchFolder &folder) {
  std::vector<std::string> names = folder.names();
  llvm::erase_if(names, [](const std::string &name) { return name.size() != 32; });
  return names;
}
void allow(const std::string &path, mode_t mode) { REQUIRE(chmod(path.c_str(), mode) == 0); }
} // namespace

TEST_CASE("DiskCache: what was stored is found, by this identity alone") {
  ScratchFolder folder;
  DiskCache cache = cacheIn(folder.str());
  CHECK(cache.refusal().ok());
  CHECK(codeOf(cache, "nest") == "");
  cache.store(kernelsOf({"nest"}, std::string("code\0with zeros", 15)));
  auto found = cacheIn(folder.str()).load("nest");
  REQUIRE(found);
  CHECK(found->nests == std::vector<std::string>{"nest"});
  CHECK(found->object.symbols == std::vector<std::string>{"symbol_of_nest"});
  CHECK(found->object.bytes == std::string("code\0with zeros", 15));
  DiskCache other = cacheIn(folder.str(), "other processor");
  CHECK(codeOf(other, "nest") == "");
  CHECK(codeOf(cache, "nest") != "");
}

TEST_CASE("DiskCache: kernels of one object are found by each of their nests") {
  ScratchFolder folder;
  DiskCache cache = cacheIn(folder.str());
  cache.store(kernelsOf({"a", "b", "c"}, "code of three"));
  for (const char *nest : {"a", "b", "c"})
    CHECK(codeOf(cache, nest) == "code of three");
  // Without the object, the names that lead to it lead nowhere.
  std::string first;
  for (const std::string &name : entriesIn(folder))
    if (readFile(folder / name).find("code of three") != std::string::npos)
      first = name;
  REQUIRE(first != "");
  REQUIRE(unlink((folder / first).c_str()) == 0);
  for (const char *nest : {"a", "b", "c"})
    CHECK(codeOf(cache, nest) == "");
  cache.store(kernelsOf({"c", "a"}, "newer code"));
  CHECK(codeOf(cache, "a") == "newer code");
  CHECK(codeOf(cache, "b") == "");
}

TEST_CASE("DiskCache: a file that others could have written is not run") {
  ScratchFolder folder;
  DiskCache cache = cacheIn(folder.str());
  cache.store(kernelsOf({"nest"}, "code"));
  REQUIRE(entriesIn(folder).size() == 1);
  const std::string entry = folder / entriesIn(folder)[0], bytes = readFile(entry);
  auto isRun = [&] {
    const bool found = codeOf(cache, "nest") == "code";
    if (!found) { // nothing remains in the way of a new one
      cache.store(kernelsOf({"nest"}, "code"));
      CHECK(codeOf(cache, "nest") == "code");
    }
    return found;
  };
  CHECK(isRun());
  SECTION("writable by others") {
    for (mode_t mode : {0620, 0602, 0666}) {
      allow(entry, mode);
      CHECK_FALSE(isRun());
    }
    allow(entry, 0644);
    CHECK(isRun());
  }
  SECTION("a symbolic link, to a file with the right bytes") {
    REQUIRE(rename(entry.c_str(), (folder / "elsewhere").c_str()) == 0);
    REQUIRE(symlink("elsewhere", entry.c_str()) == 0);
    CHECK_FALSE(isRun());
  }
  SECTION("a hard link") {
    REQUIRE(link(entry.c_str(), (folder / "elsewhere").c_str()) == 0);
    CHECK_FALSE(isRun());
  }
  SECTION("another user's") {
    if (geteuid() == 0) {
      REQUIRE(chown(entry.c_str(), another, another) == 0);
      CHECK_FALSE(isRun());
    }
  }
  SECTION("a pipe, which nobody writes to") {
    REQUIRE(unlink(entry.c_str()) == 0);
    REQUIRE(mkfifo(entry.c_str(), 0600) == 0);
    const unsigned before = alarm(10);
    CHECK_FALSE(isRun());
    alarm(before);
  }
  SECTION("longer than any") {
    REQUIRE(truncate(entry.c_str(), int64_t{1} << 40) == 0);
    CHECK_FALSE(isRun());
  }
  SECTION("a folder, which stays") {
    REQUIRE(unlink(entry.c_str()) == 0);
    REQUIRE(mkdir(entry.c_str(), 0700) == 0);
    CHECK(codeOf(cache, "nest") == "");
    cache.store(kernelsOf({"nest"}, "code"));
    CHECK(codeOf(cache, "nest") == "");
  }
  SECTION("cut short, at each byte") {
    for (size_t length = 0; length != bytes.size(); ++length) {
      writeFile(entry, bytes.substr(0, length));
      CHECK_FALSE(isRun());
    }
  }
  SECTION("one bit wrong, in each byte") {
    for (size_t at = 0; at != bytes.size(); ++at) {
      std::string wrong = bytes;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 << at % 8));
      writeFile(entry, wrong);
      CHECK_FALSE(isRun());
    }
  }
  SECTION("something behind it") {
    writeFile(entry, bytes + "x");
    CHECK_FALSE(isRun());
  }
  SECTION("another nest's") {
    cache.store(kernelsOf({"other"}, "other code"));
    for (const std::string &name : entriesIn(folder))
      if (folder / name != entry)
        writeFile(entry, readFile(folder / name));
    CHECK_FALSE(isRun());
  }
}

TEST_CASE("DiskCache: files of another identity, or under another key, are not run under any name") {
  ScratchFolder folder, other;
  DiskCache cache = cacheIn(folder.str());
  cache.store(kernelsOf({"nest"}, "code"));
  const std::string entry = folder / entriesIn(folder)[0];
  DiskCache elsewhere = cacheIn(other.str());
  elsewhere.store(kernelsOf({"nest"}, "code"));
  const std::string foreign = readFile(other / entriesIn(other)[0]);
  CHECK(foreign.size() == readFile(entry).size());
  writeFile(entry, foreign);
  CHECK(codeOf(cache, "nest") == "");
  DiskCache later = cacheIn(folder.str(), "another build");
  later.store(kernelsOf({"nest"}, "code"));
  REQUIRE(entriesIn(folder).size() == 1);
  REQUIRE(rename((folder / entriesIn(folder)[0]).c_str(), entry.c_str()) == 0);
  CHECK(codeOf(cache, "nest") == "");
}

TEST_CASE("DiskCache: the key is the user's alone, stays, and is made again when it was not") {
  ScratchFolder folder;
  const std::string key = folder / "key";
  auto stored = [&] { return cacheIn(folder.str()).load("nest").has_value(); };
  auto isPrivate = [&] {
    struct stat status;
    return stat(key.c_str(), &status) == 0 && (status.st_mode & 07777) == 0600 && status.st_size == 32;
  };
  cacheIn(folder.str()).store(kernelsOf({"nest"}, "code"));
  CHECK(isPrivate());
  const std::string bytes = readFile(key);
  CHECK(stored());
  CHECK(readFile(key) == bytes);
  auto isReplaced = [&] {
    const bool was = stored();
    CHECK(isPrivate());
    CHECK(readFile(key) != bytes);
    cacheIn(folder.str()).store(kernelsOf({"nest"}, "code"));
    CHECK(stored());
    return !was;
  };
  SECTION("read by others") {
    allow(key, 0640);
    CHECK(isReplaced());
  }
  SECTION("of another length") {
    writeFile(key, "short");
    CHECK(isReplaced());
  }
  SECTION("a link") {
    REQUIRE(rename(key.c_str(), (folder / "elsewhere").c_str()) == 0);
    REQUIRE(symlink("elsewhere", key.c_str()) == 0);
    CHECK(isReplaced());
  }
  SECTION("a pipe") {
    REQUIRE(unlink(key.c_str()) == 0);
    REQUIRE(mkfifo(key.c_str(), 0600) == 0);
    const unsigned before = alarm(10);
    CHECK(isReplaced());
    alarm(before);
  }
  SECTION("lost") {
    REQUIRE(unlink(key.c_str()) == 0);
    CHECK(isReplaced());
  }
  SECTION("another user's") {
    if (geteuid() == 0) {
      REQUIRE(chown(key.c_str(), another, another) == 0);
      CHECK(isReplaced());
    }
  }
}

TEST_CASE("DiskCache: threads that begin at once share one folder") {
  ScratchFolder folder;
  cacheIn(folder.str()).store(kernelsOf({"nest"}, "code"));
  std::vector<std::optional<DiskCache>> caches(8);
  std::vector<std::thread> threads;
  for (auto &cache : caches)
    threads.emplace_back([&] { cache.emplace(folder.str(), "processor", mostBytes); });
  for (std::thread &thread : threads)
    thread.join();
  int descriptors = 0;
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    descriptors += std::filesystem::read_symlink(entry, error) == std::filesystem::canonical(folder.str());
  }
  CHECK(descriptors == 1);
}

TEST_CASE("DiskCache: processes that begin at once agree on a key") {
  ScratchFolder folder;
  std::vector<pid_t> processes;
  for (int i = 0; i != 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      cacheIn(folder.str()).store(kernelsOf({"nest" + std::to_string(i)}, "code"));
      _exit(0);
    }
    processes.push_back(child);
  }
  for (pid_t process : processes)
    waitpid(process, nullptr, 0);
  DiskCache cache = cacheIn(folder.str());
  for (int i = 0; i != 8; ++i)
    CHECK(codeOf(cache, "nest" + std::to_string(i)) == "code");
  CHECK(folder.names().size() == 9);
}

TEST_CASE("DiskCache: a folder that others could change is not used, and it is said why") {
  ScratchFolder folder;
  const std::string parent = folder / "parent", kernels = parent + "/kernels";
  REQUIRE(mkdir(parent.c_str(), 0700) == 0);
  cacheIn(kernels).store(kernelsOf({"nest"}, "code"));
  auto isUsed = [&] {
    DiskCache cache = cacheIn(kernels);
    const bool found = codeOf(cache, "nest") == "code";
    cache.store(kernelsOf({"other"}, "code"));
    CHECK(found == cache.refusal().ok());
    CHECK((found || cache.refusal().code() == StatusCode::PermissionDenied));
    return found;
  };
  CHECK(isUsed());
  for (const std::string &path : {parent, kernels}) {
    allow(path, 0777);
    CHECK_FALSE(isUsed());
    CHECK(messageOf(cacheIn(kernels).refusal()) == "kernels are not kept in '" + kernels +
                                                       "', where others could put code: '" + path +
                                                       "' can be written to by other users");
    allow(path, 0700);
    CHECK(isUsed());
  }
  if (geteuid() == 0)
    for (const std::string &path : {parent, kernels}) {
      REQUIRE(chown(path.c_str(), another, another) == 0);
      CHECK_FALSE(isUsed());
      REQUIRE(chown(path.c_str(), 0, 0) == 0);
    }
  CHECK(isUsed());
  // Where there can be none, there is nothing to say.
  CHECK(cacheIn("").refusal().ok());
  CHECK(cacheIn("/dev/null/tsc").refusal().ok());
}

TEST_CASE("DiskCache: caches in one folder share what they opened, unless somebody removed it") {
  ScratchFolder folder;
  const std::string kernels = folder / "kernels";
  DiskCache first = cacheIn(kernels), second = cacheIn(kernels);
  first.store(kernelsOf({"nest"}, "code"));
  CHECK(codeOf(second, "nest") == "code");
  REQUIRE(!llvm::sys::fs::remove_directories(kernels));
  first.store(kernelsOf({"nest"}, "code")); // goes nowhere
  CHECK(codeOf(first, "nest") == "");
  DiskCache third = cacheIn(kernels);
  third.store(kernelsOf({"nest"}, "code"));
  CHECK(codeOf(third, "nest") == "code");
}

TEST_CASE("DiskCache: what killed writers left is swept, and what is being written is not") {
  ScratchFolder folder;
  cacheIn(folder.str()).store(kernelsOf({"nest"}, "code"));
  writeFile(folder / "new-0123456789ab", "half of");
  writeFile(folder / "new-0123456789a", "not a writer's name");
  cacheIn(folder.str()).store(kernelsOf({"other"}, "code"));
  const std::vector<std::string> names = folder.names();
  CHECK_FALSE(llvm::is_contained(names, "new-0123456789ab"));
  CHECK(llvm::is_contained(names, "new-0123456789a"));
  CHECK(entriesIn(folder).size() == 2);
}
