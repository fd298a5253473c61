# shellcheck shell=bash
# A package's program on processors that qemu acts: the oldest that it is for runs it, an older one is refused in one line.
# Source it; asks for qemu-user, and says so where it is not there.
on_processors() {  # on_processors <perp> [<root of its libraries>]; what is wrong goes to standard error
  local perp=$1 said
  command -v qemu-x86_64 >/dev/null || { echo "no qemu-x86_64 here (qemu-user): other processors were not tried" >&2; return; }
  # With one thread for BLAS, and its own kernels, a program does not restart itself, which would leave the emulator.
  acted() { env OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BLIS_NUM_THREADS=1 MKL_NUM_THREADS=1 PERP_KERNELS=as-picked qemu-x86_64 -L "${root:-/}" -cpu "$@" 2>&1 | grep -v '^qemu'; }
  local root=${2:-/}
  said=$(acted Haswell "$perp" dot --dim 16 --pairs 105:106 --json) || true
  [[ $said == *7.48516* ]] || { echo "on Haswell it says: $said" >&2; return 1; }
  said=$(acted Nehalem "$perp" --help) || true
  [ "$(wc -l <<<"$said")" -eq 1 ] && [[ $said == *x86-64-v3* ]] || { echo "on Nehalem it says: $said" >&2; return 1; }
}
