package kv

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMakeDir(t *testing.T) {
	t.Chdir(t.TempDir())
	abs, _ := filepath.Abs("far/away")
	for _, path := range []string{"data", "a/b/c/", ".", abs, "data"} {
		if err := MakeDir(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		is, err := os.Stat(path)
		if err != nil || !is.IsDir() || path != "." && is.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, is, err)
		}
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MakeDir("file/data"); err == nil {
		t.Error("a folder in a file")
	}
	if os.Getuid() == 0 {
		return // who may do everything
	}
	if err := os.Mkdir("closed", 0o300); err != nil {
		t.Fatal(err)
	}
	if err := MakeDir("closed/data"); err != nil {
		t.Errorf("in a folder that may be written and not read: %v", err)
	}
}
