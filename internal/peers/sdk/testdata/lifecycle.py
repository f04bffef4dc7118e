"""The life of tables and items with boto3's resources, clients, paginators and waiters."""
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from common import client, refused, resource, same, step, streams

step("tables")
table = resource.create_table(
    TableName="orders",
    AttributeDefinitions=[{"AttributeName": n, "AttributeType": t} for n, t in (("customer", "S"), ("order", "N"), ("status", "S"))],
    KeySchema=[{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "order", "KeyType": "RANGE"}],
    GlobalSecondaryIndexes=[{"IndexName": "by-status", "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}],
                             "Projection": {"ProjectionType": "ALL"}}],
    StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    Tags=[{"Key": "team", "Value": "shop"}],
    BillingMode="PAY_PER_REQUEST",
)
client.get_waiter("table_exists").wait(TableName="orders", WaiterConfig={"Delay": 1})
described = client.describe_table(TableName="orders")["Table"]
same((described["TableStatus"], described["BillingModeSummary"]["BillingMode"]), ("ACTIVE", "PAY_PER_REQUEST"))
arn = described["TableArn"]
refused("ResourceInUseException", client.create_table, TableName="orders", BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "a", "AttributeType": "S"}], KeySchema=[{"AttributeName": "a", "KeyType": "HASH"}])
same([n for page in client.get_paginator("list_tables").paginate(Limit=1) for n in page["TableNames"]], ["orders"])

step("items of every type")
item = {"customer": "ann", "order": 1, "status": "open", "total": Decimal("12.50"), "big": Decimal("1E+30"), "blob": Binary(b"\x00\xff"),
        "tags": {"a", "b"}, "sizes": {Decimal(1), Decimal("2.5")}, "blobs": {Binary(b"x")}, "paid": False, "note": None,
        "lines": [{"sku": "ä", "n": 2}, []], "empty": ""}
table.put_item(Item=item)
got = table.get_item(Key={"customer": "ann", "order": 1}, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
same(got["Item"], item)
same(got["ConsumedCapacity"]["CapacityUnits"], 1.0)
same(table.get_item(Key={"customer": "nobody", "order": 1}).get("Item"), None)

step("conditions, updates, deletion")
refused("ConditionalCheckFailedException", table.put_item, Item={"customer": "ann", "order": 1}, ConditionExpression=Attr("order").not_exists())
out = table.update_item(Key={"customer": "ann", "order": 1}, UpdateExpression="SET #l[0].n = #l[0].n + :one, #s = :s REMOVE note",
                        ExpressionAttributeNames={"#l": "lines", "#s": "status"}, ExpressionAttributeValues={":one": 1, ":s": "paid"},
                        ReturnValues="UPDATED_NEW")
same(out["Attributes"], {"lines": [{"n": 3}], "status": "paid"})
same(table.delete_item(Key={"customer": "ann", "order": 1}, ReturnValues="ALL_OLD")["Attributes"]["status"], "paid")
refused("ValidationException", table.get_item, Key={"customer": "ann"})
refused("ResourceNotFoundException", resource.Table("nope").get_item, Key={"a": "b"})

step("batches, queries, scans")
with table.batch_writer() as batch:
    for n in range(60):
        batch.put_item(Item={"customer": f"c{n % 3}", "order": n, "status": ["open", "paid"][n % 2], "pad": "x" * 900})
orders = [i["order"] for page in client.get_paginator("query").paginate(
    TableName="orders", KeyConditionExpression="customer = :c", ExpressionAttributeValues={":c": {"S": "c0"}}, PaginationConfig={"PageSize": 7})
    for i in page["Items"]]
same(orders, [{"N": str(n)} for n in range(0, 60, 3)])
found = table.query(KeyConditionExpression=Key("customer").eq("c1") & Key("order").between(10, 30), FilterExpression=Attr("status").eq("open"),
                    ProjectionExpression="#o", ExpressionAttributeNames={"#o": "order"}, ScanIndexForward=False)
same([i["order"] for i in found["Items"]], [28, 22, 16, 10])
same(table.query(IndexName="by-status", KeyConditionExpression=Key("status").eq("paid"), Select="COUNT")["Count"], 30)
same(sum(table.scan(Segment=s, TotalSegments=3, Select="COUNT")["Count"] for s in range(3)), 60)
same(sum(len(p["Items"]) for p in client.get_paginator("scan").paginate(TableName="orders", PaginationConfig={"PageSize": 25})), 60)
got = client.batch_get_item(RequestItems={"orders": {"Keys": [{"customer": {"S": f"c{n % 3}"}, "order": {"N": str(n)}} for n in range(100)]}})
same((len(got["Responses"]["orders"]), got["UnprocessedKeys"]), (60, {}))

step("transactions")
put = {"Put": {"TableName": "orders", "Item": {"customer": {"S": "tx"}, "order": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(customer)"}}
check = {"ConditionCheck": {"TableName": "orders", "Key": {"customer": {"S": "c0"}, "order": {"N": "0"}}, "ConditionExpression": "attribute_exists(customer)"}}
for _ in range(2):  # the second time it is the token that answers
    client.transact_write_items(TransactItems=[put, check], ClientRequestToken="once")
e = refused("TransactionCanceledException", client.transact_write_items, TransactItems=[put, check])
same([r["Code"] for r in e.response["CancellationReasons"]], ["ConditionalCheckFailed", "None"])
got = client.transact_get_items(TransactItems=[{"Get": {"TableName": "orders", "Key": {"customer": {"S": "tx"}, "order": {"N": n}}}} for n in "12"])
same([("Item" in r) for r in got["Responses"]], [True, False])

step("statements")
client.execute_statement(Statement="INSERT INTO orders VALUE {'customer': 'sql', 'order': 1, 'status': 'open'}")
refused("DuplicateItemException", client.execute_statement, Statement="INSERT INTO orders VALUE {'customer': 'sql', 'order': 1}")
client.execute_statement(Statement="UPDATE orders SET status = ? WHERE customer = 'sql' AND \"order\" = 1", Parameters=[{"S": "paid"}])
same(client.execute_statement(Statement="SELECT status FROM orders WHERE customer = 'sql'")["Items"], [{"status": {"S": "paid"}}])
same(len([i for p in client.get_paginator("list_tables").paginate() for i in p["TableNames"]]), 1)
got = client.batch_execute_statement(Statements=[{"Statement": "SELECT * FROM orders WHERE customer = 'sql' AND \"order\" = ?", "Parameters": [{"N": n}]} for n in "12"])
same([("Item" in r) for r in got["Responses"]], [True, False])
client.execute_transaction(TransactStatements=[{"Statement": "DELETE FROM orders WHERE customer = 'sql' AND \"order\" = 1"}])

step("streams")
stream = streams.list_streams(TableName="orders")["Streams"][0]["StreamArn"]
shard = streams.describe_stream(StreamArn=stream)["StreamDescription"]["Shards"][0]["ShardId"]
iterator = streams.get_shard_iterator(StreamArn=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
names = []
while len(names) < 66:
    out = streams.get_records(ShardIterator=iterator)
    if not out["Records"]:
        break
    names += [r["eventName"] for r in out["Records"]]
    iterator = out["NextShardIterator"]
same((names[:3], len(names)), (["INSERT", "MODIFY", "REMOVE"], 67))

step("deletion")
table.delete()
client.get_waiter("table_not_exists").wait(TableName="orders", WaiterConfig={"Delay": 1})
same(client.list_tables()["TableNames"], [])
