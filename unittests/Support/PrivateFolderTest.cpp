//===- PrivateFolderTest.cpp - Folders that others can change -------------===//
#include "tsc/Support/PrivateFolder.h"
#include "FilesOfTests.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
using namespace tsc;
using namespace tsc::test;

namespace {
constexpr uid_t another = 12345; ///< A user that is neither root nor, most likely, who runs the tests.

void allow(const std::string &path, mode_t mode) { REQUIRE(chmod(path.c_str(), mode) == 0); }
std::string made(const ScratchFolder &folder, const char *name, mode_t mode = 0700) {
  const std::string path = folder / name;
  REQUIRE(mkdir(path.c_str(), mode) == 0);
  allow(path, mode);
  return path;
}
/// What is said of a folder; empty where it is used.
std::string objection(const std::string &path) { return messageOf(PrivateFolder::open(path).status()).str(); }
} // namespace

TEST_CASE("PrivateFolder: what is missing is made, for the user alone") {
  ScratchFolder folder;
  const mode_t before = umask(0);
  CHECK(objection(folder / "a/b/../c/./d//") == "");
  umask(before);
  for (const char *name : {"a", "a/b", "a/c", "a/c/d"}) {
    struct stat status;
    REQUIRE(stat((folder / name).c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
  }
}

TEST_CASE("PrivateFolder: one that others can write to is refused, and so is what lies below one") {
  ScratchFolder folder;
  const std::string top = made(folder, "top"), inner = made(folder, "top/inner");
  CHECK(objection(inner) == "");
  for (mode_t mode : {0770, 0707, 0777}) {
    allow(inner, mode);
    CHECK(objection(inner) == "'" + inner + "' can be written to by other users");
    allow(inner, mode | S_ISVTX); // others may put new files there
    CHECK(objection(inner) == "'" + inner + "' can be written to by other users");
    allow(inner, 0700);
    allow(top, mode);
    CHECK(objection(inner) == "'" + top + "' can be written to by other users");
    CHECK(objection(top + "/new") == "'" + top + "' can be written to by other users");
    allow(top, mode | S_ISVTX);
    CHECK(objection(inner) == "");
    allow(top, 0700);
  }
  allow(inner, 0755);
  CHECK(objection(inner) == "");
  CHECK_FALSE(llvm::sys::fs::exists(top + "/new"));
}

TEST_CASE("PrivateFolder: the user's own links are followed, in all their forms") {
  ScratchFolder folder;
  const std::string target = made(folder, "target");
  made(folder, "target/inner");
  REQUIRE(symlink("target", (folder / "relative").c_str()) == 0);
  REQUIRE(symlink(target.c_str(), (folder / "absolute").c_str()) == 0);
  REQUIRE(symlink("../target/inner/../inner", (folder / "target/winding").c_str()) == 0);
  REQUIRE(symlink("circle", (folder / "circle").c_str()) == 0);
  for (const char *name : {"relative", "relative/inner", "absolute/inner", "target/winding", "target/winding/new"})
    CHECK(objection(folder / name) == "");
  CHECK(llvm::sys::fs::is_directory(target + "/inner/new"));
  CHECK(PrivateFolder::open(folder / "circle").status().code() == StatusCode::NotFound);
  allow(target, 0777);
  CHECK(objection(folder / "relative/inner") == "'" + target + "' can be written to by other users");
}

TEST_CASE("PrivateFolder: where there can be no folder there is none, and nobody is accused") {
  ScratchFolder folder;
  writeFile(folder / "file", "");
  for (const std::string &path : {std::string(), std::string("/dev/null/tsc"), folder / "file", folder / "file/inner",
                                  std::string("/proc/none"), std::string("bad\0name", 8)})
    CHECK(PrivateFolder::open(path).status().code() == StatusCode::NotFound);
}

TEST_CASE("PrivateFolder: other users' folders and links are refused, root's are passed through") {
  ScratchFolder folder;
  const std::string top = made(folder, "top"), inner = made(folder, "top/inner");
  if (geteuid() != 0) {
    CHECK(objection("/usr") == "'/usr' belongs to another user");
    CHECK(objection("/") == "'/' belongs to another user");
    return;
  }
  REQUIRE(symlink("top", (folder / "link").c_str()) == 0);
  REQUIRE(lchown((folder / "link").c_str(), another, another) == 0);
  CHECK(objection(folder / "link/inner") == "'" + (folder / "link") + "' belongs to another user");
  // As with sudo, which may leave the home folder as it was.
  REQUIRE(chown(top.c_str(), another, another) == 0);
  CHECK(objection(inner) == "'" + top + "' belongs to another user");
  CHECK(objection(top) == "'" + top + "' belongs to another user");
  CHECK(objection(top + "/new/inner") == "'" + top + "' belongs to another user");
  CHECK_FALSE(llvm::sys::fs::exists(top + "/new"));
  // A user whose folder lies below folders of root's.
  REQUIRE(chown(inner.c_str(), another, another) == 0);
  REQUIRE(chown(top.c_str(), 0, 0) == 0);
  allow(top, 0755);
  allow(folder.str(), 0755);
  REQUIRE(seteuid(another) == 0);
  const std::string own = objection(inner), roots = objection(top);
  REQUIRE(seteuid(0) == 0);
  CHECK(own == "");
  CHECK(roots == "'" + top + "' belongs to another user");
}

TEST_CASE("PrivateFolder: only files that are the user's alone are read") {
  ScratchFolder scratch;
  StatusOr<PrivateFolder> folder = PrivateFolder::open(scratch.str());
  REQUIRE(folder.ok());
  constexpr mode_t others = S_IWGRP | S_IWOTH;
  auto code = [&](const char *name, mode_t forbidden = others) { return folder->read(name, forbidden, 1000).status(); };
  writeFile(scratch / "good", "bytes");
  allow(scratch / "good", 0644);
  CHECK(*folder->read("good", others, 1000) == "bytes");
  CHECK(code("good", S_IRWXG | S_IRWXO).code() == StatusCode::PermissionDenied);
  CHECK(code("none").code() == StatusCode::NotFound);
  for (mode_t mode : {0664, 0646, 0666}) {
    allow(scratch / "good", mode);
    CHECK(code("good").code() == StatusCode::PermissionDenied);
  }
  allow(scratch / "good", 0644);
  writeFile(scratch / "large", std::string(1001, '.'));
  CHECK(code("large").code() == StatusCode::ResourceExhausted);
  REQUIRE(symlink("good", (scratch / "link").c_str()) == 0);
  REQUIRE(mkdir((scratch / "folder").c_str(), 0700) == 0);
  REQUIRE(mkfifo((scratch / "fifo").c_str(), 0600) == 0);
  const unsigned before = alarm(10); // a reader that waits does so for ever
  for (const char *name : {"link", "folder", "fifo"})
    CHECK(code(name).code() == StatusCode::PermissionDenied);
  alarm(before);
  REQUIRE(link((scratch / "good").c_str(), (scratch / "second").c_str()) == 0);
  CHECK(code("good").code() == StatusCode::PermissionDenied);
  folder->remove("second");
  CHECK(code("good").ok());
  if (geteuid() == 0) {
    REQUIRE(chown((scratch / "good").c_str(), another, another) == 0);
    CHECK(code("good").code() == StatusCode::PermissionDenied);
  }
}

TEST_CASE("PrivateFolder: it is the folder that was checked, wherever the path leads later") {
  ScratchFolder scratch;
  const std::string path = made(scratch, "cache");
  writeFile(path + "/entry", "mine");
  StatusOr<PrivateFolder> folder = PrivateFolder::open(path);
  REQUIRE(folder.ok());
  REQUIRE(rename(path.c_str(), (scratch / "moved").c_str()) == 0);
  made(scratch, "cache");
  writeFile(path + "/entry", "planted");
  CHECK(*folder->read("entry", 0, 1000) == "mine");
}
