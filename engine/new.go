package engine

// TB is what New and its relatives need of a test: *testing.T, *testing.B and *testing.F have it. Package testing itself
// stays out of programs that have an engine inside.
type TB interface {
	Helper()
	Cleanup(f func())
	Fatalf(format string, args ...any)
}

// New is an empty engine in memory for a test, closed at its end. It takes some microseconds: each test, and each of its
// parts, can have one of its own. What cannot be had ends the test.
//
//	e := engine.New(t)
//	e := engine.New(t, engine.Options{Clock: engine.NewClock(time.Time{}), Throttle: &engine.Throttle{}})
//
// Of several Options the last one counts.
func New(t TB, options ...Options) *Engine {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[len(options)-1]
	}
	e, err := Open("", &o)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	t.Cleanup(func() { _ = e.Close() }) // in memory there is nothing that could be lost
	return e
}
