#!/usr/bin/env bash
# A fake ncu for tests: it profiles nothing. FAKE_NCU says how it behaves; FAKE_NCU_RAW and
# FAKE_NCU_DETAILS name the files that --import prints; with FAKE_NCU_ASKED the kernel croq_mm in
# them has the name that was asked for. Each call is noted in $FAKE_NCU_CALLS.
# Texts are ncu's own.
mode=${FAKE_NCU:-ok}
[[ -z ${FAKE_NCU_CALLS:-} ]] || printf '%s\n' "LC_ALL=$LC_ALL $*" >> "$FAKE_NCU_CALLS"

if [[ $1 == --import ]]; then
  report=$2
  if [[ ! -f $report ]]; then
    echo "==ERROR== Failed to open input file $report." >&2
    exit 1
  fi
  page=$FAKE_NCU_RAW
  [[ " $* " != *" details "* ]] || page=$FAKE_NCU_DETAILS
  if [[ -s $report ]]; then sed "s/croq_mm/$(< "$report")/" "$page"; else cat "$page"; fi
  exit 0
fi

asked=
[[ -z ${FAKE_NCU_ASKED:-} || ! $* =~ --kernel-name\ regex:\^\(([A-Za-z0-9_]+)\) ]] || asked=${BASH_REMATCH[1]}
while (($# > 0)) && [[ $1 != --export ]]; do shift; done
report=$2
shift 3 # --export R --force-overwrite: the program follows

case $mode in
  ok)
    [[ -z ${FAKE_NCU_STARTS:-} ]] || "$@" || exit
    echo "==PROF== Connected to process 1 (/usr/bin/python3)"
    printf '%s' "$asked" > "$report"
    ;;
  permission)
    echo "==PROF== Connected to process 1 (/usr/bin/python3)"
    echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0. For instructions on enabling permissions and to get more information see https://developer.nvidia.com/ERR_NVGPUCTRPERM"
    echo "==WARNING== No kernels were profiled."
    exit 1
    ;;
  no_kernels)
    [[ -z ${FAKE_NCU_STARTS:-} ]] || "$@" || exit
    echo "==PROF== Connected to process 1 (/usr/bin/python3)"
    echo "==PROF== Disconnected from process 1"
    echo "==WARNING== No kernels were profiled."
    ;;
  silent) ;; # ends well and leaves no report
  driver)
    echo "==ERROR== An error was reported by the driver: Cuda driver is not compatible with Nsight Compute."
    echo "==ERROR== The application returned an error code (11)."
    exit 11
    ;;
  old)
    echo "==ERROR== unrecognised option '--clock-control'. Use --help for further details."
    exit 1
    ;;
  busy)
    echo "==ERROR== An error was reported by the driver: Profiling failed because a driver resource was unavailable. Ensure that no other tool (like DCGM) is concurrently collecting profiling data."
    exit 1
    ;;
  sandbox)
    echo "==ERROR== Failed to initialize the profiler: LibraryNotLoaded"
    exit 1
    ;;
  application)
    echo "Traceback: boom"
    echo "==ERROR== The application returned an error code (1)."
    echo "==WARNING== No kernels were profiled."
    exit 1
    ;;
  hang)
    sleep 600 &
    wait
    ;;
  odd)
    echo "something nobody has seen before" >&2
    exit 7
    ;;
esac
