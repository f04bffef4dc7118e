package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/conformance"
	"github.com/tablewright/tablewright/internal/pipeline"
)

// errDiffers ends a command whose output has already said which cases have not passed.
var errDiffers = errors.New("the endpoint does not answer as DynamoDB does")

// conformanceFlags are what the command is told.
type conformanceFlags struct {
	endpoint, region string
	only             []string
	list, details    bool
	yes              bool
	parallel         int
	settle           time.Duration
	known, write     string
}

func (a *app) conformanceCommand() *cobra.Command {
	var f conformanceFlags
	c := &cobra.Command{
		Use:   "conformance [--endpoint URL]",
		Short: "Hold an endpoint to what DynamoDB does, case by case",
		Long: `Sends an endpoint the requests of the conformance cases and compares its answers with those of
DynamoDB: results, messages of errors, limits, consumed capacity. Each case tells the page of the
documentation or the measurement that it rests on. Without --endpoint it is the embedded engine.

It works beside other data: the tables it makes have names that begin with conformance_ and
something random, and it deletes these and no others. Tables may take their time to become ACTIVE.
Requests are signed with the credentials of AWS's configuration chain, or with placeholders where
there are none and the endpoint is not AWS's. On AWS it costs money, some cents for tables and
requests: --yes says that you know.

With --known FILE, as --write-known makes it, it is held to that list of differences: what is not
on the list is reported, and so is what is and no longer differs.

Exits 7 if a case does not pass, with --known if one does not as listed, with --write-known never.`,
		Example: example(`
			tablewright conformance --only 'put_item: *'
			tablewright conformance --endpoint http://127.0.0.1:8000
			tablewright conformance --endpoint http://127.0.0.1:8000 --only query --details
			tablewright conformance --endpoint http://127.0.0.1:8000 --write-known differences.txt
			tablewright conformance --endpoint http://127.0.0.1:8000 --known differences.txt --output junit > junit.xml
			tablewright conformance --endpoint https://dynamodb.eu-central-1.amazonaws.com --yes`),
		Args:        takes(),
		Annotations: map[string]string{moreOutputs: "junit"},
		RunE:        func(c *cobra.Command, _ []string) error { return a.conformance(c.Context(), &f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.endpoint, "endpoint", "", "hold the service at `URL` to the cases")
	flags.StringVar(&f.region, "region", "", "sign for `REGION`; as the endpoint or the configuration chain says")
	flags.StringArrayVar(&f.only, "only", nil, "do the cases whose names contain `PATTERN`, in which * is any text; may be repeated")
	flags.BoolVar(&f.list, "list", false, "list the cases with their reasons instead")
	flags.BoolVar(&f.details, "details", false, "show requests, expectations and answers of all that fails")
	flags.BoolVar(&f.yes, "yes", false, "make tables on AWS and pay for requests")
	flags.IntVar(&f.parallel, "parallel", 0, "do `N` cases at a time; 1 on this machine, 32 elsewhere")
	flags.DurationVar(&f.settle, "settle", 0, "let reads lag behind writes for up to `TIME`; 0 on this machine, 10s elsewhere")
	flags.StringVar(&f.known, "known", "", "take the differences that `FILE` lists as expected")
	flags.StringVar(&f.write, "write-known", "", "write what differs to `FILE`, with the reasons that --known has")
	_ = c.RegisterFlagCompletionFunc("only", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		cases, _ := conformance.Cases()
		var subjects []string
		for _, c := range cases {
			subjects = append(subjects, c.Subject())
		}
		return slices.Compact(subjects), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

// conformance does the cases and prints what comes of it.
func (a *app) conformance(ctx context.Context, f *conformanceFlags) error {
	cases, err := f.cases()
	if err != nil {
		return err
	}
	if f.list {
		return a.listCases(cases)
	}
	if f.parallel < 0 || f.settle < 0 {
		return usage("--parallel and --settle take nothing below zero")
	}
	var known conformance.Differences
	if f.known != "" {
		if known, err = readKnown(f.known); err != nil {
			return err
		}
	}
	if f.write != "" {
		if err := hasFolder(f.write); err != nil {
			return err
		}
	}
	o := conformance.Options{Cases: cases, Parallel: f.parallel, Settle: f.settle}
	target, end, err := f.target(ctx, &o)
	if err != nil {
		return err
	}
	tell, done := a.progress()
	defer done()
	if tell != nil {
		o.Progress = func(r conformance.Result, done, of int) {
			tell(pipeline.Event{Stage: r.Name, Done: done, Of: of})
		}
	}
	report, err := conformance.Run(ctx, target, o)
	err = errors.Join(err, end())
	done()
	if err != nil {
		return err
	}
	if f.write != "" {
		if err := writeKnown(f.write, report.Differences(known), cases); err != nil {
			return err
		}
	}
	judged := judgement{report: report, known: known, against: f.known != ""}
	switch a.output {
	case "json":
		err = a.json(judged.json(f.endpoint))
	case "junit":
		err = judged.asExpected().WriteJUnit(a.stdout)
	default:
		judged.print(a, f)
	}
	if err == nil && judged.differs() && f.write == "" {
		return errDiffers
	}
	return err
}

// cases are those that --only asks for.
func (f *conformanceFlags) cases() ([]conformance.Case, error) {
	all, err := conformance.Cases()
	if err != nil || len(f.only) == 0 {
		return all, err
	}
	var patterns []*regexp.Regexp
	for _, p := range f.only {
		patterns = append(patterns, regexp.MustCompile("(?is)"+strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, ".*")))
	}
	cases := slices.DeleteFunc(all, func(c conformance.Case) bool {
		return !slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(c.Name) })
	})
	if len(cases) == 0 {
		return nil, usage("no case's name has %s in it: tablewright conformance --list shows all names", strings.Join(f.only, " or "))
	}
	return cases, nil
}

// target is what is held to the cases; end is called when that is over. What an endpoint that is not on this machine
// needs is filled into o where nothing is stated.
func (f *conformanceFlags) target(ctx context.Context, o *conformance.Options) (t conformance.Target, end func() error, err error) {
	if f.endpoint == "" {
		if f.region != "" {
			return nil, nil, usage("--region goes with --endpoint")
		}
		o.Own = true
		e, err := engine.Open("", &engine.Options{SlowRequest: -1})
		if err != nil {
			return nil, nil, err
		}
		return e, e.Close, nil
	}
	u, err := url.Parse(f.endpoint)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, usage("--endpoint takes a URL, such as http://127.0.0.1:8000, not %q", f.endpoint)
	}
	of := pipeline.Endpoint{URL: f.endpoint}
	if of.AWS() && !f.yes {
		return nil, nil, usage("on AWS this makes tables and costs money, some cents: it wants --yes")
	}
	if host := u.Hostname(); !localHost(host) {
		o.Parallel = cmp.Or(o.Parallel, 32)
		o.Settle = cmp.Or(o.Settle, 10*time.Second)
	}
	if of.AWS() {
		o.Patience = 45 * time.Minute // an index alone takes up to 25
	} else if err := answers(ctx, f.endpoint); err != nil {
		return nil, nil, err
	}
	sign, err := signer(ctx, u, f.region, of.AWS())
	if err != nil {
		return nil, nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = max(o.Parallel, 2)
	client := &http.Client{Timeout: time.Minute, Transport: transport}
	e := &conformance.Endpoint{URL: f.endpoint, Client: client, Sign: sign}
	if host, ok := strings.CutPrefix(u.Hostname(), "dynamodb."); ok && of.AWS() {
		e.Streams = "https://streams.dynamodb." + host
	}
	return e, func() error {
		transport.CloseIdleConnections()
		return nil
	}, nil
}

// regionOf is the Region in the name of one of AWS's hosts: dynamodb.eu-central-1.amazonaws.com, 123456789012.ddb.eu-central-1.amazonaws.com.
var regionOf = regexp.MustCompile(`(?:^|\.)(?:dynamodb|ddb)(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.com|api\.aws)`)

// signer signs requests with the credentials of AWS's configuration chain. An endpoint that is not AWS's gets placeholders
// where the chain has none, and the machine's role is not asked for on its account.
func signer(ctx context.Context, u *url.URL, region string, real bool) (func(*http.Request, []byte) error, error) {
	var more []func(*config.LoadOptions) error
	if !real {
		more = append(more, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
	}
	cfg, err := config.LoadDefaultConfig(ctx, more...)
	if err != nil {
		return nil, fmt.Errorf("AWS configuration: %w", err)
	}
	if m := regionOf.FindStringSubmatch(u.Hostname()); m != nil {
		region = cmp.Or(region, m[1])
	}
	region = cmp.Or(region, cfg.Region, "us-east-1")
	provider := aws.CredentialsProvider(aws.NewCredentialsCache(cfg.Credentials))
	if _, err := provider.Retrieve(ctx); err != nil {
		if real {
			return nil, fmt.Errorf("no credentials for AWS: %w", err)
		}
		provider = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "conformance", SecretAccessKey: "conformance"}, nil
		})
	}
	s := v4.NewSigner()
	return func(r *http.Request, body []byte) error {
		creds, err := provider.Retrieve(r.Context())
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		return s.SignHTTP(r.Context(), creds, r, hex.EncodeToString(sum[:]), "dynamodb", region, time.Now())
	}, nil
}

func readKnown(name string) (conformance.Differences, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known, err := conformance.ReadDifferences(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return known, nil
}

func writeKnown(name string, d conformance.Differences, cases []conformance.Case) error {
	var b strings.Builder
	const about = "Cases of tablewright conformance that this endpoint answers otherwise than DynamoDB, and why the case is right.\n" +
		"--write-known writes what is answered and keeps the reasons of the file that --known names."
	if err := d.Write(&b, about, cases); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
