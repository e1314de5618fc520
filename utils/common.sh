# shellcheck shell=bash
# Shared by quickstart, check and package: installs what the build needs, configures and builds. Sourced, from the repository root.

packages_to_build=(clang-19 mold cmake ninja-build python3 libstdc++-12-dev libc6-dev zlib1g-dev libzstd-dev
  libxml2-dev llvm-19-dev libdnnl-dev libhwy-dev libedit2)
packages=("${packages_to_build[@]}" clang-format-19 lld-19 ccache pkg-config gfortran llvm-19-tools catch2)

# The MiB that a preset's build and its tests take, and that the systems of utils/check_packages.py do; for sanitizers by how
# much larger they make a file.
declare -A size_of_build=([quick]=300 [quick-check]=100 [development]=3200 [release]=1600 [package]=1800 [asan]=6000 [tsan]=4000
  [systems]=4000)

# Ends the script with a sentence that says what to do. Most callers find the problem before anything is installed. Two do
# not: a failed `apt-get install` may leave packages that are unpacked and not configured, and when cmake fails, the packages
# that were installed for it stay.
give_up() {
  echo "error: $1" >&2
  exit 2
}

# need_space PRESET...: gives up where the disk has no room for what these builds will still write.
need_space() {
  local needed=0 preset there free folder=.
  for preset in "$@"; do
    there=0
    # du fails for files that go while it looks, and counts the rest.
    [ ! -d "build/$preset" ] || there=$(du -sm "build/$preset" 2>/dev/null | cut -f1) || true
    [ "${there:-0}" -lt "${size_of_build[$preset]}" ] && needed=$((needed + size_of_build[$preset] - there))
  done
  [ -d build ] && folder=build
  free=$(df -Pm "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }') || return 0 # nobody knows
  [ "$free" -ge "$needed" ] || give_up "the disk of $PWD/build has $free MiB free, and the build takes $needed MiB more: make \
room, or let build be a link to a folder on a larger disk"
}

# Installs those of `packages` that are missing, as root or through sudo. All are downloaded before the first one is installed.
install_missing() {
  { command -v dpkg-query && command -v apt-get; } >/dev/null || give_up "this system has no apt-get, with which \
Debian's packages are installed: use Debian 12 or newer, or install by hand what answers to ${packages[*]}, and run \
\`cmake --preset quick && ninja -C build/quick tsc-run tsc-opt\`"
  local missing=() unknown=() as_root=() is_up_to_date=yes installed package
  # dpkg-query fails where it knows none of a name, and lists the others all the same.
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "${packages[@]}" 2>/dev/null || true)
  for package in "${packages[@]}"; do
    grep -qxF "$package ii " <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "packages are missing, and only root can install them: as root, run \
\`apt-get install ${missing[*]}\`, then run this again"
    # `sudo -v` would refuse a user whose rules allow apt-get without a password, but not every program.
    sudo apt-get --version >/dev/null || give_up "packages are missing, and sudo does not let you install them: ask an administrator to run \
\`apt-get install ${missing[*]}\`, then run this again"
    as_root=(sudo)
  fi
  echo "== installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q -o APT::Update::Error-Mode=any || is_up_to_date=no
  for package in "${missing[@]}"; do
    apt-cache show --no-all-versions "$package" >/dev/null 2>&1 || unknown+=("$package")
  done
  if [ ${#unknown[@]} -ne 0 ]; then
    [ $is_up_to_date = yes ] || give_up "apt-get could not fetch the lists of packages, and nothing was installed: see that the \
network is there and that /etc/apt names a mirror that answers, then run this again"
    local system
    system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME-}") || true
    [[ " ${unknown[*]} " != *" clang-19 "* ]] || give_up "${system:-this system} has no package clang-19, and older compilers \
do not build tsc: use Debian 12 or newer, or add the packages of LLVM 19 for this system to /etc/apt; nothing was installed"
    give_up "${system:-this system} has no package ${unknown[*]}: use Debian 12 or newer, with its component \`main\` in \
/etc/apt; nothing was installed"
  fi
  # This is exported instead of passed through env, because sudo may allow apt-get alone. If sudo drops it, packages may ask.
  local -x DEBIAN_FRONTEND=noninteractive
  local install=("${as_root[@]}" apt-get install -y -q --no-install-recommends)
  "${install[@]}" --download-only "${missing[@]}" || give_up "apt-get could not download what is missing, and nothing was \
installed: mend what it says above (the network, the mirror, or room on the disk), then run this again"
  "${install[@]}" --no-download "${missing[@]}" || give_up "apt-get could not install what it downloaded: mend what it says above, \
run \`apt-get --fix-broken install\` as root, then run this again"
}

# configure PRESET [cmake options...]; build PRESET [targets...]
configure() {
  local preset=$1
  shift
  echo "== configuring ($preset)"
  # Compiler output depends on neither the folder nor the time, so that any clone shares one cache.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
  cmake --preset "$preset" "$@" >/dev/null || give_up "cmake could not configure build/$preset: mend what it says above; if the \
folder is from another version of tsc, remove it"
}

build() {
  local preset=$1
  shift
  echo "== building ($preset)"
  local status=0
  python3 utils/build_progress.py -C "build/$preset" "$@" || status=$?
  [ $status -ne 0 ] || return 0
  [ $status -eq 2 ] || echo "error: build/$preset could not be built: mend what is said above and run this again, which goes on from \
there" >&2
  exit $status
}
