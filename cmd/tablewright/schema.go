package main

import (
	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/model"
)

func (a *app) schemaCommand() *cobra.Command {
	schemas := map[string]func() []byte{"requirements": model.RequirementsSchema, "model": model.ModelSchema}
	return oneOf(&cobra.Command{
		Use:   "schema requirements|model",
		Short: "Print the JSON Schema of a document",
		Long: `Prints the JSON Schema (draft 2020-12) of the requirements file or the model file, made from the
same Go types that read it, so that editors complete and check what the program accepts.`,
		Example: example(`
			tablewright schema requirements > requirements.schema.json
			# then, as the first line of a requirements file, for editors with the YAML language server:
			#   # yaml-language-server: $schema=requirements.schema.json
			tablewright schema model > model.schema.json`),
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := a.stdout.Write(schemas[args[0]]())
			return err
		},
	}, "requirements", "model")
}
