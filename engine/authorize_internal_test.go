package engine

import "testing"

// TestReaders: every operation has its reader; one without would be denied to everybody.
func TestReaders(t *testing.T) {
	for name := range handlers {
		if readers[name] == nil {
			t.Errorf("%s: what it does is not known", name)
		}
	}
	for name := range readers {
		if handlers[name] == nil {
			t.Errorf("%s: there is no such operation", name)
		}
	}
}
