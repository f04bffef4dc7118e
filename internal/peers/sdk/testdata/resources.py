"""boto3's resources: tables as objects, conditions that are built, batches that are written by themselves."""
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError

from common import client, refused, resource, same, step

step("a table as an object")
made = resource.create_table(
    TableName="shelves", BillingMode="PAY_PER_REQUEST",
    KeySchema=[{"AttributeName": "shelf", "KeyType": "HASH"}, {"AttributeName": "place", "KeyType": "RANGE"}],
    AttributeDefinitions=[{"AttributeName": "shelf", "AttributeType": "B"}, {"AttributeName": "place", "AttributeType": "N"}, {"AttributeName": "author", "AttributeType": "S"}],
    GlobalSecondaryIndexes=[{"IndexName": "authors", "KeySchema": [{"AttributeName": "author", "KeyType": "HASH"}, {"AttributeName": "place", "KeyType": "RANGE"}],
                             "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]}}])
made.wait_until_exists()
table = resource.Table("shelves")
table.load()
same((table.table_status, table.item_count, table.key_schema[0]["AttributeName"], table.billing_mode_summary["BillingMode"]), ("ACTIVE", 0, "shelf", "PAY_PER_REQUEST"))
assert table.creation_date_time.tzinfo is not None and table.table_arn.endswith(":table/shelves") and len(table.table_id) == 36
same([t.name for t in resource.tables.all()], ["shelves"])

step("a batch that is written by itself")
shelf = Binary(b"\x00\xfe")
with table.batch_writer(overwrite_by_pkeys=["shelf", "place"]) as batch:
    for n in list(range(70)) + [69]:
        batch.put_item(Item={"shelf": shelf, "place": n, "author": ["ann", "ben"][n % 2], "title": f"T{n}", "price": Decimal(n) / 4, "tags": {"a", f"b{n}"}, "pages": [{"n": n}]})
    batch.delete_item(Key={"shelf": shelf, "place": 0})
table.reload()
same(table.item_count, 69)

step("conditions that are built")
query = lambda key, **more: [int(i["place"]) for i in table.query(KeyConditionExpression=key, **more)["Items"]]
of = Key("shelf").eq(shelf)
for condition, want in (
    (Key("place").eq(5), [5]), (Key("place").lt(3), [1, 2]), (Key("place").lte(2), [1, 2]), (Key("place").gt(68), [69]),
    (Key("place").gte(68), [68, 69]), (Key("place").between(Decimal("7.5"), 9), [8, 9]),
):
    same(query(of & condition), want)
same(query(Key("author").eq("ben") & Key("place").lt(6), IndexName="authors", ScanIndexForward=False), [5, 3, 1])
for filter, want in (
    (Attr("price").eq(1), [4]), (Attr("price").ne(1) & Attr("place").lt(6), [1, 2, 3, 5]), (Attr("place").is_in([1, 3, 99]), [1, 3]),
    (Attr("title").begins_with("T6"), [6] + list(range(60, 70))), (Attr("tags").contains("b7"), [7]), (Attr("tags").size().gt(2), []),
    (Attr("pages").attribute_type("L") & Attr("pages[0].n").eq(2), [2]), (Attr("none").exists(), []),
    (~Attr("place").between(3, 69), [1, 2]), (Attr("none").not_exists() & (Attr("place").lte(1) | Attr("price").gte(Decimal("17.25"))), [1, 69]),
):
    scanned = table.scan(FilterExpression=filter, ConsistentRead=True)
    same(sorted(int(i["place"]) for i in scanned["Items"]), want)
    same(scanned["ScannedCount"], 69)

step("pages by hand")
places, last = [], {}
while True:
    page = table.query(KeyConditionExpression=of, Limit=11, ProjectionExpression="place", **last)
    places += [int(i["place"]) for i in page["Items"]]
    if "LastEvaluatedKey" not in page:
        break
    last = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
same(places, list(range(1, 70)))

step("values there and back")
whole = {"shelf": shelf, "place": Decimal("-1.5"), "big": Decimal("1E+37"), "small": Decimal("1E-120"),  # boto3 reads no more than 38 digits
         "numbers": {Decimal(1), Decimal("2.50")}, "blobs": {Binary(b""), Binary(b"\xff")}, "none": None, "yes": True, "list": [], "map": {"in": {"deep": [Decimal(0)]}}, "text": "\U0001f600 \u2028"}
table.put_item(Item=whole)
same(table.get_item(Key={"shelf": shelf, "place": Decimal("-1.50")})["Item"], whole)
changed = table.update_item(Key={"shelf": shelf, "place": Decimal("-1.5")}, UpdateExpression="SET big = :n ADD numbers :s DELETE blobs :b REMOVE yes",
                            ConditionExpression=Attr("none").attribute_type("NULL"), ReturnValues="ALL_NEW", ReturnConsumedCapacity="INDEXES",
                            ExpressionAttributeValues={":n": 3, ":s": {Decimal("7")}, ":b": {Binary(b"")}})
same((changed["Attributes"]["big"], changed["Attributes"]["numbers"], changed["Attributes"]["blobs"], "yes" in changed["Attributes"]),
     (3, {Decimal(1), Decimal("2.5"), Decimal(7)}, {Binary(b"\xff")}, False))
same(changed["ConsumedCapacity"]["Table"]["CapacityUnits"], 1.0)

step("items of tables")
got = resource.batch_get_item(RequestItems={"shelves": {"Keys": [{"shelf": shelf, "place": n} for n in (1, 2, 1000)], "ProjectionExpression": "title"}})
same(sorted(i["title"] for i in got["Responses"]["shelves"]), ["T1", "T2"])
same(resource.batch_write_item(RequestItems={"shelves": [{"DeleteRequest": {"Key": {"shelf": shelf, "place": 1}}}]})["UnprocessedItems"], {})
try:
    table.put_item(Item=whole, ConditionExpression=Attr("shelf").not_exists())
    raise AssertionError("written")
except resource.meta.client.exceptions.ConditionalCheckFailedException as e:
    assert isinstance(e, ClientError) and e.response["Error"]["Message"] == "The conditional request failed"
refused("ValidationException", table.query, KeyConditionExpression=Key("shelf").eq("text"))

step("statements, page by page")
found = []
for page in client.get_paginator("query").paginate(TableName="shelves", IndexName="authors", KeyConditionExpression="author = :a",
                                                    ExpressionAttributeValues={":a": {"S": "ann"}}, PaginationConfig={"PageSize": 10, "MaxItems": 25}):
    found += page["Items"]
same(len(found), 25)

step("the end of the table")
updated = table.update(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 2, "WriteCapacityUnits": 3},
                       GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "authors", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}])
same(updated.name, "shelves")
table.delete()
table.wait_until_not_exists()
