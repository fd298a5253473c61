# shellcheck shell=bash
# A Debian that holds nothing, by debootstrap, and commands in it. Packages come from where the calling machine's apt has them;
# nothing of that is written into the tree. Source it with: source_folder, build and suite set, and name, which its lines begin with.
# shellcheck disable=SC2034
: "${source_folder:?}" "${build:?}" "${suite:?}" "${name:?}"
[ "$(id -u)" -eq 0 ] || { echo "$name: debootstrap and chroot ask for root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "$name: no debootstrap here: apt-get install debootstrap" >&2; exit 1; }
work=$build/fresh base=$build/fresh/$suite.base
mkdir -p "$work"

# A line of sources for each of the calling machine's, for this suite.
here=$(. /etc/os-release && echo "$VERSION_CODENAME")
sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u |
    sed -nE "s#^(\S+) $here(|-updates|-security) main\$#deb \1 $suite\2 main#p"
}
main=$(sources | awk -v suite="$suite" '$3 == suite {print $2; exit}')
[ -n "$main" ] || { echo "$name: apt here has no sources of Debian $here to go by" >&2; exit 1; }
eval "$(apt-config shell proxy Acquire::http::Proxy)"
[ -z "${proxy:-}" ] || export http_proxy=$proxy

if [ ! -e "$base/done" ]; then
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" "$main" >"$work/$suite.log" 2>&1 ||
    { tail -n 5 "$work/$suite.log" >&2; echo "$name: debootstrap failed ($work/$suite.log)" >&2; exit 1; }
  sources >"$base/etc/apt/sources.list"
  apt-config dump Acquire | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until)' >"$base/etc/apt/apt.conf.d/00caller" || true
  for file in auth.conf auth.conf.d; do [ ! -e "/etc/apt/$file" ] || cp -a "/etc/apt/$file" "$base/etc/apt/"; done
  touch "$base/done"
fi

fresh_machine() {  # fresh_machine <name>: a new one, where commands run from now on; sets machine and log
  machine=$work/$suite.$1 log=$work/$suite.$1.log
  rm -rf "$machine"
  cp -a "$base" "$machine"
  cp /etc/resolv.conf /etc/hosts "$machine/etc/"
  : >"$log"
}
clone="git -c advice.detachedHead=false clone --quiet /root/perpendicular.bundle /root/perpendicular"
bundle() {  # the tree as it is committed, and as a file, so that who owns the checkout here does not matter there
  git -C "$source_folder" bundle create --quiet "$machine/root/perpendicular.bundle" HEAD
}
inside() {  # inside <command>: as root in the fresh machine, in a world of mounts and processes of its own
  unshare --mount --pid --fork --kill-child bash -c '
    for folder in sys dev; do mount --rbind "/$folder" "$0/$folder"; done
    mount -t proc proc "$0/proc"
    mount -t tmpfs tmpfs "$0/tmp"
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
      ${http_proxy:+"http_proxy=$http_proxy"} bash -euo pipefail -c "$1"' "$machine" "$1"
}
as_reader() {  # as_reader <folder> <command>: what runs the command there as the ordinary user of that name
  echo "setpriv --reuid=reader --regid=reader --init-groups env HOME=/home/reader bash -euo pipefail -c 'cd $1 && $2'"
}
timed() {  # timed <command>: in the fresh machine; sets seconds to what it took
  local start=$SECONDS
  echo "$name: ${machine##*/}: $1" >&2
  inside "$1" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "$name: failed ($log)" >&2; exit 1; }
  seconds=$((SECONDS - start))
}
