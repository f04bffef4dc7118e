package sdk_test

import "testing"

// TestCommandLine runs testdata/commands.py, commands of the AWS CLI, against the program with keys and a certificate.
func TestCommandLine(t *testing.T) {
	runPython(t, "awscli", "testdata/commands.py", nil, startSecured)
}
