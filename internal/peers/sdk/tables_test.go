package sdk_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tablewright/tablewright/engine"
)

// managed is a table as a tool that manages infrastructure knows it: what it asked for, in the form in which it reads it
// back to see whether anything has drifted.
type managed struct {
	Mode                    types.BillingMode
	Read, Write             int64
	MaxRead, MaxWrite       int64
	WarmRead, WarmWrite     int64
	Class                   types.TableClass
	Protected, Encrypted    bool
	Key                     string
	Stream                  types.StreamViewType
	Indexes                 map[string]types.ProjectionType
	Attributes              map[string]types.ScalarAttributeType
	Tags                    map[string]string
	TTL                     string
	Recovery                int32 // days; 0: off
	Policy, Destination     string
	Precision               types.ApproximateCreationDateTimePrecision
	TableInsights, GInsight types.ContributorInsightsStatus
}

// tool does to a table what Terraform's AWS provider and CloudFormation do, in their order: a change, then waiting until all
// of it is settled, then reading everything back.
type tool struct {
	*testing.T
	c    *dynamodb.Client
	name *string
	arn  string
}

func ok[T any](t *tool, out T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// settle waits as these tools do: for the table, its indexes, its encryption and its warm throughput.
func (t *tool) settle() *types.TableDescription {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		d := ok(t, must(t.c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: t.name}))(t.T), nil).Table
		ready := d.TableStatus == types.TableStatusActive && (d.SSEDescription == nil || d.SSEDescription.Status == types.SSEStatusEnabled) &&
			d.WarmThroughput.Status == types.TableStatusActive
		for _, x := range d.GlobalSecondaryIndexes {
			ready = ready && x.IndexStatus == types.IndexStatusActive && x.WarmThroughput.Status == types.IndexStatusActive
		}
		if ready {
			return d
		}
	}
	t.Fatal("the table does not settle")
	return nil
}

func (t *tool) update(change func(in *dynamodb.UpdateTableInput)) {
	t.Helper()
	in := &dynamodb.UpdateTableInput{TableName: t.name}
	change(in)
	ok(t, must(t.c.UpdateTable(t.Context(), in))(t.T), nil)
	t.settle()
}

// read is what the tool reads back.
func (t *tool) read() managed {
	t.Helper()
	ctx, d := t.Context(), t.settle()
	m := managed{Mode: types.BillingModeProvisioned, Class: types.TableClassStandard, Protected: *d.DeletionProtectionEnabled,
		Read: *d.ProvisionedThroughput.ReadCapacityUnits, Write: *d.ProvisionedThroughput.WriteCapacityUnits,
		WarmRead: *d.WarmThroughput.ReadUnitsPerSecond, WarmWrite: *d.WarmThroughput.WriteUnitsPerSecond,
		Indexes: map[string]types.ProjectionType{}, Attributes: map[string]types.ScalarAttributeType{}, Tags: map[string]string{}}
	if d.BillingModeSummary != nil {
		m.Mode = d.BillingModeSummary.BillingMode
	}
	if o := d.OnDemandThroughput; o != nil {
		m.MaxRead, m.MaxWrite = aws.ToInt64(o.MaxReadRequestUnits), aws.ToInt64(o.MaxWriteRequestUnits)
	}
	if d.TableClassSummary != nil {
		m.Class = d.TableClassSummary.TableClass
	}
	if s := d.SSEDescription; s != nil {
		m.Encrypted, m.Key = true, aws.ToString(s.KMSMasterKeyArn)
	}
	if s := d.StreamSpecification; s != nil {
		m.Stream = s.StreamViewType
	}
	for _, x := range d.GlobalSecondaryIndexes {
		m.Indexes[*x.IndexName] = x.Projection.ProjectionType
	}
	for _, a := range d.AttributeDefinitions {
		m.Attributes[*a.AttributeName] = a.AttributeType
	}
	for _, tag := range must(t.c.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: &t.arn}))(t.T).Tags {
		m.Tags[*tag.Key] = *tag.Value
	}
	m.TTL = aws.ToString(must(t.c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: t.name}))(t.T).TimeToLiveDescription.AttributeName)
	m.Recovery = aws.ToInt32(must(t.c.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: t.name}))(t.T).
		ContinuousBackupsDescription.PointInTimeRecoveryDescription.RecoveryPeriodInDays)
	policy, err := t.c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: &t.arn})
	if err == nil {
		m.Policy = *policy.Policy
	} else if !is[*types.PolicyNotFoundException](err) {
		t.Error(err)
	}
	for _, k := range must(t.c.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: t.name}))(t.T).KinesisDataStreamDestinations {
		if k.DestinationStatus == types.DestinationStatusActive {
			m.Destination, m.Precision = *k.StreamArn, k.ApproximateCreationDateTimePrecision
		}
	}
	m.TableInsights = must(t.c.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: t.name}))(t.T).ContributorInsightsStatus
	if len(m.Indexes) > 0 {
		m.GInsight = must(t.c.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: t.name, IndexName: aws.String("by-country")}))(t.T).ContributorInsightsStatus
	}
	return m
}

// plan checks that what is read back is what was asked for: a tool that finds a difference changes the table again, forever.
func (t *tool) plan(step string, want managed) {
	t.Helper()
	for range 2 {
		if got := t.read(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: drift\n  is   %+v\n  want %+v", step, got, want)
		}
	}
}

const (
	readerPolicy = `{"Version":"2012-10-17","Statement":[{"Sid":"read","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:root"},"Action":["dynamodb:GetItem","dynamodb:Query"],"Resource":"*"}]}`
	changes      = "arn:aws:kinesis:us-east-1:000000000000:stream/changes"
	customerKey  = "arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555"
)

// TestGoManagedTable is the life of a table under a tool: created with everything, each thing changed, nothing ever drifting,
// destroyed; on an engine whose states last a moment and on one in which they do not.
func TestGoManagedTable(t *testing.T) {
	for name, states := range map[string]time.Duration{"at once": 0, "with states": 30 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			e, err := engine.Open("", &engine.Options{SweepEvery: -1, StateTime: states, TimeToLiveRest: -1})
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(e.Handler())
			t.Cleanup(func() {
				server.Close()
				noteEngine(t, e)
				if err := errors.Join(e.Check(), e.Close()); err != nil {
					t.Error(err)
				}
			})
			manage(&tool{T: t, c: newClient(t, server.URL), name: aws.String("orders")}, states)
		})
	}
}

func manage(t *tool, states time.Duration) {
	ctx := t.Context()
	key := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
	}
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	created := must(t.c.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: t.name, BillingMode: types.BillingModePayPerRequest, KeySchema: key("id"),
		AttributeDefinitions:      []types.AttributeDefinition{attribute("id"), attribute("country")},
		GlobalSecondaryIndexes:    []types.GlobalSecondaryIndex{{IndexName: aws.String("by-country"), KeySchema: key("country"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
		StreamSpecification:       &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
		SSESpecification:          &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: aws.String(customerKey)},
		OnDemandThroughput:        &types.OnDemandThroughput{MaxReadRequestUnits: aws.Int64(100), MaxWriteRequestUnits: aws.Int64(50)},
		WarmThroughput:            &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(13000), WriteUnitsPerSecond: aws.Int64(5000)},
		TableClass:                types.TableClassStandardInfrequentAccess,
		DeletionProtectionEnabled: aws.Bool(true),
		ResourcePolicy:            aws.String(readerPolicy),
		Tags:                      []types.Tag{{Key: aws.String("team"), Value: aws.String("shop")}},
	}))(t.T).TableDescription
	if created.TableStatus != types.TableStatusCreating || created.TableArn == nil || created.TableId == nil {
		t.Errorf("created: %+v", created)
	}
	t.arn = *created.TableArn
	t.settle()
	must(t.c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: t.name, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)}}))(t.T)
	recover := func(s *types.PointInTimeRecoverySpecification) {
		must(t.c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: t.name, PointInTimeRecoverySpecification: s}))(t.T)
	}
	recover(&types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true), RecoveryPeriodInDays: aws.Int32(7)})
	must(t.c.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{TableName: t.name, StreamArn: aws.String(changes),
		EnableKinesisStreamingConfiguration: &types.EnableKinesisStreamingConfiguration{ApproximateCreationDateTimePrecision: types.ApproximateCreationDateTimePrecisionMicrosecond}}))(t.T)
	insights := func(index *string, action types.ContributorInsightsAction) {
		must(t.c.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{TableName: t.name, IndexName: index, ContributorInsightsAction: action}))(t.T)
	}
	insights(nil, types.ContributorInsightsActionEnable)
	insights(aws.String("by-country"), types.ContributorInsightsActionEnable)
	time.Sleep(states) // for what has no waiter
	want := managed{
		Mode: types.BillingModePayPerRequest, MaxRead: 100, MaxWrite: 50, WarmRead: 13000, WarmWrite: 5000, Class: types.TableClassStandardInfrequentAccess,
		Protected: true, Encrypted: true, Key: customerKey, Stream: types.StreamViewTypeNewImage,
		Indexes:    map[string]types.ProjectionType{"by-country": types.ProjectionTypeAll},
		Attributes: map[string]types.ScalarAttributeType{"id": "S", "country": "S"},
		Tags:       map[string]string{"team": "shop"}, TTL: "expires", Recovery: 7, Policy: readerPolicy, Destination: changes, Precision: "MICROSECOND",
		TableInsights: "ENABLED", GInsight: "ENABLED",
	}
	t.plan("created", want)

	t.update(func(in *dynamodb.UpdateTableInput) {
		in.OnDemandThroughput = &types.OnDemandThroughput{MaxReadRequestUnits: aws.Int64(-1), MaxWriteRequestUnits: aws.Int64(-1)}
	})
	want.MaxRead, want.MaxWrite = 0, 0
	t.plan("without limits", want)
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.WarmThroughput = &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(14000), WriteUnitsPerSecond: aws.Int64(6000)}
	})
	want.WarmRead, want.WarmWrite = 14000, 6000
	t.plan("warmer", want)
	t.update(func(in *dynamodb.UpdateTableInput) { in.TableClass = types.TableClassStandard })
	want.Class = types.TableClassStandard
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(false)}
	})
	want.Encrypted, want.Key = false, ""
	t.plan("class and encryption", want)
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(false)}
	})
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	})
	want.Stream = types.StreamViewTypeNewAndOldImages
	t.plan("another stream", want)
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.AttributeDefinitions = []types.AttributeDefinition{attribute("id"), attribute("country"), attribute("status")}
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{IndexName: aws.String("by-status"), KeySchema: key("status"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}}}
	})
	want.Indexes["by-status"], want.Attributes["status"] = types.ProjectionTypeKeysOnly, "S"
	t.plan("another index", want)
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("by-status")}}}
	})
	delete(want.Indexes, "by-status")
	delete(want.Attributes, "status")
	t.plan("without it", want)
	units := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5), WriteCapacityUnits: aws.Int64(6)}
	t.update(func(in *dynamodb.UpdateTableInput) {
		in.BillingMode, in.ProvisionedThroughput = types.BillingModeProvisioned, units
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{IndexName: aws.String("by-country"), ProvisionedThroughput: units}}}
	})
	want.Mode, want.Read, want.Write = types.BillingModeProvisioned, 5, 6
	t.plan("provisioned", want)
	t.update(func(in *dynamodb.UpdateTableInput) { in.BillingMode = types.BillingModePayPerRequest })
	want.Mode, want.Read, want.Write = types.BillingModePayPerRequest, 0, 0
	t.plan("and back", want)

	must(t.c.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: &t.arn, Tags: []types.Tag{{Key: aws.String("stage"), Value: aws.String("test")}}}))(t.T)
	must(t.c.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: &t.arn, TagKeys: []string{"team"}}))(t.T)
	want.Tags = map[string]string{"stage": "test"}
	must(t.c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: t.name, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(false)}}))(t.T)
	want.TTL = ""
	recover(&types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(false)})
	want.Recovery = 0
	must(t.c.DeleteResourcePolicy(ctx, &dynamodb.DeleteResourcePolicyInput{ResourceArn: &t.arn}))(t.T)
	want.Policy = ""
	must(t.c.DisableKinesisStreamingDestination(ctx, &dynamodb.DisableKinesisStreamingDestinationInput{TableName: t.name, StreamArn: aws.String(changes)}))(t.T)
	want.Destination, want.Precision = "", ""
	insights(nil, types.ContributorInsightsActionDisable)
	insights(aws.String("by-country"), types.ContributorInsightsActionDisable)
	want.TableInsights, want.GInsight = "DISABLED", "DISABLED"
	time.Sleep(states)
	t.plan("settings off", want)

	if _, err := t.c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: t.name}); err == nil {
		t.Error("a protected table is deleted")
	}
	t.update(func(in *dynamodb.UpdateTableInput) { in.DeletionProtectionEnabled = aws.Bool(false) })
	must(t.c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: t.name}))(t.T)
	waiter := dynamodb.NewTableNotExistsWaiter(t.c, func(o *dynamodb.TableNotExistsWaiterOptions) { o.MinDelay = 5 * time.Millisecond })
	if err := waiter.Wait(context.WithoutCancel(ctx), &dynamodb.DescribeTableInput{TableName: t.name}, time.Minute); err != nil {
		t.Error(err)
	}
}
