/* Processes and threads as /proc shows them. All of it may vanish at any moment: -1, in silence, then. */
#ifndef TARGET_TASK_H
#define TARGET_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TASK_COMM_MAX 64 /* kernel workers show more than the 15 bytes that prctl() takes */

/* The name of a thread, NUL-terminated. What a kernel worker is busy with is cut off its name. */
int task_comm(uint32_t pid, uint32_t tid, char comm[static TASK_COMM_MAX]);

/* R, S, D, T, t, Z, X of /proc/PID/task/TID/stat, or 0. */
char task_state(uint32_t pid, uint32_t tid);

/* This thread itself, whatever becomes of the others of its process. */
bool task_is_alive(uint32_t tid);

/* A thread of the process that is still alive: its leader if possible. 0: none. */
uint32_t task_living_thread(uint32_t pid);

/* Is there a process or thread of this number? */
bool task_exists(uint32_t tid);

/* The process of a thread, or 0; the process that a process is a child of, or 0. */
uint32_t task_process_of(uint32_t tid);
uint32_t task_parent_of(uint32_t pid);

/* Have two processes one memory, as clone() with CLONE_VM and vfork() make them? False also if we may not know. */
bool task_shares_memory(uint32_t one, uint32_t other);

/* The threads of a process now; 0 in pid: all processes. Sorted; free(*list). */
int task_list(uint32_t pid, uint32_t **list, size_t *count);

/* Reads a small file in one go, with a NUL after it; its length, or -1 with errno. */
ssize_t task_read(const char *name, char *to, size_t room);

/* A file of /proc/sys/kernel as a number, or fallback. */
long task_sysctl(const char *name, long fallback);

#endif
