package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/internal/near"
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
		return usage("%w", notYAML(file, err))
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

// notYAML is an error of the YAML library with its place in front. It leaves out the line if that is the first one.
func notYAML(file string, err error) error {
	line, text := "1", strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		line, text, _ = strings.Cut(rest, ": ")
	}
	if strings.Contains(text, "cannot start any token") {
		text += ": YAML is indented with spaces, not tabs, and a text that begins with @, % or ` is put in quotes"
	}
	return fmt.Errorf("%s:%s: %s", file, line, text)
}
