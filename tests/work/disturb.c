/* Notices who disturbs it: disturb [waits [turns [seconds]]]. Threads wait in every kind of system call that a signal or a
 * tracer's stop interrupts, so often and always to their timeout, one through it all; another works, with a system
 * call a turn. Prints how many calls came back with EINTR, how often it left the CPU by itself, and what a turn took
 * in ns of the worker's CPU time. With seconds the worker goes on for so long, and a line says when a turn took what:
 * begin and end of some turns (CLOCK_REALTIME), and ns of CPU time. */
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/futex.h>

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

#define WAIT_MS 10

static int waits, turns, pipe_ends[2], semaphores, receiver, listener, epoll;
static double worked, seconds;
static int interrupted;
static const struct timespec wait_time = { 0, WAIT_MS * 1000000 };

static void
wait_sleep(void)
{
	nanosleep(&wait_time, NULL);
}

static void
wait_clock(void)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &wait_time, NULL);
}

static void
wait_poll(void)
{
	poll(&(struct pollfd){ .fd = pipe_ends[0], .events = POLLIN }, 1, WAIT_MS);
}

static void
wait_select(void)
{
	select(0, NULL, NULL, NULL, &(struct timeval){ 0, WAIT_MS * 1000 });
}

static void
wait_epoll(void)
{
	struct epoll_event event;

	epoll_wait(epoll, &event, 1, WAIT_MS);
}

static void
wait_futex(void)
{
	static int word;

	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &wait_time, NULL, 0);
}

static void
wait_semaphore(void)
{
	semtimedop(semaphores, &(struct sembuf){ .sem_op = -1 }, 1, &wait_time);
}

static void
wait_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigtimedwait(&set, NULL, &wait_time);
}

static void
wait_receive(void)
{
	char byte;

	recv(receiver, &byte, 1, 0);
}

static void
wait_accept(void)
{
	accept(listener, NULL, NULL);
}

static void (*const kinds[])(void) = { wait_sleep, wait_clock, wait_poll, wait_select, wait_epoll, wait_futex,
	wait_semaphore, wait_signal, wait_receive, wait_accept };
#define KINDS (int)(sizeof kinds / sizeof *kinds)

static void *
run_waits(void *kind)
{
	for (int i = 0; i < waits; i++) {
		errno = 0;
		(*(void (*const *)(void))kind)();
		if (errno == EINTR)
			__atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* One call that lasts as long as all. */
static void *
run_read(void *unused)
{
	char byte;

	(void)unused;
	while (read(pipe_ends[0], &byte, 1) < 0 && errno == EINTR)
		__atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* So many turns are one measurement, of some 20 ms. */
#define TURNS_MEASURED 400

static void
measure(void)
{
	double begin = work_clock(CLOCK_REALTIME), cpu = work_thread_cpu(), now, cpu_now;

	for (double end = begin + seconds; begin < end; begin = now, cpu = cpu_now) {
		for (int i = 0; i < TURNS_MEASURED; i++) {
			work_turn();
			syscall(SYS_getppid);
		}
		now = work_clock(CLOCK_REALTIME);
		cpu_now = work_thread_cpu();
		printf("%.3f %.3f %.1f\n", begin, now, 1e9 * (cpu_now - cpu) / TURNS_MEASURED);
	}
}

static void *
run_work(void *unused)
{
	double begin;

	(void)unused;
	measure();
	begin = work_thread_cpu();
	for (int i = 0; i < turns; i++) {
		work_turn();
		syscall(SYS_getppid);
	}
	worked = work_thread_cpu() - begin;
	return NULL;
}

/* Sockets that nobody talks to, with a timeout. */
static int
make_silent(int type)
{
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval timeout = { 0, WAIT_MS * 1000 };
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || bind(fd, (void *)&local, sizeof local) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 1) < 0))
		return -1;
	return fd;
}

int
main(int argc, char *argv[])
{
	pthread_t threads[KINDS], reader, worker;
	struct rusage usage;
	int failed;

	waits = (int)work_argument(argc, argv, 1, 20);
	turns = (int)work_argument(argc, argv, 2, 8000);
	seconds = work_argument(argc, argv, 3, 0);
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	epoll = epoll_create1(0);
	receiver = make_silent(SOCK_DGRAM);
	listener = make_silent(SOCK_STREAM);
	if (semaphores < 0 || epoll < 0 || receiver < 0 || listener < 0 || pipe(pipe_ends) < 0)
		return 1;
	failed = pthread_create(&worker, NULL, run_work, NULL) | pthread_create(&reader, NULL, run_read, NULL);
	for (int i = 0; i < KINDS; i++)
		failed |= pthread_create(&threads[i], NULL, run_waits, (void *)&kinds[i]);
	if (failed)
		return 1;
	for (int i = 0; i < KINDS; i++)
		pthread_join(threads[i], NULL);
	pthread_join(worker, NULL);
	failed = write(pipe_ends[1], "", 1) != 1;
	pthread_join(reader, NULL);
	semctl(semaphores, 0, IPC_RMID);
	getrusage(RUSAGE_SELF, &usage);
	printf("%d %ld %.1f\n", interrupted, usage.ru_nvcsw, turns ? 1e9 * worked / turns : 0);
	return failed;
}
