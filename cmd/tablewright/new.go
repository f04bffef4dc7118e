package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/model"
)

func (a *app) newCommand() *cobra.Command {
	force := false
	c := &cobra.Command{
		Use:   "new [FILE]",
		Short: "Write a commented requirements file to begin with",
		Long: `Writes a small requirements file with comments. It builds as it is; replace its entities,
access patterns and figures with yours. Without FILE it goes to standard output.`,
		Example: example(`
			tablewright new > shop.yaml
			tablewright new shop.yaml && tablewright build shop.yaml`),
		Args: takes("[FILE]"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := a.stdout.Write(model.Starter())
				return err
			}
			if _, err := os.Lstat(args[0]); err == nil && !force {
				return fmt.Errorf("%s exists; --force overwrites it", args[0])
			}
			if err := writeFile(args[0], model.Starter()); err != nil {
				return err
			}
			if a.output == "json" {
				return a.json(struct {
					Version int      `json:"tablewright"`
					Files   []string `json:"files"`
				}{outputVersion, args[:1]})
			}
			fmt.Fprintf(a.stdout, "%s written; next: tablewright build %s\n", args[0], args[0])
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite FILE")
	return c
}
