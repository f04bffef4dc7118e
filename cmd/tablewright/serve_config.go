package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// readConfig sets the flags that a file names and the command line does not. Its keys are the names of the flags; one that
// there is not, is there twice or does not fit is an error with its place. No file: nothing.
func readConfig(file string, flags *pflag.FlagSet) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return usage("%s: %w", file, err)
	}
	if root.Kind == 0 { // nothing but comments
		return nil
	}
	settings := root.Content[0]
	if settings.Kind != yaml.MappingNode {
		return usage("%s:%d:%d: settings are written as name: value, such as listen: 127.0.0.1:8000", file, settings.Line, settings.Column)
	}
	seen := map[string]bool{}
	for i := 0; i < len(settings.Content); i += 2 {
		key, value := settings.Content[i], settings.Content[i+1]
		if err := setFlag(flags, key, value, seen); err != nil {
			return usage("%s:%d:%d: %w", file, key.Line, key.Column, err)
		}
	}
	return nil
}

func setFlag(flags *pflag.FlagSet, key, value *yaml.Node, seen map[string]bool) error {
	name := key.Value
	flag := flags.Lookup(name)
	if flag == nil || name == "config" || name == "help" {
		var known []string
		flags.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if n := near.Name(name, known); n != "" && flag == nil {
			return fmt.Errorf("there is no setting %s; did you mean %s?", name, n)
		}
		return fmt.Errorf("there is no setting %s", name)
	}
	if seen[name] {
		return fmt.Errorf("%s is there twice", name)
	}
	seen[name] = true
	values := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		if _, several := flag.Value.(pflag.SliceValue); !several {
			return fmt.Errorf("%s takes one value, not a list", name)
		}
		values = value.Content
	}
	if flag.Changed { // on the command line
		return nil
	}
	for _, v := range values {
		if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
			return fmt.Errorf("%s takes %s", name, takenBy(flag))
		}
		if err := flags.Set(name, v.Value); err != nil {
			return fmt.Errorf("%s takes %s, not %q", name, takenBy(flag), v.Value)
		}
	}
	return nil
}

// credentialsFile is the file of --credentials.
type credentialsFile struct {
	Credentials []struct {
		KeyID        string    `yaml:"key-id"`
		Secret       string    `yaml:"secret"`
		SessionToken string    `yaml:"session-token"`
		Expires      time.Time `yaml:"expires"`
		User         string    `yaml:"user"`
		Admin        bool      `yaml:"admin"`
		Policy       yaml.Node `yaml:"policy"`
		PolicyFile   string    `yaml:"policy-file"`
	} `yaml:"credentials"`
}

// readCredentials reads the keys that requests are to be signed with. A file that others than its owner can read is refused:
// who can read it is everybody in it.
func readCredentials(file string) ([]engine.Credential, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--credentials: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, fmt.Errorf("--credentials: %w", err)
	} else if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("--credentials: others can read %s, which has secrets (mode %04o): chmod 600 %[1]s", file, info.Mode().Perm())
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("--credentials: %w", err)
	}
	var in credentialsFile
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("--credentials: %s: %w", file, err)
	}
	if len(in.Credentials) == 0 {
		return nil, fmt.Errorf("--credentials: %s has none; it begins like this:\ncredentials:\n  - {key-id: AKIDEXAMPLE, secret: …, admin: true}", file)
	}
	var l []engine.Credential
	for i := range in.Credentials {
		c := &in.Credentials[i]
		out := engine.Credential{KeyID: c.KeyID, Secret: c.Secret, SessionToken: c.SessionToken, Expires: c.Expires, Principal: c.User, Admin: c.Admin}
		switch {
		case !c.Policy.IsZero() && c.PolicyFile != "":
			return nil, fmt.Errorf("--credentials: %s:%d: either policy or policy-file", file, c.Policy.Line)
		case c.PolicyFile != "":
			name := c.PolicyFile
			if !filepath.IsAbs(name) {
				name = filepath.Join(filepath.Dir(file), name)
			}
			if out.Policy, err = os.ReadFile(name); err != nil {
				return nil, fmt.Errorf("--credentials: policy-file of %s: %w", c.KeyID, err)
			}
			if len(out.Policy) == 0 {
				return nil, fmt.Errorf("--credentials: policy-file of %s: %w", c.KeyID, &fs.PathError{Op: "read", Path: name, Err: io.ErrUnexpectedEOF})
			}
		case !c.Policy.IsZero():
			datesAsText(&c.Policy)
			text, err := yaml.Marshal(&c.Policy)
			if err == nil {
				out.Policy, err = pipeline.JSON(text)
			}
			if err != nil {
				return nil, fmt.Errorf("--credentials: %s:%d: %w", file, c.Policy.Line, err)
			}
		}
		l = append(l, out)
	}
	return l, nil
}

// datesAsText makes YAML's dates the texts that they are in JSON: every policy has Version: 2012-10-17.
func datesAsText(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		datesAsText(c)
	}
}
