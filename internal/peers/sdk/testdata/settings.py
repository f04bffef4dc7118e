"""What a table has beside its items, each there and back; what the API tells about itself."""
import json

from common import client, knows, refused, same, step

step("a table with settings")
client.create_table(
    TableName="settings", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("id", "kind")],
    GlobalSecondaryIndexes=[{"IndexName": "kinds", "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
                             "Projection": {"ProjectionType": "KEYS_ONLY"}}],
    BillingMode="PAY_PER_REQUEST", TableClass="STANDARD_INFREQUENT_ACCESS", SSESpecification={"Enabled": True}, Tags=[{"Key": "team", "Value": "shop"}])
client.get_waiter("table_exists").wait(TableName="settings", WaiterConfig={"Delay": 1})
table = client.describe_table(TableName="settings")["Table"]
arn = table["TableArn"]
same((table["TableClassSummary"]["TableClass"], table["SSEDescription"]["SSEType"]), ("STANDARD_INFREQUENT_ACCESS", "KMS"))

step("time to live, tags, recovery")
client.update_time_to_live(TableName="settings", TimeToLiveSpecification={"Enabled": True, "AttributeName": "until"})
same(client.describe_time_to_live(TableName="settings")["TimeToLiveDescription"], {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"})
client.tag_resource(ResourceArn=arn, Tags=[{"Key": "stage", "Value": "test"}])
client.untag_resource(ResourceArn=arn, TagKeys=["team"])
same([t for p in client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn) for t in p["Tags"]], [{"Key": "stage", "Value": "test"}])
client.update_continuous_backups(TableName="settings", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
backups = client.describe_continuous_backups(TableName="settings")["ContinuousBackupsDescription"]
same((backups["ContinuousBackupsStatus"], backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]), ("ENABLED", "ENABLED"))

step("Kinesis")
stream = "arn:aws:kinesis:us-east-1:000000000000:stream/changes"
client.enable_kinesis_streaming_destination(TableName="settings", StreamArn=stream)
if knows("UpdateKinesisStreamingDestination"):
    client.update_kinesis_streaming_destination(TableName="settings", StreamArn=stream,
                                                UpdateKinesisStreamingConfiguration={"ApproximateCreationDateTimePrecision": "MICROSECOND"})
client.disable_kinesis_streaming_destination(TableName="settings", StreamArn=stream)
same([d["DestinationStatus"] for d in client.describe_kinesis_streaming_destination(TableName="settings")["KinesisDataStreamDestinations"]], ["DISABLED"])

step("insights")
for index in ({}, {"IndexName": "kinds"}):
    client.update_contributor_insights(TableName="settings", ContributorInsightsAction="ENABLE", **index)
    same(client.describe_contributor_insights(TableName="settings", **index)["ContributorInsightsStatus"], "ENABLED")
same(len(client.list_contributor_insights(TableName="settings")["ContributorInsightsSummaries"]), 2)

step("policies")
if all([knows("PutResourcePolicy"), knows("GetResourcePolicy"), knows("DeleteResourcePolicy")]):
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:user/reader"},
                                                      "Action": "dynamodb:GetItem", "Resource": arn}]}
    revision = client.put_resource_policy(ResourceArn=arn, Policy=json.dumps(policy))["RevisionId"]
    got = client.get_resource_policy(ResourceArn=arn)
    same((json.loads(got["Policy"]), got["RevisionId"]), (policy, revision))
    refused("PolicyNotFoundException", client.delete_resource_policy, ResourceArn=arn, ExpectedRevisionId="1")
    client.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId=revision)
    refused("PolicyNotFoundException", client.get_resource_policy, ResourceArn=arn)

step("capacity")
units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6}
client.update_table(TableName="settings", BillingMode="PROVISIONED", ProvisionedThroughput=units,
                    GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "kinds", "ProvisionedThroughput": units}}])
client.get_waiter("table_exists").wait(TableName="settings", WaiterConfig={"Delay": 1})
same(client.describe_table(TableName="settings")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"], 6)

step("the API")
limits = client.describe_limits()
same((limits["TableMaxReadCapacityUnits"], limits["AccountMaxWriteCapacityUnits"]), (40000, 80000))
assert client.describe_endpoints()["Endpoints"][0]["CachePeriodInMinutes"] > 0
refused("ResourceNotFoundException", client.describe_table_replica_auto_scaling, TableName="settings")  # it is no global table
client.delete_table(TableName="settings")
