#!/usr/bin/env bash
# README's two commands, PRESET=quick, on a machine that holds nothing: debootstrap makes one, git and make are all that is
# installed by hand. Asks for root, takes up to an hour, and is no part of CI.
# usage: fresh.sh bookworm|trixie g++|clang++ root|reader [build]
#   g++ is Debian's own (12 on bookworm, 14 on trixie), and so is clang++ (14, 19). root: in a clone of root's. reader: an
#   ordinary user who may only read the checkout and builds elsewhere; root has installed the packages before.
# Packages come from where the calling machine's apt has them; nothing of that is written into the tree.
set -euo pipefail
export LC_ALL=C
usage() { sed -n '4s/^# //p' "$0" >&2; exit 2; }
[ $# -ge 3 ] && [ $# -le 4 ] || usage
suite=$1 compiler=$2 who=$3
[[ $suite =~ ^(bookworm|trixie)$ && $compiler =~ ^(g\+\+|clang\+\+)$ && $who =~ ^(root|reader)$ ]] || usage
source=$(realpath "$(dirname "$0")/../..")
build=$(realpath -m "${4:-$source/build}")
[ "$(id -u)" -eq 0 ] || { echo "fresh: debootstrap and chroot ask for root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "fresh: no debootstrap here: apt-get install debootstrap" >&2; exit 1; }
work=$build/fresh base=$build/fresh/$suite.base machine=$build/fresh/$suite.$compiler.$who
mkdir -p "$work"

# A line of sources for each of the calling machine's, for this suite.
here=$(. /etc/os-release && echo "$VERSION_CODENAME")
sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u |
    sed -nE "s#^(\S+) $here(|-updates|-security) main\$#deb \1 $suite\2 main#p"
}
main=$(sources | awk -v suite="$suite" '$3 == suite {print $2; exit}')
[ -n "$main" ] || { echo "fresh: apt here has no sources of Debian $here to go by" >&2; exit 1; }
eval "$(apt-config shell proxy Acquire::http::Proxy)"
[ -z "${proxy:-}" ] || export http_proxy=$proxy

if [ ! -e "$base/done" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" "$main" >"$work/$suite.log" 2>&1 ||
    { tail -n 5 "$work/$suite.log" >&2; echo "fresh: debootstrap failed ($work/$suite.log)" >&2; exit 1; }
  sources >"$base/etc/apt/sources.list"
  apt-config dump Acquire | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until)' >"$base/etc/apt/apt.conf.d/00caller" || true
  for file in auth.conf auth.conf.d; do [ ! -e "/etc/apt/$file" ] || cp -a "/etc/apt/$file" "$base/etc/apt/"; done
  touch "$base/done"
fi

# The tree as it is committed, and as a file, so that who owns the checkout here does not matter there.
rm -rf "$machine"
cp -a "$base" "$machine"
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
git -C "$source" bundle create --quiet "$machine/root/perpendicular.bundle" HEAD
inside() {  # inside <command>: as root in the fresh machine, in a world of mounts and processes of its own
  unshare --mount --pid --fork --kill-child bash -c '
    for folder in sys dev; do mount --rbind "/$folder" "$0/$folder"; done
    mount -t proc proc "$0/proc"
    mount -t tmpfs tmpfs "$0/tmp"
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
      ${http_proxy:+"http_proxy=$http_proxy"} bash -euo pipefail -c "$1"' "$machine" "$1"
}
size() { inside "dpkg-query -W -f='\${Installed-Size}\n'" | awk '{sum += $1} END {print sum}'; }
log=$work/$suite.$compiler.$who.log
: >"$log"
timed() {  # timed <command>: in the fresh machine; sets seconds to what it took
  local start=$SECONDS
  echo "fresh: $suite, $compiler, $who: $1" >&2
  inside "$1" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "fresh: failed ($log)" >&2; exit 1; }
  seconds=$((SECONDS - start))
}
before=$(size)
by_hand="git make"
flags=
if [ "$compiler" = clang++ ]; then by_hand+=" clang" flags=" CMAKE_FLAGS=-DCMAKE_CXX_COMPILER=clang++"; fi
timed "apt-get update && apt-get install -y --no-install-recommends ca-certificates $by_hand"
at_first=$(size)
clone="git -c advice.detachedHead=false clone --quiet /root/perpendicular.bundle /root/perpendicular && cd /root/perpendicular"
if [ "$who" = root ]; then
  timed "$clone && make reports PRESET=quick$flags"; reports=$seconds
  timed "cd /root/perpendicular && make test$flags"; tests=$seconds
else
  timed "${clone/%&& cd *} && mv /root/perpendicular /opt/ && chmod -R a-w /opt/perpendicular &&
    cd /opt/perpendicular && make deps-test && useradd --create-home reader"
  as_reader() { echo "exec setpriv --reuid=reader --regid=reader --init-groups env HOME=/home/reader bash -c 'cd /opt/perpendicular && $1'"; }
  elsewhere="BUILD=/home/reader/build OUT=/home/reader/out"
  timed "$(as_reader "make reports PRESET=quick $elsewhere$flags")"; reports=$seconds
  timed "$(as_reader "make test $elsewhere$flags")"; tests=$seconds
fi
commit=$(git -C "$source" rev-parse --short=12 HEAD)
version=$(inside "$compiler -dumpversion")
tests_run=$(grep -oE '[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
row="| $suite | $compiler $version | $who | $reports | $tests | $((($(size) - before) / 1024)) | $tests_run | $(date -u +%F) | $commit |"
# One row for each call; a later one of the same kind takes its place, and the others stand as they were noted or published.
note=$build/trust/clean.md
[ -e "$note" ] || note=$source/docs/TRUST.md
{ grep -E '^\| (bookworm|trixie) \| [gc]' "$note" | grep -vE "^\| $suite \| ${compiler//+/\\+} [^|]* \| $who \|" || true; echo "$row"; } |
  sort >"$work/rows"
{
  echo "| Debian | compiler | as | seconds of \`make reports\` | seconds of \`make test\` | MiB installed | tests | date | commit |"
  echo "| --- | --- | --- | ---: | ---: | ---: | --- | --- | --- |"
  cat "$work/rows"
} | PERP_COMMIT=$commit "$source/scripts/trust" "$build" clean "tests/cli/fresh.sh bookworm|trixie g++|clang++ root|reader"
echo "$row (of which by hand: $(((at_first - before) / 1024)) MiB)"
rm -rf "$machine"
