package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/internal/near"
)

// places are where settings of the configuration file stand, by name: serve.yaml:3:1.
type places map[string]string

// of names a setting as whoever gave it did: by its place in the file, else as a flag.
func (p places) of(name string) string {
	if place := p[name]; place != "" {
		return place + ": " + name
	}
	return "--" + name
}

// other names a setting that one goes with or excludes, as the one is given.
func (p places) other(of, name string) string {
	if p[of] != "" {
		return name
	}
	return "--" + name
}

// readConfig sets the flags that a file names and the command line does not, and tells where they stand. Its keys are the
// names of the flags; all that there are not, are there twice or do not fit are told with their places. No file: nothing.
func readConfig(file string, flags *pflag.FlagSet) (places, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, usage("%w", notYAML(file, err))
	}
	if root.Kind == 0 { // nothing but comments
		return nil, nil
	}
	settings := root.Content[0]
	if settings.Kind != yaml.MappingNode {
		return nil, usage("%s:%d:%d: settings are written as name: value, such as listen: 127.0.0.1:8000", file, settings.Line, settings.Column)
	}
	given := map[string]bool{} // on the command line, and what it excludes
	flags.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	given["dir"], given["in-memory"] = given["dir"] || given["in-memory"], given["dir"] || given["in-memory"]
	var wrong []error
	seen, set := map[string]bool{}, places{}
	for i := 0; i < len(settings.Content); i += 2 {
		key, value := settings.Content[i], settings.Content[i+1]
		place := fmt.Sprintf("%s:%d:%d", file, key.Line, key.Column)
		if err := setFlag(flags, key, value, seen, given[key.Value]); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", place, err))
		} else if !given[key.Value] {
			set[key.Value] = place
		}
	}
	if wrong != nil {
		return nil, usageError{errors.Join(wrong...)}
	}
	return set, nil
}

// setFlag sets the flag that a line of the file names, if it is not given otherwise.
func setFlag(flags *pflag.FlagSet, key, value *yaml.Node, seen map[string]bool, given bool) error {
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
	if given {
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
