//go:build race

package norace

const detector = true
