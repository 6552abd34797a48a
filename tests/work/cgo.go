// Goroutines and C threads that go from Go to C and back three times, under roots left and right of either language, and
// are busy on both sides. What is left's calls nothing of right's: a stack that holds both was put together, and between
// two functions of one language is always one of the other's. usage: cgo [seconds [pairs of either kind [frames of C]]]
package main

/*
#cgo CFLAGS: -O2 -g -fomit-frame-pointer
#include <pthread.h>
#include <stdint.h>

extern void goLeft(int n);
extern void goRight(int n);

#define KEEP __attribute__((noipa))
#define STAY() __asm__ volatile("" ::: "memory")

static KEEP void
spin(void)
{
	uint64_t x = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		__asm__ volatile("" : "+r"(x));
	}
}

static KEEP void c_leaf_left(void) { spin(); STAY(); }
static KEEP void c_leaf_right(void) { spin(); STAY(); }

// C frames, of no small size, above the change of stacks; right has twice as many.
static KEEP void
c_down(int n, void (*leaf)(void))
{
	char room[600];

	__asm__ volatile("" ::"r"(room) : "memory");
	if (n)
		c_down(n - 1, leaf);
	else
		leaf();
	__asm__ volatile("" ::"r"(room) : "memory");
}

static int c_depth;

static KEEP void c_left(int n) { c_down(c_depth, c_leaf_left); if (n) goLeft(n - 1); STAY(); }
static KEEP void c_right(int n) { c_down(2 * c_depth, c_leaf_right); if (n) goRight(n - 1); STAY(); }

static volatile int c_stop;

static KEEP void *c_root_left(void *a) { while (!c_stop) goLeft(2); STAY(); return a; }
static KEEP void *c_root_right(void *a) { while (!c_stop) goRight(2); STAY(); return a; }

#define THREADS_MOST 64
static pthread_t threads[THREADS_MOST];

static void
c_start(int count, int depth)
{
	c_depth = depth;
	for (int i = 0; i < count && i < THREADS_MOST; i++)
		pthread_create(&threads[i], 0, i & 1 ? c_root_left : c_root_right, 0);
}

static void
c_end(int count)
{
	c_stop = 1;
	for (int i = 0; i < count && i < THREADS_MOST; i++)
		pthread_join(threads[i], 0);
}
*/
import "C"

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

//go:noinline
func leafLeft(n uint64) uint64 {
	for i := 0; i < 20000; i++ {
		n ^= n << 13
		n ^= n >> 7
		n ^= n << 17
	}
	return n
}

//go:noinline
func leafRight(n uint64) uint64 {
	for i := 0; i < 20000; i++ {
		n ^= n << 13
		n ^= n >> 7
		n ^= n << 17
	}
	return n
}

var sink atomic.Uint64

//export goLeft
func goLeft(n C.int) {
	sink.Add(leafLeft(88172645463325252))
	C.c_left(n)
	sink.Add(1)
}

//export goRight
func goRight(n C.int) {
	sink.Add(leafRight(88172645463325252))
	C.c_right(n)
	sink.Add(1)
}

//go:noinline
func rootLeft(end time.Time) {
	for time.Now().Before(end) {
		C.c_left(2)
	}
}

//go:noinline
func rootRight(end time.Time) {
	for time.Now().Before(end) {
		C.c_right(2)
	}
}

func main() {
	seconds, pairs, depth := 1.0, 2, 10
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	if len(os.Args) > 2 {
		pairs, _ = strconv.Atoi(os.Args[2])
	}
	if len(os.Args) > 3 {
		depth, _ = strconv.Atoi(os.Args[3])
	}
	end := time.Now().Add(time.Duration(seconds * 1e9))
	var all sync.WaitGroup
	C.c_start(C.int(2*pairs), C.int(depth))
	for i := 0; i < pairs; i++ {
		all.Add(2)
		go func() { defer all.Done(); rootLeft(end) }()
		go func() { defer all.Done(); rootRight(end) }()
	}
	all.Wait()
	C.c_end(C.int(2 * pairs))
}
