package main

import (
	"errors"
	"fmt"
	"io/fs"
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
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := a.stdout.Write(model.Starter())
				return err
			}
			how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
			if force {
				how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
			}
			f, err := os.OpenFile(args[0], how, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists; --force overwrites it", args[0])
			}
			if err != nil {
				return err
			}
			_, err = f.Write(model.Starter())
			if err = errors.Join(err, f.Close()); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s written; next: tablewright build %s\n", args[0], args[0])
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite FILE")
	return c
}
