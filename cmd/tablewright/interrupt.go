package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// patience is how long a command that can end anywhere has to end by itself.
const patience = 500 * time.Millisecond

// interruptible is a context that ends with the first interrupt (Ctrl-C) or request to terminate. Most of what runs looks
// at it soon; where a computation does not, a command that has nothing to clear away is ended all the same. A second signal
// ends every command at once.
func (a *app) interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-over:
			return
		}
		cancel()
		late := time.NewTimer(patience)
		defer late.Stop()
		for {
			select {
			case <-signals:
				a.end()
			case <-late.C:
				if a.abrupt.Load() {
					writing.Lock() // what is being written is written to its end
					a.end()
				}
			case <-over:
				return
			}
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(over)
		cancel()
	})
}

// end ends the program as a command does that was interrupted.
func (a *app) end() {
	halfWritten.removeAll()
	if terminal(a.stderr) && !a.quiet {
		fmt.Fprint(a.stderr, erase)
	}
	fmt.Fprint(a.stderr, "tablewright: interrupted\n")
	os.Exit(exitInterrupted)
}

// writing is held while files take their places, so that a set of them is there or is not.
var writing sync.Mutex

// halfWritten are the files that are not complete yet, under names of their own.
var halfWritten temporary

type temporary struct {
	sync.Mutex
	names map[string]bool
}

// create makes an empty file.
func (t *temporary) create(dir, pattern string) (*os.File, error) {
	t.Lock()
	defer t.Unlock()
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	if t.names == nil {
		t.names = map[string]bool{}
	}
	t.names[f.Name()] = true
	return f, nil
}

// rename lets a complete file take its place.
func (t *temporary) rename(name, to string) error {
	t.Lock()
	defer t.Unlock()
	err := os.Rename(name, to)
	if err == nil {
		delete(t.names, name)
	}
	return err
}

func (t *temporary) remove(name string) error {
	t.Lock()
	defer t.Unlock()
	delete(t.names, name)
	return os.Remove(name)
}

// removeAll removes them before the program ends. Nobody makes another one then: the lock is kept.
func (t *temporary) removeAll() {
	t.Lock()
	for name := range t.names {
		_ = os.Remove(name)
	}
}
