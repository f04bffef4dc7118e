package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// serviceFlags name the service that a command works on, the same way for all commands that look at or change tables of
// the user's.
type serviceFlags struct {
	endpoint, dir   string
	aws             bool
	region, profile string
	prefix          string
}

const serviceHelp = `Where the tables are is said by one of --dir (a folder of serve, which no server may have open), --endpoint
(a URL), --aws (as AWS's configuration chain says: environment, profiles, roles). --table-prefix is put
before the names of tables.`

func (s *serviceFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&s.dir, "dir", "", "the tables in the folder `DIR` of serve")
	flags.StringVar(&s.endpoint, "endpoint", "", "the service at `URL`, such as http://127.0.0.1:8000")
	flags.BoolVar(&s.aws, "aws", false, "DynamoDB, as AWS's configuration chain says")
	flags.StringVar(&s.region, "region", "", "AWS `REGION`; as the configuration chain says, in a folder us-east-1")
	flags.StringVar(&s.profile, "profile", "", "`PROFILE` of AWS's shared files")
	flags.StringVar(&s.prefix, "table-prefix", "", "`PREFIX` of the tables' names at the service")
}

// billed reports whether requests cost money.
func (s *serviceFlags) billed() bool {
	return s.aws || s.endpoint != "" && (&pipeline.Endpoint{URL: s.endpoint}).AWS()
}

// check says what is wrong with the flags before anything else is done.
func (s *serviceFlags) check() error {
	n := 0
	for _, stated := range []bool{s.dir != "", s.endpoint != "", s.aws} {
		if stated {
			n++
		}
	}
	switch {
	case n == 0:
		return usage("where are the tables? --dir ./data (of serve), --endpoint http://127.0.0.1:8000 or --aws says it")
	case n > 1:
		return usage("--dir, --endpoint and --aws exclude each other")
	case s.profile != "" && s.dir != "":
		return usage("--profile goes with --aws or --endpoint")
	}
	if s.endpoint != "" {
		if u, err := url.Parse(s.endpoint); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
			return usage("--endpoint takes a URL, such as http://127.0.0.1:8000, not %q", s.endpoint)
		}
	}
	return nil
}

// with opens the service, calls f and closes it. Where create is set, a folder is made if it does not exist.
func (s *serviceFlags) with(ctx context.Context, create bool, f func(db *tablewright.DB) error) error {
	o := tablewright.Options{Region: s.region, Endpoint: s.endpoint}
	if s.prefix != "" {
		o.TableName = func(declared string) string { return s.prefix + declared }
	}
	if s.dir != "" {
		if !create {
			if err := hasData(s.dir); err != nil {
				return err
			}
		}
		e, err := engine.Open(s.dir, &engine.Options{SweepEvery: -1, Region: s.region})
		if err != nil {
			return err
		}
		return errors.Join(f(tablewright.New(tablewright.InProcess(e), o)), e.Close())
	}
	if s.endpoint != "" && !s.billed() {
		if err := answers(ctx, s.endpoint); err != nil {
			return err
		}
	}
	if s.profile != "" {
		cfg, err := config.LoadDefaultConfig(ctx, config.WithSharedConfigProfile(s.profile))
		if err != nil {
			return fmt.Errorf("AWS configuration: %w", err)
		}
		o.AWS = &cfg
	}
	db, err := tablewright.Connect(ctx, o)
	if err != nil && strings.Contains(err.Error(), "Options.Region") { // which is a flag here
		return errors.New(strings.Replace(err.Error(), "Options.Region", "--region", 1))
	}
	if err != nil {
		return err
	}
	return f(db)
}
