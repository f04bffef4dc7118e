package kv

import "unsafe"

// Keys are handed over by who made them and never change again (see Writer), so that they can be a string without a copy,
// and bytes again for reading.

func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
