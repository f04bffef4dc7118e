package model

import _ "embed"

//go:embed starter.yaml
var starter []byte

// Starter is a small requirements file with comments, to begin with: it builds as it is.
func Starter() []byte { return append([]byte(nil), starter...) }
