#!/usr/bin/env bash
# docs/slurm/report.sbatch on a Slurm of one node: munged, slurmctld and slurmd are started in a scratch folder, on ports
# of their own, and are gone when this ends.
# usage: slurm.sh <build folder>
set -uo pipefail
build=$1
for program in mpirun munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "skipped: no $program here; make deps-slurm"; exit 77; }
done
[ -x "$build/mpi/tests/toy" ] || { echo "skipped: the studies are not linked for mpirun; make build RANKS=1"; exit 77; }
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
for variable in $(compgen -v SLURM_) $(compgen -v SBATCH_); do unset "$variable"; done

# ---- a Slurm of one node --------------------------------------------------------------------------------------------------
host=$(hostname -s) user=$(id -un)
chmod 755 .  # munge wants its socket within everyone's reach, and its key within nobody's
mkdir -m 755 munge state spool
head -c 1024 /dev/urandom >munge/key && chmod 600 munge/key
free_port() { local port; for port in $(shuf -i 20000-30000 -n 50); do (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }; done; }
cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf

# Everything that was started here, steps of jobs included, has that variable in its environment.
ours() {
  local folder
  for folder in /proc/[0-9]*; do
    [ "${folder#/proc/}" -ne $$ ] && [ "${folder#/proc/}" -ne "$BASHPID" ] &&
      { tr '\0' '\n' <"$folder/environ"; } 2>/dev/null | grep -qxF "SLURM_CONF=$SLURM_CONF" && echo "${folder#/proc/}"
  done
}
put_away() {
  local signal
  scancel --user="$user" 2>/dev/null
  for _ in $(seq 100); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.1; done
  for signal in TERM TERM KILL; do
    # shellcheck disable=SC2046
    kill -s "$signal" $(ours) 2>/dev/null
    for _ in $(seq 30); do [ -z "$(ours)" ] && break 2; sleep 0.1; done
  done
}
trap 'put_away; rm -rf "$work"' EXIT
munged --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" || cat munge/log
slurmctld -D >ctld.out 2>&1 &
slurmd -D >slurmd.out 2>&1 &
for _ in $(seq 300); do [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break; sleep 0.1; done
check "a node is up" [ "$(sinfo -h -o %T)" = idle ] || { tail -n 20 ./*.log ./*.out munge/log; exit 1; }

# ---- the batch script --------------------------------------------------------------------------------------------------------
studies="orthogonality distance"
report one.kept one 2>err || cat err
submit() {  # submit <kept> <out>: the script as its head says, with variables of make; prints the job's number
  (cd "$source_folder" && BUILD=$build KEPT=$work/$1 OUT=$work/$2 PRESET=quick STUDIES=$studies CORPUS=none \
    sbatch --parsable --ntasks=3 --mem-per-cpu=200 --output="$work/$2.log" docs/slurm/report.sbatch)
}
ended() {  # ended <job>: waits (sbatch --wait looks seldom), prints its exit code
  for _ in $(seq 1200); do [ -z "$(squeue -h -j "$1" 2>/dev/null)" ] && break; sleep 0.1; done
  scontrol -o show job "$1" | grep -oP ' ExitCode=\K[0-9]+'
}
code=$(ended "$(submit three.kept three)")
check "the job ends well (exit code $code)" [ "$code" -eq 0 ] || cat three.log
check "it ran as three ranks" grep -q '"ranks": 3' three/distance/run.json
check "the same bytes as one process without Slurm" same one three

job=$(submit cut.kept cut)
for _ in $(seq 600); do
  [ -d cut.kept ] && [ "$(find cut.kept -name '*.cell' | wc -l)" -ge 5 ] && break
  sleep 0.05
done
scancel "$job"
ended "$job" >/dev/null
kept=$(find cut.kept -name '*.cell' | wc -l)
check "a cancelled job leaves cells ($kept)" [ "$kept" -gt 0 ]
check "… and no report" [ ! -e cut/REPORT.md ]
code=$(ended "$(submit cut.kept cut)")
check "submitted again, it ends well (exit code $code)" [ "$code" -eq 0 ] || cat cut.log
reused=$(sed -nE 's/.* ([0-9]+) reused.*/\1/p' cut.log | awk '{sum += $1} END {print sum + 0}')
check "… goes on from all of them ($reused)" [ "$reused" -eq "$kept" ]
check "… to the same bytes" same one cut

put_away
check "no daemon and no step is left" [ -z "$(ours)" ]
finish
