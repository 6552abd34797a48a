/* A command started by a recorder: it waits, made but not yet run, until everything is ready. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/resource.h>
#include <sys/types.h>
#include <stdbool.h>
#include <stdint.h>

struct child {
	pid_t pid; /* 0: none */
	int go;	   /* closing it without a byte gives up, a byte lets the command run */
	int trouble; /* errno of exec comes back here */
	int pidfd;   /* readable when the command has ended, or -1 */
	bool ended;
	int status; /* as waitpid() */
	struct rusage usage;
};

/* Forks. stdout_to_stderr: the profile has our stdout, so the command's goes to stderr. -1 said. */
int child_prepare(struct child *child, char *argv[], bool stdout_to_stderr);

/* Runs the command. -1, said, if there is no such program; *status is then 127 or 126. */
int child_run(struct child *child, const char *name, int *status);

/* True once it has ended. */
bool child_ended(struct child *child);
void child_wait(struct child *child);

/* What a shell would say: its status, or 128 + the signal that ended it. */
int child_exit_status(const struct child *child);

/* CPU time of the command and of the children it waited for, ns. */
uint64_t child_cpu_ns(const struct child *child);

#endif
