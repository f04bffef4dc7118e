package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
)

// The provider's own beginning is of all services; this one is of DynamoDB, and asks for nothing but its address.
//
//go:embed provider.go.txt
var providerMain []byte

// providerModule names the plugin SDK and what the provider's resources ask for besides.
const providerModule = `module terraform-provider-aws

go 1.25

require (
	github.com/aws/aws-sdk-go v1.17.0
	github.com/hashicorp/terraform-plugin-sdk/v2 v2.40.1
	github.com/mitchellh/copystructure v1.2.0
)
`

// resources is what the provider's main names; everything else follows from it.
var resources = []string{"resourceAwsDynamoDbTable", "resourceAwsDynamoDbTableItem"}

// moves bring the provider's source, of a time when providers were part of Terraform, to the plugin SDK of today.
var moves = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`"github.com/hashicorp/terraform/helper/resource"`), `"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"`},
	{regexp.MustCompile(`hashcode "github.com/hashicorp/terraform/helper/hashcode"\n`), ``},
	{regexp.MustCompile(`\bhashcode\.String\b`), `schema.HashString`},
	{regexp.MustCompile(`"github.com/hashicorp/terraform/`), `"github.com/hashicorp/terraform-plugin-sdk/v2/`},
	{regexp.MustCompile(`func\(diff \*schema\.ResourceDiff, v interface\{\}\) error`), `func(_ context.Context, diff *schema.ResourceDiff, v interface{}) error`},
	{regexp.MustCompile(`State:( +)schema\.ImportStatePassthrough\b`), `StateContext:${1}schema.ImportStatePassthroughContext`},
}

var (
	saysContext = regexp.MustCompile(`\bcontext\.Context\b`)
	imports     = regexp.MustCompile(`import \(\n`)
)

// buildProvider builds the provider from what of its module the resources of DynamoDB reach.
func buildProvider(work, program string) error {
	from, err := download(work, provider)
	if err != nil {
		return err
	}
	source := filepath.Join(work, "provider")
	if err := os.Mkdir(source, 0o755); err != nil {
		return err
	}
	if err := reachable(filepath.Join(from, "aws"), source, resources, []string{"AWSClient"}); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(source, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range moves {
			text = m.from.ReplaceAll(text, []byte(m.to))
		}
		if saysContext.Match(text) {
			text = imports.ReplaceAll(text, []byte("import (\n\t\"context\"\n"))
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	for name, text := range map[string][]byte{"main.go": providerMain, "go.mod": []byte(providerModule)} {
		if err := os.WriteFile(filepath.Join(source, name), text, 0o644); err != nil {
			return err
		}
	}
	if err := command(source, nil, "go", "mod", "tidy"); err != nil {
		return err
	}
	return command(source, nil, "go", "build", "-trimpath", "-o", program, ".")
}
