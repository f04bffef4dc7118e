package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes. They are part of the command line's contract: `tablewright help` lists them.
const (
	exitOK          = 0
	exitFailed      = 1 // it could not run: a file, a service, a fault of this program
	exitUsage       = 2 // the command line is wrong
	exitFindings    = 3 // a document has errors, a table is not as the model says, or doctor has findings
	exitNotProven   = 4 // the proof was made, and at least one access pattern is not proven: an answer is wrong, say
	exitUnmet       = 5 // no model can meet the requirements
	exitUncovered   = 6 // the requirements say something that no rule of the designer covers
	exitDiffers     = 7 // of build and prove: all answers are right, but units differ; of conformance: a case is not answered as DynamoDB answers it
	exitInterrupted = 130
)

const about = `Tablewright designs, proves and prices DynamoDB data models.

From what an application needs (entities, access patterns, rates: no table, key or index) it
designs the cheapest model, loads synthetic data into an embedded engine, runs every access
pattern on it, compares each answer with an oracle, and writes down model, proof and documents.

Exit codes:
  0    done; of build and prove: every access pattern is proven
  1    it could not run: a file, a service, a fault of this program
  2    the command line is wrong
  3    a document has errors; of describe: a table is not as the model says; of
       import: lines were refused; of doctor: findings that --fail-on is about
  4    at least one access pattern is not proven: answers are wrong, or nothing is shown; with
       --throttle also: calls are throttled
  5    no model can meet the requirements within DynamoDB's limits
  6    the requirements state something that the designer has no rule for yet; a model made by
       hand can be proven all the same
  7    of build and prove: answers are right, but units differ from the estimate; of
       conformance: the endpoint does not answer as DynamoDB does
  130  interrupted; files are written whole or not at all, and a second Ctrl-C ends at once

With --output json a command prints one JSON document on standard output, for errors too. Progress
is shown on terminals only; NO_COLOR is respected.`

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	output         string // text or json, or what the command adds
	quiet          bool

	// abrupt says that the command leaves nothing behind that it would have to clear away: interrupted, it need not come to
	// an end of its own.
	abrupt atomic.Bool
}

// moreOutputs is the annotation of a command for what else than text and json it prints.
const moreOutputs = "outputs"

// run is the command line: a function of arguments and streams. It returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	printed := &stream{Writer: stdout}
	a := &app{stdin: stdin, stdout: printed, stderr: stderr}
	ctx, stop := a.interruptible()
	defer stop()
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(printed)
	root.SetErr(stderr)
	command, err := root.ExecuteContextC(ctx)
	if printed.err != nil { // what was to be printed is lost, whatever else has happened
		fmt.Fprintf(stderr, "tablewright: print: %v\n", printed.err)
		return exitFailed
	}
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
			tablewright explain shop.yaml lendBook`),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			words := outputs(c)
			if !slices.Contains(words, a.output) {
				last := len(words) - 1
				hint := ""
				if c.Flags().Lookup("out") != nil && strings.ContainsAny(a.output, "./") {
					hint = "; --out " + a.output + " writes there"
				}
				return usage("--output is %s or %s, not %q%s", strings.Join(words[:last], ", "), words[last], a.output, hint)
			}
			return nil
		},
	}
	root.Version = buildInfo().Version
	root.SetVersionTemplate("tablewright {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVarP(&a.output, "output", "o", "text", "print as `text|json`")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "show no progress")
	_ = root.RegisterFlagCompletionFunc("output", func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return outputs(c), cobra.ShellCompDirectiveNoFileComp
	})
	cobra.AddTemplateFunc("allFlags", inherited)
	root.SetUsageTemplate(usageTemplate)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.newCommand(), a.checkCommand(), a.designCommand(), a.proveCommand(), a.costCommand(), a.compareCommand(), a.explainCommand(),
		a.buildCommand(), a.requirementsCommand(), a.doctorCommand(), a.runCommand(), a.describeCommand(), a.itemsCommand(), a.exportCommand(), a.importCommand(), a.serveCommand(), a.engineCommand(), a.conformanceCommand(), a.schemaCommand(), a.versionCommand(), a.completionCommand())
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	return root
}

// outputs are what --output of a command takes.
func outputs(c *cobra.Command) []string {
	return append([]string{"text", "json"}, strings.Fields(c.Annotations[moreOutputs])...)
}

// inherited are the flags of all commands, as the help of one shows them: with all that its --output takes.
func inherited(c *cobra.Command) string {
	flags := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "output" {
			own, words := *f, strings.Join(outputs(c), "|")
			own.Usage = "print as `" + words + "`"
			f = &own
		}
		flags.AddFlag(f)
	})
	return strings.TrimRight(flags.FlagUsages(), " \n")
}

// collectLess gives memory for time: what computes for some seconds and ends would spend a quarter of them on collecting
// garbage. GOGC, where it is set, decides instead.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(750 << 20) // soft: a large search that collects from 350 MB on takes a quarter more processor time
	}
}

// example lays out lines of examples for help.
func example(text string) string {
	var lines []string
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		lines = append(lines, "  "+strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}
