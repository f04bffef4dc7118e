"""What boto3 does by itself when something goes wrong, on a server where it does (faults_test.go)."""
import boto3

from common import client, refused, same, settings, step

key = lambda pk: {"pk": {"S": pk}}
put = lambda c, pk: c.put_item(TableName="faults", Item=key(pk))
retried = lambda answer: answer["ResponseMetadata"]["RetryAttempts"]
client.create_table(TableName="faults", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                    ProvisionedThroughput={"ReadCapacityUnits": 9, "WriteCapacityUnits": 9})

step("attempts")
legacy, standard = boto3.client("dynamodb", **settings()), boto3.client("dynamodb", **settings(retries={"mode": "standard"}))
same(retried(put(legacy, "throttled")), 2)
same(retried(standard.get_item(TableName="faults", Key=key("refused"))), 1)
same(retried(put(standard, "broken")), 1)
same(retried(put(legacy, "lost")), 1)

step("checksums")
legacy.put_item(TableName="faults", Item={"pk": {"S": "text"}, "note": {"S": "genuine"}})
got = legacy.get_item(TableName="faults", Key=key("text"))
same((got["Item"]["note"]["S"], retried(got)), ("genuine", 1))  # the first answer does not have the checksum that it tells

step("errors with their members")
e = refused("ProvisionedThroughputExceededException", client.put_item, TableName="faults", Item=key("always"))
same(e.response["ResponseMetadata"]["HTTPStatusCode"], 400)
if "ThrottlingReasons" in client.meta.service_model.shape_for("ProvisionedThroughputExceededException").members:
    same([r["reason"] for r in e.response["ThrottlingReasons"]], ["TableWriteKeyRangeThroughputExceeded"])
try:
    client.update_item(TableName="faults", Key=key("conflicted"), UpdateExpression="ADD n :n", ExpressionAttributeValues={":n": {"N": "1"}})
    raise AssertionError("no conflict")
except client.exceptions.TransactionConflictException as conflict:
    same(conflict.response["Error"]["Code"], "TransactionConflictException")
e = refused("TransactionCanceledException", client.transact_write_items, TransactItems=[
    {"Put": {"TableName": "faults", "Item": key(pk)}} for pk in ("other", "cancelled")])
same([r["Code"] for r in e.response["CancellationReasons"]], ["None", "ProvisionedThroughputExceeded"])

step("batches")
with boto3.resource("dynamodb", **settings()).Table("faults").batch_writer(overwrite_by_pkeys=["pk"]) as batch:
    for pk in ("left-over", "left-out", "left-out"):
        batch.put_item(Item={"pk": pk})
got = client.batch_get_item(RequestItems={"faults": {"Keys": [key("left-over"), key("left-out")]}})
same((got["Responses"]["faults"], got["UnprocessedKeys"]["faults"]["Keys"]), ([key("left-over")], [key("left-out")]))
same(client.batch_get_item(RequestItems=got["UnprocessedKeys"])["Responses"]["faults"], [key("left-out")])
client.delete_table(TableName="faults")
