"""The AWS CLI: commands as one types them, in the process of the script (one process each takes most of a second).

commands.py URL. What a command prints is read as JSON or, with --output text, as text.
"""
import contextlib
import io
import json
import os
import sys

try:
    from awscli.clidriver import create_clidriver
except ImportError:
    sys.exit("no awscli")

url = sys.argv[1]
os.environ.update(AWS_PAGER="", AWS_DEFAULT_REGION="us-east-1", AWS_DEFAULT_OUTPUT="json")
driver = create_clidriver()
known = {s: set(driver.session.get_service_model(s).operation_names) for s in ("dynamodb", "dynamodbstreams")}


def run(line, *more):
    """Run `aws LINE MORE...`: words of the line stand between blanks, more are words of their own. Answer its code and what it printed."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = driver.main(line.split() + list(more) + ["--endpoint-url", url])
    return code, out.buffer.getvalue().decode(), err.getvalue()


def aws(line, *more):
    code, out, err = run(line, *more)
    assert code == 0, f"aws {line} {more}: {code}\n{out}{err}"
    if not out.strip():
        return None
    return out.strip() if "text" in line.split() else json.loads(out)


def refused(text, line, *more):
    code, out, err = run(line, *more)
    assert code != 0 and text in err, f"aws {line} {more}: {code}\n{out}{err}"


def knows(operation):
    if operation in known["dynamodb"]:
        return True
    print("lacks", operation)
    return False


def same(got, want):
    assert got == want, f"{got!r} is not {want!r}"


def step(name):
    print(name, flush=True)


key = lambda n: json.dumps({"customer": {"S": "c1"}, "order": {"N": str(n)}})

step("tables")
made = aws("dynamodb create-table --table-name orders --billing-mode PAY_PER_REQUEST"
           " --attribute-definitions AttributeName=customer,AttributeType=S AttributeName=order,AttributeType=N AttributeName=status,AttributeType=S"
           " --key-schema AttributeName=customer,KeyType=HASH AttributeName=order,KeyType=RANGE"
           " --global-secondary-indexes IndexName=by-status,KeySchema=[{AttributeName=status,KeyType=HASH}],Projection={ProjectionType=ALL}"
           " --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES --tags Key=team,Value=shop")
arn = made["TableDescription"]["TableArn"]
same(aws("dynamodb wait table-exists --table-name orders"), None)
same(aws("dynamodb describe-table --table-name orders --output text --query", "Table.[TableStatus,KeySchema[0].AttributeName,GlobalSecondaryIndexes[].IndexName|[0]]").split(), ["ACTIVE", "customer", "by-status"])
refused("ResourceInUseException", "dynamodb create-table --table-name orders --billing-mode PAY_PER_REQUEST --attribute-definitions AttributeName=a,AttributeType=S --key-schema AttributeName=a,KeyType=HASH")
refused("An error occurred (ResourceNotFoundException) when calling the DescribeTable operation: Requested resource not found: Table: none not found", "dynamodb describe-table --table-name none")
same(aws("dynamodb list-tables --max-items 1 --query TableNames"), ["orders"])

step("items")
item = json.dumps({"customer": {"S": "c1"}, "order": {"N": "1"}, "status": {"S": "open"}, "paid": {"BOOL": False}, "tags": {"SS": ["a"]}, "lines": {"L": [{"M": {"n": {"N": "2"}}}]}})
same(aws("dynamodb put-item --table-name orders --return-consumed-capacity TOTAL --item", item)["ConsumedCapacity"]["CapacityUnits"], 2.0)
same(aws("dynamodb get-item --table-name orders --consistent-read --key", key(1)), {"Item": json.loads(item)})
same(aws("dynamodb get-item --table-name orders --key", key(99)), None)
same(aws("dynamodb update-item --table-name orders --return-values UPDATED_NEW --key", key(1), "--update-expression", "SET #l[0].n = #l[0].n + :n",
         "--expression-attribute-names", '{"#l": "lines"}', "--expression-attribute-values", '{":n": {"N": "1"}}'), {"Attributes": {"lines": {"L": [{"M": {"n": {"N": "3"}}}]}}})
refused("An error occurred (ConditionalCheckFailedException) when calling the DeleteItem operation: The conditional request failed",
        "dynamodb delete-item --table-name orders --condition-expression attribute_not_exists(paid) --key", key(1))
same(aws("dynamodb delete-item --table-name orders --return-values ALL_OLD --query Attributes.paid.BOOL --key", key(1)), False)

step("batches and pages")
for start in (0, 25):
    writes = [{"PutRequest": {"Item": {"customer": {"S": "c1"}, "order": {"N": str(n)}, "status": {"S": ["open", "paid"][n % 2]}}}} for n in range(start, start + 25)]
    same(aws("dynamodb batch-write-item --request-items", json.dumps({"orders": writes})), {"UnprocessedItems": {}})
got = aws("dynamodb batch-get-item --request-items", json.dumps({"orders": {"Keys": [json.loads(key(n)) for n in (3, 4, 99)]}}))
same(sorted(i["order"]["N"] for i in got["Responses"]["orders"]), ["3", "4"])
values = '{":c": {"S": "c1"}, ":o": {"N": "10"}}'
query = ("dynamodb query --table-name orders --expression-attribute-names", '{"#o":"order"}', "--key-condition-expression", "customer = :c AND #o >= :o", "--expression-attribute-values", values)
same(aws(query[0], *query[1:], "--page-size", "7", "--query", "length(Items)"), 40)
first = aws(query[0], *query[1:], "--max-items", "15", "--no-scan-index-forward")
rest = aws(query[0], *query[1:], "--starting-token", first["NextToken"], "--no-scan-index-forward")
same([int(i["order"]["N"]) for i in first["Items"] + rest["Items"]], list(range(49, 9, -1)))
same(aws("dynamodb query --table-name orders --index-name by-status --select COUNT --key-condition-expression", "#s = :s", "--expression-attribute-names", '{"#s":"status"}',
         "--expression-attribute-values", '{":s":{"S":"paid"}}', "--query", "Count"), 25)
same(aws("dynamodb scan --table-name orders --page-size 9 --query", "Items[?order.N=='7'].customer.S"), ["c1"])
same(len(aws("dynamodb scan --table-name orders --no-paginate --limit 9 --query Items")), 9)

step("transactions")
put = {"Put": {"TableName": "orders", "Item": {"customer": {"S": "tx"}, "order": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(customer)"}}
aws("dynamodb transact-write-items --client-request-token once --transact-items", json.dumps([put]))
refused("[ConditionalCheckFailed]", "dynamodb transact-write-items --transact-items", json.dumps([put]))
got = aws("dynamodb transact-get-items --transact-items", json.dumps([{"Get": {"TableName": "orders", "Key": {"customer": {"S": "tx"}, "order": {"N": n}}}} for n in "12"]))
same(["Item" in r for r in got["Responses"]], [True, False])

step("statements")
aws("dynamodb execute-statement --statement", "INSERT INTO orders VALUE {'customer': 'sql', 'order': ?}", "--parameters", '[{"N":"1"}]')
refused("DuplicateItemException", "dynamodb execute-statement --statement", "INSERT INTO orders VALUE {'customer': 'sql', 'order': 1}")
got = aws("dynamodb batch-execute-statement --statements", json.dumps([{"Statement": f"SELECT * FROM orders WHERE customer = 'sql' AND \"order\" = {n}"} for n in (1, 2)]))
same(["Item" in r for r in got["Responses"]], [True, False])
aws("dynamodb execute-transaction --transact-statements", json.dumps([{"Statement": "DELETE FROM orders WHERE customer = 'sql' AND \"order\" = 1"}]))
same(aws("dynamodb execute-statement --consistent-read --query Items --statement", "SELECT * FROM orders WHERE customer = 'sql'"), [])

step("streams")
stream = aws("dynamodbstreams list-streams --table-name orders --query Streams[0].StreamArn")
shard = aws("dynamodbstreams describe-stream --stream-arn", stream, "--query", "StreamDescription.Shards[0].ShardId")
iterator = aws("dynamodbstreams get-shard-iterator --shard-iterator-type TRIM_HORIZON --stream-arn", stream, "--shard-id", shard, "--query", "ShardIterator")
records = aws("dynamodbstreams get-records --limit 3 --shard-iterator", iterator)["Records"]
same([r["eventName"] for r in records], ["INSERT", "MODIFY", "REMOVE"])
same(records[0]["dynamodb"]["NewImage"], json.loads(item))

step("settings")
aws("dynamodb update-time-to-live --table-name orders --time-to-live-specification Enabled=true,AttributeName=until")
same(aws("dynamodb describe-time-to-live --table-name orders --query TimeToLiveDescription.AttributeName"), "until")
same(aws("dynamodb tag-resource --tags Key=stage,Value=test --resource-arn", arn), None)
same(aws("dynamodb untag-resource --tag-keys team --resource-arn", arn), None)
same(aws("dynamodb list-tags-of-resource --query Tags --resource-arn", arn), [{"Key": "stage", "Value": "test"}])
aws("dynamodb update-continuous-backups --table-name orders --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true")
same(aws("dynamodb describe-continuous-backups --table-name orders --query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus"), "ENABLED")
to = ("--stream-arn", "arn:aws:kinesis:us-east-1:000000000000:stream/changes")
aws("dynamodb enable-kinesis-streaming-destination --table-name orders", *to)
if knows("UpdateKinesisStreamingDestination"):
    aws("dynamodb update-kinesis-streaming-destination --table-name orders --update-kinesis-streaming-configuration ApproximateCreationDateTimePrecision=MICROSECOND", *to)
aws("dynamodb disable-kinesis-streaming-destination --table-name orders", *to)
same(aws("dynamodb describe-kinesis-streaming-destination --table-name orders --query KinesisDataStreamDestinations[].DestinationStatus"), ["DISABLED"])
aws("dynamodb update-contributor-insights --table-name orders --contributor-insights-action ENABLE")
same(aws("dynamodb describe-contributor-insights --table-name orders --query ContributorInsightsStatus"), "ENABLED")
same(aws("dynamodb list-contributor-insights --query ContributorInsightsSummaries[].TableName"), ["orders"])
if all([knows("PutResourcePolicy"), knows("GetResourcePolicy"), knows("DeleteResourcePolicy")]):
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:root"}, "Action": "dynamodb:GetItem", "Resource": arn}]}
    aws("dynamodb put-resource-policy --resource-arn", arn, "--policy", json.dumps(policy))
    same(json.loads(aws("dynamodb get-resource-policy --query Policy --resource-arn", arn)), policy)
    aws("dynamodb delete-resource-policy --resource-arn", arn)
    refused("PolicyNotFoundException", "dynamodb get-resource-policy --resource-arn", arn)
aws("dynamodb update-table --table-name orders --billing-mode PROVISIONED --provisioned-throughput ReadCapacityUnits=5,WriteCapacityUnits=6"
    " --global-secondary-index-updates", '[{"Update":{"IndexName":"by-status","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]')
aws("dynamodb wait table-exists --table-name orders")
same(aws("dynamodb describe-table --output text --table-name orders --query Table.ProvisionedThroughput.WriteCapacityUnits"), "6")
same(aws("dynamodb describe-limits --query TableMaxReadCapacityUnits"), 40000)
assert aws("dynamodb describe-endpoints --query Endpoints[0].CachePeriodInMinutes") > 0
refused("ResourceNotFoundException", "dynamodb describe-table-replica-auto-scaling --table-name orders")  # it is no global table

step("the end")
aws("dynamodb delete-table --table-name orders")
aws("dynamodb wait table-not-exists --table-name orders")
same(aws("dynamodb list-tables --query TableNames"), [])
print("to the end")
