package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
)

// versionInfo is what `version --output json` prints.
type versionInfo struct {
	Output   int    `json:"tablewright"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Formats  int    `json:"formats"` // of requirements, model and proof
	Prices   string `json:"prices"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and that of formats and prices",
		Example: example(`
			tablewright version
			tablewright version --output json`),
		Args: takes(),
		RunE: func(*cobra.Command, []string) error {
			v := buildInfo()
			if a.output == "json" {
				return a.json(v)
			}
			revision := ""
			if v.Revision != "" {
				revision = " (" + v.Revision[:min(12, len(v.Revision))]
				if v.Modified {
					revision += ", modified"
				}
				revision += ")"
			}
			fmt.Fprintf(a.stdout, "tablewright %s%s\n%s %s\ndocument formats: %d\nprices: %s\n", v.Version, revision, v.Go, v.Platform, v.Formats, v.Prices)
			return nil
		},
	}
}

// buildInfo reads what the Go command has built in: the version is the tag.
func buildInfo() versionInfo {
	p := capacity.DefaultPrices()
	v := versionInfo{Output: outputVersion, Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Formats: 1, Prices: p.Region + " of " + p.Date}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	return v
}
