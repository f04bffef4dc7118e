package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// fileCredential is a key in the file of --credentials.
type fileCredential struct {
	KeyID        string    `yaml:"key-id"`
	Secret       string    `yaml:"secret"`
	SessionToken string    `yaml:"session-token"`
	Expires      time.Time `yaml:"expires"`
	User         string    `yaml:"user"`
	Admin        bool      `yaml:"admin"`
	Policy       yaml.Node `yaml:"policy"`
	PolicyFile   string    `yaml:"policy-file"`
}

// credentialMembers are its names, and what each takes.
var credentialMembers = map[string]string{
	"key-id": "a text", "secret": "a text", "session-token": "a text", "expires": "a time, such as 2026-12-31T23:59:59Z",
	"user": "a name or an ARN", "admin": "true or false", "policy": "a policy of IAM", "policy-file": "the name of a file",
}

const credentialsBegin = "it begins like this:\ncredentials:\n  - {key-id: AKIDEXAMPLE, secret: …, admin: true}"

// readCredentials reads the keys that requests are to be signed with, and tells what is wrong with each. A file that others than its owner can read is refused:
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
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("--credentials: %w", notYAML(file, err))
	}
	list, err := credentialNodes(&root)
	if err != nil {
		return nil, fmt.Errorf("--credentials: %s%w", file, err)
	}
	var l []engine.Credential
	var wrong []error
	lines := map[string]int{} // of key ids
	for _, n := range list {
		c, err := readCredential(n, filepath.Dir(file))
		if err == nil && lines[c.KeyID] > 0 {
			err = at(n, "the key-id %s is in line %d already", c.KeyID, lines[c.KeyID])
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--credentials: %s%w", file, err))
			continue
		}
		lines[c.KeyID] = n.Line
		l = append(l, c)
	}
	return l, errors.Join(wrong...)
}

// at is an error that begins with the place of a node, to be put behind the name of the file.
func at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf(fmt.Sprintf(":%d:%d: ", n.Line, n.Column)+format, args...)
}

// credentialNodes are the members of the list in the file.
func credentialNodes(root *yaml.Node) ([]*yaml.Node, error) {
	if root.Kind == 0 {
		return nil, errors.New(" has none; " + credentialsBegin)
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, at(top, "%s", credentialsBegin)
	}
	var list *yaml.Node
	for i := 0; i < len(top.Content); i += 2 {
		if name := top.Content[i]; name.Value != "credentials" {
			return nil, at(name, "there is only credentials, not %s; %s", name.Value, credentialsBegin)
		} else if list != nil {
			return nil, at(name, "credentials is there twice")
		}
		list = top.Content[i+1]
	}
	switch {
	case list == nil || list.Kind == yaml.SequenceNode && len(list.Content) == 0 || list.Tag == "!!null":
		return nil, errors.New(" has none; " + credentialsBegin)
	case list.Kind != yaml.SequenceNode:
		return nil, at(list, "credentials takes a list; %s", credentialsBegin)
	}
	return list.Content, nil
}

// readCredential reads one member of the list. dir is where a policy-file is looked for.
func readCredential(n *yaml.Node, dir string) (out engine.Credential, err error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return out, at(n, "a credential is written as {key-id: AKIDEXAMPLE, secret: …}")
	}
	var c fileCredential
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		takes, known := credentialMembers[key.Value]
		switch {
		case !known:
			return out, at(key, "a credential has no %s%s", key.Value, meant(key.Value, credentialNames()))
		case seen[key.Value]:
			return out, at(key, "%s is there twice", key.Value)
		}
		seen[key.Value] = true
		// One member at a time: an error of the library would show what is wrong with it, which may be a secret.
		if (&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}}).Decode(&c) != nil {
			return out, at(value, "%s takes %s", key.Value, takes)
		}
	}
	switch {
	case c.KeyID == "":
		return out, at(n, "key-id is missing")
	case c.Secret == "":
		return out, at(n, "the secret of %s is missing", c.KeyID)
	}
	out = engine.Credential{KeyID: c.KeyID, Secret: c.Secret, SessionToken: c.SessionToken, Expires: c.Expires, Principal: c.User, Admin: c.Admin}
	switch {
	case !c.Policy.IsZero() && c.PolicyFile != "":
		return out, at(n, "either policy or policy-file of %s", c.KeyID)
	case c.PolicyFile != "":
		name := c.PolicyFile
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if out.Policy, err = os.ReadFile(name); err != nil {
			return out, at(n, "policy-file of %s: %w", c.KeyID, err)
		}
		if len(out.Policy) == 0 {
			return out, at(n, "policy-file of %s: %w", c.KeyID, &fs.PathError{Op: "read", Path: name, Err: io.ErrUnexpectedEOF})
		}
	case !c.Policy.IsZero():
		datesAsText(&c.Policy)
		text, err := yaml.Marshal(&c.Policy)
		if err == nil {
			out.Policy, err = pipeline.JSON(text)
		}
		if err != nil {
			return out, at(&c.Policy, "policy of %s: %w", c.KeyID, err)
		}
	}
	return out, nil
}

func credentialNames() []string { return slices.Sorted(maps.Keys(credentialMembers)) }

// datesAsText makes YAML's dates the texts that they are in JSON: every policy has Version: 2012-10-17.
func datesAsText(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		datesAsText(c)
	}
}
