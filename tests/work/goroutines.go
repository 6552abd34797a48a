// Goroutines whose work is on their system's stack: left's and right's, of which each has leaves of its own. A stack that
// holds leafLeft and not left was cut or put together. usage: goroutines [seconds]
package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// The traceback is written on the system's stack (runtime.systemstack).
//
//go:noinline
func leafLeft(buffer []byte) int { return runtime.Stack(buffer, false) }

//go:noinline
func leafRight(buffer []byte) int { return runtime.Stack(buffer, false) }

//go:noinline
func down(n int, leaf func([]byte) int, buffer []byte) int {
	if n == 0 {
		return leaf(buffer) + 1
	}
	return down(n-1, leaf, buffer) + 1
}

//go:noinline
func left(end time.Time) {
	buffer := make([]byte, 64<<10)
	for time.Now().Before(end) {
		for i := 0; i < 10; i++ {
			down(10, leafLeft, buffer)
		}
	}
}

//go:noinline
func right(end time.Time) {
	buffer := make([]byte, 64<<10)
	for time.Now().Before(end) {
		for i := 0; i < 10; i++ {
			down(20, leafRight, buffer)
		}
	}
}

func main() {
	seconds := 1.0
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	end := time.Now().Add(time.Duration(seconds * 1e9))
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(2)
		go func() { defer all.Done(); left(end) }()
		go func() { defer all.Done(); right(end) }()
	}
	all.Wait()
}
