# shellcheck shell=bash
# Shared by quickstart, check and package: installs what the build needs, configures and builds. Sourced, from the repository root.

packages_to_build=(clang-19 mold cmake ninja-build python3 libstdc++-12-dev libc6-dev zlib1g-dev libzstd-dev
  libxml2-dev llvm-19-dev libdnnl-dev libhwy-dev libedit2)
packages=("${packages_to_build[@]}" clang-format-19 lld-19 ccache pkg-config g++ gfortran llvm-19-tools catch2
  clang-tidy-19 nlohmann-json3-dev)

# The MiB that a preset's build and its tests take, and that the systems of utils/check_packages.py do; for sanitizers by how
# much larger they make a file, and for another processor with its libraries.
declare -A size_of_build=([quick]=300 [quick-check]=100 [development]=3700 [release]=1600 [package]=1800 [asan]=6000 [tsan]=4000
  [aarch64]=4500 [package-aarch64]=2500 [systems]=4000)

# Ends the script with a sentence that says what to do. Most callers find the problem before anything is installed. Three do
# not: a failed `apt-get install` may leave packages that are unpacked and not configured, and when the compiler does not run
# or cmake fails, the packages that were installed for it stay.
give_up() {
  echo "error: $1" >&2
  exit 2
}

# refuse_path CHARACTERS: gives up where the path of this folder has one of these characters, or one that cmake cannot take.
refuse_path() {
  local refused=$']["#;<>\\\n'$1
  [[ $PWD != *["$refused"]* ]] || give_up "the path of this folder, $PWD, has a character that cmake or the tests cannot take: \
move the folder to a path of letters, digits and the characters ._+-/"
}

# need_writable FOLDER...: makes these folders, and gives up where no file can be written in one. Permissions do not tell that of
# root, whom only some file systems refuse.
need_writable() {
  local folder problem
  for folder in "$@"; do
    problem=$({ mkdir -p "$folder" && file=$(mktemp "$folder/.tsc.XXXXXX") && rm "$file"; } 2>&1) ||
      give_up "$PWD/$folder cannot be written (${problem#*: }): let it be a folder in which you may write, or a \
link to one"
  done
}

# need_room FOLDER MIB FILES WHAT ADVICE: gives up where the disk of this folder has no room for what takes so much of it.
need_room() {
  local free files all_files
  # Where df fails, and where a file system does not count its files, nobody knows.
  read -r free files all_files < <(df -m --output=avail,iavail,itotal "$1" 2>/dev/null | tail -n 1) || return 0
  [[ ! $free =~ ^[0-9]+$ ]] || [ "$free" -ge "$2" ] || give_up "the disk of $1 has $free MiB free, and $4 takes $2 MiB more: $5"
  [[ ! $all_files =~ ^[1-9] ]] || [ "$files" -ge "$3" ] || give_up "the disk of $1 has room for $files more files, and $4 has \
$3: $5"
}

# need_space PRESET...: gives up where these builds cannot be written, or the disk has no room for what they will still write.
need_space() {
  local mib=0 files=0 preset there more in_mib
  need_writable "${@/#/build/}"
  for preset in "$@"; do
    # du fails for files that go while it looks, and counts the rest.
    there=$(du -sm "build/$preset" 2>/dev/null | cut -f1) || true
    more=$((size_of_build[$preset] - ${there:-0}))
    [ $more -gt 0 ] || continue
    mib=$((mib + more))
    in_mib=4 # files of a build, at most
    [ "$preset" != systems ] || in_mib=17
    files=$((files + in_mib * more))
  done
  need_room "$PWD/build" $mib $files "the build" "make room, or let build be a link to a folder on a larger disk"
}

# install_missing ADVICE: installs those of `packages` that are missing, as root or through sudo. All are downloaded before the
# first one is installed. The advice, if any, is what to run after packages were installed by hand.
install_missing() {
  { command -v dpkg-query && command -v apt-get; } >/dev/null || give_up "this system has no apt-get, with which \
Debian's packages are installed: use Debian 12 or newer${1:+, or install by hand what answers to ${packages[*]}, and \
run $1}"
  local missing=() unknown=() as_root=() is_up_to_date=yes installed package mib
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
  # Unpacked, packages take about five times as much as their files.
  mib=$("${install[@]}" --print-uris "${missing[@]}" 2>/dev/null |
    awk '/^\047/ { bytes += $3 } END { print int(bytes / 1048576) + 1 }') || true
  need_room /var/cache/apt/archives "$mib" ${#missing[@]} "what is downloaded" "make room there; nothing was installed"
  need_room /usr $((6 * mib)) $((70 * mib)) "what is missing" "make room there; nothing was installed"
  "${install[@]}" --download-only "${missing[@]}" || give_up "apt-get could not download what is missing, and nothing was \
installed: mend what it says above (the network, the mirror, or room on the disk), then run this again"
  "${install[@]}" --no-download "${missing[@]}" || give_up "apt-get could not install what it downloaded: mend what it says above, \
run \`apt-get --fix-broken install\` as root, then run this again"
}

# Gives up where the compilers of the presets do not run. What cmake says then is long, and does not name them.
need_compilers() {
  local name told
  for name in clang-19 clang++-19; do
    { told=$("$name" -dumpversion 2>&1) && [[ $told == 19.* ]]; } || give_up "$(command -v "$name" || echo "$name") is no clang 19 \
that runs, but says '${told##*$'\n'}': remove it from PATH, or install Debian's package clang-19 again"
  done
}

# configure PRESET [cmake options...]; build PRESET [targets...]
configure() {
  local preset=$1
  shift
  need_compilers
  echo "== configuring ($preset)"
  # What the compiler makes depends on neither the folder nor the time. What a file includes is known from what the compiler
  # writes beside it, so that no file goes through the preprocessor twice.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=${CCACHE_DEPEND:-1}
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
