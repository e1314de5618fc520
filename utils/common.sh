# Shared by quickstart and check: installs what the build needs, configures and builds. Sourced, from the repository root.

packages_to_build=(clang-19 mold cmake ninja-build python3 libstdc++-12-dev libc6-dev zlib1g-dev libzstd-dev
  libxml2-dev llvm-19-dev libdnnl-dev libhwy-dev libedit2)
packages=("${packages_to_build[@]}" clang-format-19 lld-19 ccache pkg-config gfortran llvm-19-tools catch2)

# Installs those of `packages` that are missing, as root or through sudo.
install_missing() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "needs root or sudo to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "== installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# configure PRESET [cmake options...]; build PRESET [targets...]
configure() {
  local preset=$1
  shift
  echo "== configuring ($preset)"
  # Compiler output depends on neither the folder nor the time, so that any clone shares one cache.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
  cmake --preset "$preset" "$@" >/dev/null
}

build() {
  local preset=$1
  shift
  echo "== building ($preset)"
  ninja -C "build/$preset" "$@"
}
