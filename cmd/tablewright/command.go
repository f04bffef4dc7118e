package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// Exit codes. They are part of the command line's contract: `tablewright help` lists them.
const (
	exitOK          = 0
	exitFailed      = 1 // it could not run: a file, a service, a fault of this program
	exitUsage       = 2 // the command line is wrong
	exitFindings    = 3 // a document has errors
	exitNotProven   = 4 // the proof was made, and at least one access pattern is not proven
	exitUnmet       = 5 // no model can meet the requirements
	exitInterrupted = 130
)

const about = `Tablewright designs, proves and prices DynamoDB data models.

From what an application needs (entities, access patterns, rates: no table, key or index) it
designs the cheapest model, loads synthetic data into an embedded engine, runs every access
pattern on it, compares each answer with an oracle, and writes down model, proof and documents.

Exit codes:
  0  done; of build and prove: every access pattern is proven
  1  it could not run: a file, a service, a fault of this program
  2  the command line is wrong
  3  a document has errors
  4  at least one access pattern is not proven
  5  no model can meet the requirements`

// errNotProven ends a command whose output has already said what is not proven.
var errNotProven = errors.New("not every access pattern is proven")

// errFindings ends a command whose output has already shown the findings.
var errFindings = errors.New("the document has errors")

// usageError is a mistake on the command line. Its text names a command that works where it can.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	output         string // text or json
	quiet          bool
}

// run is the command line: a function of arguments and streams. It returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	return a.report(ctx, command, err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tablewright",
		Short: "Design, prove and price DynamoDB data models",
		Long:  about,
		Example: example(`
			tablewright new > shop.yaml          # a requirements file to begin with
			tablewright build shop.yaml          # design, prove, price, write the documents
			tablewright explain shop.yaml placeOrder`),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if a.output != "text" && a.output != "json" {
				return usage("--output is text or json, not %q", a.output)
			}
			return nil
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	flags := root.PersistentFlags()
	flags.StringVarP(&a.output, "output", "o", "text", "print `text|json`")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "show no progress")
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	root.SetUsageTemplate(usageTemplate)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.newCommand(), a.checkCommand(), a.designCommand(), a.proveCommand(), a.costCommand(), a.explainCommand(),
		a.buildCommand(), a.serveCommand(), a.schemaCommand(), a.versionCommand(), a.completionCommand())
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
		c.Args = misuse(c.Args)
	}
	root.Args = misuse(root.Args)
	return root
}

// misuse makes errors of positional arguments errors of usage.
func misuse(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(c, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// report prints an error and gives its exit code.
func (a *app) report(ctx context.Context, c *cobra.Command, err error) int {
	var use usageError
	var findings *pipeline.Findings
	var unsupported *design.UnsupportedError
	switch {
	case errors.Is(err, errNotProven):
		return exitNotProven
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &findings):
		a.findings(findings.Diagnostics)
		return exitFindings
	case errors.As(err, &use):
		fmt.Fprintf(a.stderr, "tablewright: %v\n\n%s", err, c.UsageString())
		return exitUsage
	case errors.As(err, &unsupported):
		fmt.Fprintf(a.stderr, "tablewright: the requirements cannot be met: %v\n", err)
		return exitUnmet
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(a.stderr, "tablewright: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(a.stderr, "tablewright: %v\n", err)
	return exitFailed
}

// usageTemplate is cobra's with the examples last: what is read last is remembered, and copied.
const usageTemplate = `Usage:
  {{if .Runnable}}{{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND [flags]

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of all commands:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}
`

// example lays out lines of examples for help.
func example(text string) string {
	var lines []string
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		lines = append(lines, "  "+strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}
