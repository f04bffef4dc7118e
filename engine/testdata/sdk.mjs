// The life cycle of a table through AWS's SDK for JavaScript, against the endpoint given. Prints "ok" or throws.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
const require = createRequire(process.env.TABLEWRIGHT_NODE_MODULES + "/");
const ddb = require("@aws-sdk/client-dynamodb");

const client = new ddb.DynamoDBClient({
  endpoint: process.argv[2],
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
});
const send = (name, input) => client.send(new ddb[name + "Command"](input));
const refused = async (promise, name, check = () => {}) => {
  const err = await promise.then(() => assert.fail("not refused"), (e) => e);
  assert.equal(err.name, name, String(err));
  check(err);
};

const TableName = "sdk";
await send("CreateTable", {
  TableName,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: ["pk", "sk", "g"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
  GlobalSecondaryIndexes: [{ IndexName: "gsi", KeySchema: [{ AttributeName: "g", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }],
});
await ddb.waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1, maxDelay: 1 }, { TableName });
await refused(send("CreateTable", { TableName, BillingMode: "PAY_PER_REQUEST", AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }] }), "ResourceInUseException");

const item = { pk: { S: "a" }, sk: { S: "1" }, g: { S: "x" }, n: { N: "1.50" }, b: { B: new Uint8Array([1, 2]) }, l: { L: [{ BOOL: true }, { NULL: true }] }, ss: { SS: ["a", "b"] } };
await send("PutItem", { TableName, Item: item });
const got = await send("GetItem", { TableName, Key: { pk: { S: "a" }, sk: { S: "1" } }, ReturnConsumedCapacity: "TOTAL" });
assert.deepEqual(got.Item, { ...item, n: { N: "1.5" } });
assert.equal(got.ConsumedCapacity.CapacityUnits, 0.5);
assert.match(got.$metadata.requestId, /^[0-9A-Z]{52}$/);

const updated = await send("UpdateItem", { TableName, Key: { pk: { S: "a" }, sk: { S: "1" } }, UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } }, ReturnValues: "UPDATED_NEW" });
assert.deepEqual(updated.Attributes, { n: { N: "2.5" } });
await refused(
  send("PutItem", { TableName, Item: item, ConditionExpression: "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
  "ConditionalCheckFailedException", (e) => assert.equal(e.Item.n.N, "2.5"));
await refused(send("GetItem", { TableName, Key: { pk: { S: "a" } } }), "ValidationException", (e) => assert.equal(e.message, "The provided key element does not match the schema"));
await refused(send("GetItem", { TableName: "nope", Key: { pk: { S: "a" } } }), "ResourceNotFoundException");

await send("BatchWriteItem", { RequestItems: { [TableName]: Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { pk: { S: "q" }, sk: { S: String(i).padStart(3, "0") }, g: { S: "y" } } } })) } });
const seen = [];
for await (const page of ddb.paginateQuery({ client, pageSize: 7 }, { TableName, IndexName: "gsi", KeyConditionExpression: "g = :g", ExpressionAttributeValues: { ":g": { S: "y" } } })) seen.push(...page.Items.map((i) => i.sk.S));
assert.deepEqual(seen.toSorted(), Array.from({ length: 25 }, (_, i) => String(i).padStart(3, "0")));
const batch = await send("BatchGetItem", { RequestItems: { [TableName]: { Keys: [{ pk: { S: "q" }, sk: { S: "001" } }, { pk: { S: "q" }, sk: { S: "nope" } }] } } });
assert.equal(batch.Responses[TableName].length, 1);

await send("TransactWriteItems", { TransactItems: [{ Put: { TableName, Item: { pk: { S: "t" }, sk: { S: "1" } } } }, { Delete: { TableName, Key: { pk: { S: "q" }, sk: { S: "000" } } } }] });
await refused(
  send("TransactWriteItems", { TransactItems: [{ Put: { TableName, Item: { pk: { S: "u" }, sk: { S: "1" } } } }, { ConditionCheck: { TableName, Key: { pk: { S: "t" }, sk: { S: "1" } }, ConditionExpression: "attribute_not_exists(pk)" } }] }),
  "TransactionCanceledException", (e) => assert.deepEqual(e.CancellationReasons.map((r) => r.Code), ["None", "ConditionalCheckFailed"]));
const both = await send("TransactGetItems", { TransactItems: [{ Get: { TableName, Key: { pk: { S: "t" }, sk: { S: "1" } } } }, { Get: { TableName, Key: { pk: { S: "u" }, sk: { S: "1" } } } }] });
assert.deepEqual(both.Responses.map((r) => !!r.Item), [true, false]);

await send("UpdateTimeToLive", { TableName, TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true } });
assert.equal((await send("DescribeTimeToLive", { TableName })).TimeToLiveDescription.TimeToLiveStatus, "ENABLED");
const { TableArn } = (await send("DescribeTable", { TableName })).Table;
await send("TagResource", { ResourceArn: TableArn, Tags: [{ Key: "team", Value: "shop" }] });
assert.deepEqual((await send("ListTagsOfResource", { ResourceArn: TableArn })).Tags, [{ Key: "team", Value: "shop" }]);
await send("UntagResource", { ResourceArn: TableArn, TagKeys: ["team"] });
assert.equal((await send("GetItem", { TableName: TableArn, Key: { pk: { S: "t" }, sk: { S: "1" } } })).Item.pk.S, "t");

await send("UpdateTable", { TableName, AttributeDefinitions: [{ AttributeName: "h", AttributeType: "N" }], GlobalSecondaryIndexUpdates: [{ Create: { IndexName: "late", KeySchema: [{ AttributeName: "h", KeyType: "HASH" }], Projection: { ProjectionType: "KEYS_ONLY" } } }] });
await ddb.waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1, maxDelay: 1 }, { TableName });
assert.equal((await send("DescribeLimits", {})).TableMaxReadCapacityUnits, 40000);
assert.deepEqual((await send("ListTables", {})).TableNames, [TableName]);
await send("DeleteTable", { TableName });
await ddb.waitUntilTableNotExists({ client, maxWaitTime: 10, minDelay: 1, maxDelay: 1 }, { TableName });
console.log("ok");
