package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What is built. Newer versions of both are a matter of trying.
const (
	tofu     = "github.com/opentofu/opentofu@v1.12.6"
	provider = "github.com/hashicorp/terraform-provider-aws@v1.60.0"
	versions = tofu + "\n" + provider + "\n"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: build DIR")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// build puts tofu and terraform-provider-aws into dir, unless they are there already.
func build(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	done := filepath.Join(dir, "built")
	if is, err := os.ReadFile(done); err == nil && string(is) == versions {
		return nil
	}
	work, err := os.MkdirTemp("", "tablewright-terraform-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := buildProvider(work, filepath.Join(dir, "terraform-provider-aws")); err != nil {
		return fmt.Errorf("provider: %w", err)
	}
	if err := buildTofu(work, filepath.Join(dir, "tofu")); err != nil {
		return fmt.Errorf("OpenTofu: %w", err)
	}
	return os.WriteFile(done, []byte(versions), 0o644)
}

// buildTofu builds OpenTofu from a copy of its module without what only reaches clouds.
func buildTofu(work, program string) error {
	from, err := download(work, tofu)
	if err != nil {
		return err
	}
	source := filepath.Join(work, "tofu")
	if err := os.CopyFS(source, withoutTests{os.DirFS(from)}); err != nil {
		return err
	}
	drop := func(file string, words ...string) error {
		path := filepath.Join(source, filepath.FromSlash(file))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		out, err := withoutImports(path, text, words)
		if err != nil {
			return err
		}
		return os.WriteFile(path, out, 0o644)
	}
	if err := drop("internal/backend/init/init.go", "/backend/remote-state/"); err != nil {
		return err
	}
	if err := drop("internal/encryption/default_registry.go", "/keyprovider/aws_kms", "/keyprovider/azure_vault", "/keyprovider/gcp_kms", "/keyprovider/openbao"); err != nil {
		return err
	}
	return command(source, nil, "go", "build", "-trimpath", "-o", program, "./cmd/tofu")
}

// download is the folder of a module in the cache of modules.
func download(work, module string) (folder string, err error) {
	var out bytes.Buffer
	if err := command(work, &out, "go", "mod", "download", "-json", module); err != nil {
		return "", fmt.Errorf("%w: %s", err, &out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		return "", err
	}
	return m.Dir, nil
}

// command runs a program; out gets its output, or else standard error does.
func command(dir string, out *bytes.Buffer, name string, arguments ...string) error {
	cmd := exec.Command(name, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=mod")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(arguments, " "), err)
	}
	return nil
}

// withoutTests is a module's files without its tests and their data.
type withoutTests struct{ fs.FS }

func (w withoutTests) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	kept := entries[:0]
	for _, e := range entries {
		if e.Name() != "testdata" && !strings.HasSuffix(e.Name(), "_test.go") {
			kept = append(kept, e)
		}
	}
	return kept, err
}
