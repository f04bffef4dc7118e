package sdk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestGoSettings: what tools seldom change about a table, and what the API tells about itself. TestGoManagedTable has the rest.
func TestGoSettings(t *testing.T) {
	ctx, c := t.Context(), newClient(t, startServe(t))
	table := createTable(t, c, ordersTable("orders"))
	name, arn := table.TableName, table.TableArn

	// A policy is versioned: a change of another revision than the one that was read is refused.
	policy := aws.String(readerPolicy)
	first := must(c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: policy}))(t).RevisionId
	if got := must(c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn}))(t); *got.RevisionId != *first || *got.Policy != *policy {
		t.Errorf("%+v", got)
	}
	_, err := c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: policy, ExpectedRevisionId: aws.String("NO_POLICY")})
	var stale *types.PolicyNotFoundException
	if !errors.As(err, &stale) {
		t.Error(err)
	}
	must(c.DeleteResourcePolicy(ctx, &dynamodb.DeleteResourcePolicyInput{ResourceArn: arn, ExpectedRevisionId: first}))(t)

	stream := aws.String(changes)
	must(c.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{TableName: name, StreamArn: stream}))(t)
	must(c.UpdateKinesisStreamingDestination(ctx, &dynamodb.UpdateKinesisStreamingDestinationInput{TableName: name, StreamArn: stream,
		UpdateKinesisStreamingConfiguration: &types.UpdateKinesisStreamingConfiguration{ApproximateCreationDateTimePrecision: types.ApproximateCreationDateTimePrecisionMicrosecond}}))(t)
	waiter := dynamodb.NewKinesisStreamingDestinationActiveWaiter(c, func(o *dynamodb.KinesisStreamingDestinationActiveWaiterOptions) { o.MinDelay = 5 * time.Millisecond })
	if err := waiter.Wait(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: name}, time.Minute); err != nil {
		t.Error(err)
	}

	for _, index := range []*string{nil, aws.String("by-place")} {
		must(c.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{TableName: name, IndexName: index, ContributorInsightsAction: types.ContributorInsightsActionEnable}))(t)
	}
	on := 0
	for pages := dynamodb.NewListContributorInsightsPaginator(c, &dynamodb.ListContributorInsightsInput{MaxResults: 1}); pages.HasMorePages(); {
		on += len(must(pages.NextPage(ctx))(t).ContributorInsightsSummaries)
	}
	if on != 2 {
		t.Errorf("%d insights", on)
	}

	limits := must(c.DescribeLimits(ctx, &dynamodb.DescribeLimitsInput{}))(t)
	if *limits.TableMaxReadCapacityUnits != 40_000 || *limits.AccountMaxWriteCapacityUnits != 80_000 {
		t.Errorf("%+v", limits)
	}
	if e := must(c.DescribeEndpoints(ctx, &dynamodb.DescribeEndpointsInput{}))(t).Endpoints; len(e) != 1 || *e[0].Address == "" || e[0].CachePeriodInMinutes == 0 {
		t.Errorf("%+v", e)
	}
	_, err = c.DescribeTableReplicaAutoScaling(ctx, &dynamodb.DescribeTableReplicaAutoScalingInput{TableName: name})
	if !is[*types.ResourceNotFoundException](err) { // it is no global table
		t.Error(err)
	}
}
