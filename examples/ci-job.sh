#!/bin/sh
# A job of a CI system: the tests run under the profiler, their profile is kept beside their result.
# ci-job.sh command [argument ...]; $ARTIFACTS is where the job's results are kept.
# The job fails as its command fails, not because a runner allows no profiling.
set -u
: "${1:?a command is wanted, and its arguments}"
to=${ARTIFACTS:-artifacts}
mkdir -p "$to"

if gp-record -q -o /dev/null -- true 2>"$to/profile.log"; then
	gp-record -F 499 -z -o "$to/profile.folded.gz" -- "$@"
	status=$?
	gp-flame --html "$to/profile.folded.gz" >"$to/profile.html" || :
else
	"$@"
	status=$?
fi
exit $status
