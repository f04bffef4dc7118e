package stats

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// Contexts of single calls are found to be so however often memory is collected in between, and comes to be other contexts'.
func TestContextsOfSingleCalls(t *testing.T) {
	type span struct{}
	type request struct{ context.Context }
	for name, of := range map[string]func(ctx context.Context) (context.Context, context.CancelFunc){
		"a limit": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Hour)
		},
		"a later limit than the caller's": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 1000*time.Hour)
		},
		"a value": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithValue(ctx, span{}, new(int64)), func() {}
		},
		"one value": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithValue(ctx, span{}, t), func() {}
		},
		"both": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.WithValue(ctx, span{}, new(int64)), time.Hour)
		},
	} {
		for _, each := range []struct{ calls, megabytes, collected int }{{200_000, 0, 4000}, {200_000, 64, 4000}, {12_000, 0, 40}} {
			t.Run(fmt.Sprintf("%s, %d MB, collected every %d calls", name, each.megabytes, each.collected), func(t *testing.T) {
				heap := make([]byte, each.megabytes<<20)
				limited, cancel := context.WithTimeout(t.Context(), 100*time.Hour)
				defer cancel()
				parent := context.Context(&request{limited})
				l, known := new(lineage), 0
				for i := range each.calls {
					ctx, done := of(parent)
					if l.caller(ctx, false) == identity(parent) {
						known++
					}
					done()
					if i%each.collected == 0 {
						runtime.GC()
					}
				}
				runtime.KeepAlive(heap)
				if missed := each.calls - known; missed > 1000 {
					t.Errorf("of %d calls %d are not found to be one caller's", each.calls, missed)
				}
			})
		}
	}
}

// A context that goes on with tries or pages of one call is still of a single call, and a request's limit is no call's even if those
// have limits too.
func TestContextsOfRequests(t *testing.T) {
	l := new(lineage)
	for i := range 2000 {
		request, done := context.WithTimeout(t.Context(), time.Hour)
		for range 3 {
			ctx, cancel := context.WithTimeout(request, time.Minute)
			for try := range 1 + i%3 {
				if caller := l.caller(ctx, try > 0); i > 200 && caller != identity(request) {
					t.Fatalf("request %d: a call is not the request's", i)
				}
			}
			cancel()
		}
		done()
	}
}

// What is found of contexts changes with them: of a program that begins to make several calls with each, these are callers.
func TestContextsChange(t *testing.T) {
	l := new(lineage)
	for i := range 80_000 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		for range 1 + i/20_000%2*2 {
			own := l.caller(ctx, false) == identity(ctx)
			if settled := i%20_000 > 16_000; settled && own != (i/20_000%2 == 1) {
				t.Fatalf("context %d: %v", i, own)
			}
		}
		cancel()
	}
}
