package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tablewright/tablewright/internal/near"
)

// usageError is a mistake on the command line. Its text names what would work where it can.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// takes checks positional arguments by their names, as the usage line has them: those in brackets may be left out.
func takes(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		for i, name := range names {
			if i >= len(args) && !strings.HasPrefix(name, "[") {
				return usage("%s is missing: %s", name, c.UseLine())
			}
		}
		if len(args) > len(names) {
			return usage("%q is one argument too many: %s", args[len(names)], c.UseLine())
		}
		return nil
	}
}

// oneOf checks a single argument that is one of a few words, and offers them for completion.
func oneOf(c *cobra.Command, words ...string) *cobra.Command {
	c.ValidArgs = words
	c.Args = func(c *cobra.Command, args []string) error {
		if err := takes(strings.Join(words, "|"))(c, args); err != nil {
			return err
		}
		for _, w := range words {
			if args[0] == w {
				return nil
			}
		}
		return usage("%q is not one of %s%s", args[0], strings.Join(words, ", "), meant(args[0], words))
	}
	return c
}

// meant asks whether one of the known names was meant; "" if none is near.
func meant(name string, known []string) string {
	if n := cmp.Or(near.Name(name, known), near.Begun(name, known)); n != "" {
		return fmt.Sprintf("; did you mean %s?", n)
	}
	return ""
}

// noSuchCommand is the root's check of its arguments: what comes here is no command.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
		return usage("%s is a file, not a command; did you mean `tablewright build %[1]s`?", args[0])
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	hint := meant(args[0], known)
	if hint == "" {
		hint = ": there are " + strings.Join(known, ", ")
	}
	return usage("there is no command %q%s", args[0], hint)
}

// flagError says which flag is near the one that does not exist.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usage("--%s takes %s, not %q", invalid.GetFlag().Name, takenBy(invalid.GetFlag()), invalid.GetValue())
	}
	var bare *pflag.ValueRequiredError
	if errors.As(err, &bare) {
		return usage("--%s takes %s: it is missing", bare.GetFlag().Name, takenBy(bare.GetFlag()))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return usageError{err}
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	name := unknown.GetSpecifiedName()
	hint := ""
	if n := near.Name(name, known); n != "" {
		hint = fmt.Sprintf("; did you mean --%s?", n)
	}
	return usage("%s has no flag --%s%s", c.Name(), name, hint)
}

// takenBy says what a flag takes.
func takenBy(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "uint64", "uint", "uint16":
		return "a whole number, 0 or more"
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number, such as 0.50"
	case "duration":
		return "a duration, such as 500ms or 2s"
	case "bool":
		return "true or false"
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// usageTemplate is cobra's with the examples last: what is read last is remembered, and copied.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND [flags]{{else}}{{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of all commands:
{{allFlags .}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}
`
