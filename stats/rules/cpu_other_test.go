//go:build !unix

package rules_test

import "time"

// worked is the time, where it cannot be told how long this process has worked.
func worked() time.Duration { return time.Duration(time.Now().UnixNano()) }
