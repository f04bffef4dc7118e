package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
)

// outputVersion is that of everything printed with --output json.
const outputVersion = 1

// json prints a value as JSON for programs.
func (a *app) json(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// findings prints diagnostics: as text on standard error, as JSON on standard output.
func (a *app) findings(ds model.Diagnostics) { a.findingsOf(ds, true) }

// findingsOf is findings of all there is to look at, or of what was looked at so far.
func (a *app) findingsOf(ds model.Diagnostics, whole bool) {
	if a.output == "json" {
		if ds == nil {
			ds = model.Diagnostics{}
		}
		_ = a.json(struct {
			Version     int               `json:"tablewright"`
			Errors      int               `json:"errors"`
			Warnings    int               `json:"warnings"`
			Diagnostics model.Diagnostics `json:"diagnostics"`
			Unfinished  bool              `json:"unfinished,omitempty"` // whether the designer serves all is not known
		}{outputVersion, ds.Errors(), ds.Warnings(), ds, !whole})
		return
	}
	_ = ds.WriteText(a.stderr)
	if len(ds) > 0 {
		fmt.Fprintf(a.stderr, "\n%s, %s\n", show.Count(ds.Errors(), "error", ""), show.Count(ds.Warnings(), "warning", ""))
	}
}

// stream remembers the first error of writing, which those who print need not look at: a full disk must not pass for success.
type stream struct {
	io.Writer
	err error
}

func (s *stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// terminal reports whether a stream is one that a person looks at.
func terminal(w any) bool {
	if s, ok := w.(*stream); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether a stream takes colors: a terminal, unless NO_COLOR is set (no-color.org) or it is a dumb one.
func colored(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

const (
	bold  = "1"
	red   = "31"
	green = "32"
	amber = "33"
	faint = "2"
)

// paint colors text for a stream that takes colors.
func paint(w io.Writer, color, text string) string {
	if !colored(w) {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// erase clears the line of a terminal on which progress is shown.
const erase = "\r\x1b[K"

// progress shows on one line of a terminal what is under way, if it takes longer than a second; elsewhere nothing. done
// removes the line; it may be called again.
func (a *app) progress() (tell func(pipeline.Event), done func()) {
	if a.quiet || !terminal(a.stderr) {
		return nil, func() {}
	}
	p := &progress{a: a, width: 80}
	if width, _, err := term.GetSize(int(a.stderr.(*os.File).Fd())); err == nil && width >= 20 {
		p.width = width
	}
	p.soon = time.AfterFunc(time.Second, p.begin)
	return p.tell, p.done
}

// progress is the line. Several goroutines tell what they do.
type progress struct {
	a     *app
	width int
	soon  *time.Timer

	sync.Mutex
	begun, over   bool
	latest, shown string
}

func (p *progress) tell(e pipeline.Event) {
	line := e.Stage
	if e.Detail != "" {
		line += ": " + e.Detail
	}
	if e.Of > 0 {
		line += fmt.Sprintf(" %s of %s", show.Number(float64(e.Done)), show.Number(float64(e.Of)))
	}
	if r := []rune(line); len(r) > p.width-1 {
		line = string(r[:p.width-1])
	}
	p.Lock()
	defer p.Unlock()
	p.latest = line
	p.show()
}

func (p *progress) begin() {
	p.Lock()
	defer p.Unlock()
	p.begun = true
	p.show()
}

func (p *progress) show() {
	if p.begun && !p.over && p.latest != p.shown {
		p.shown = p.latest
		fmt.Fprint(p.a.stderr, erase+paint(p.a.stderr, faint, p.shown))
	}
}

func (p *progress) done() {
	p.soon.Stop()
	p.Lock()
	defer p.Unlock()
	if !p.over && p.shown != "" {
		fmt.Fprint(p.a.stderr, erase)
	}
	p.over = true
}

// priceFlag is --prices: a price file instead of the embedded one.
type priceFlag string

func (p *priceFlag) add(c *cobra.Command) {
	c.Flags().StringVar((*string)(p), "prices", "", "price `FILE` to use instead of the built-in one")
}

// read is the price file; nil: none is given.
func (p priceFlag) read() (*capacity.Prices, error) {
	if p == "" {
		return nil, nil
	}
	f, err := os.Open(string(p))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	prices, err := capacity.LoadPrices(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return prices, nil
}

// timeFlag is --time: how long the designer takes.
type timeFlag time.Duration

func (t *timeFlag) add(c *cobra.Command) {
	c.Flags().DurationVar((*time.Duration)(t), "time", 20*time.Second, "design for at most `DURATION`, and take the best that was found; 0: to the end")
}

// read is the time that there is to design. hasModel says that nothing is designed.
func (t timeFlag) read(c *cobra.Command, hasModel bool) (time.Duration, error) {
	switch {
	case t < 0:
		return 0, usage("--time takes 0 or more, such as 20s, not %s", time.Duration(t))
	case hasModel && c.Flags().Changed("time"):
		return 0, usage("--time is for designing, and the model is given")
	}
	return time.Duration(t), nil
}

// schoolFlag is --school: which conventions the designed model follows.
type schoolFlag string

func (s *schoolFlag) add(c *cobra.Command) {
	c.Flags().StringVar((*string)(s), "school", "", "follow `SCHOOL`: "+strings.Join(design.Schools, " or ")+" (default: what the requirements say, else "+design.Schools[0]+")")
	_ = c.RegisterFlagCompletionFunc("school", cobra.FixedCompletions(design.Schools, cobra.ShellCompDirectiveNoFileComp))
}

// check reports a school that there is none of.
func (s schoolFlag) check() error {
	if !slices.Contains(design.Schools, string(s)) {
		return usage("--school is %s, not %q", strings.Join(design.Schools, " or "), string(s))
	}
	return nil
}

// read is the school that is asked for; "" if none is.
func (s schoolFlag) read(c *cobra.Command) (string, error) {
	if !c.Flags().Changed("school") {
		return "", nil
	}
	return string(s), s.check()
}

// columns prints rows as aligned columns with two spaces between; a column whose head begins with > is of figures and
// stands to the right. The first row is the head.
func columns(w io.Writer, rows [][]string) {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(strings.TrimPrefix(cell, ">")))
		}
	}
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			right := strings.HasPrefix(rows[0][i], ">")
			if n == 0 {
				cell = strings.TrimPrefix(cell, ">")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				b.WriteString("  ")
			}
			if right {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		line := strings.TrimRight(b.String(), " ")
		if n == 0 {
			line = paint(w, bold, line)
		}
		fmt.Fprintln(w, line)
	}
}
