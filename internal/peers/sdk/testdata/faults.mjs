// What the SDK does by itself when something goes wrong, on a server where it does (faults_test.go): it tries again, tells
// errors by their types with all their members, and leaves over what a batch left over.
import {
  BatchGetItemCommand, BatchWriteItemCommand, ConditionalCheckFailedException, CreateTableCommand, DeleteTableCommand, DynamoDBClient,
  GetItemCommand, ProvisionedThroughputExceededException, PutItemCommand, ThrottlingException, TransactWriteItemsCommand,
  TransactionCanceledException, TransactionConflictException, UpdateItemCommand, waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { assert, client, key, rejects, send, settings, strings, wait } from "./common.mjs";

const TableName = "faults";
const Key = (pk) => ({ pk: { S: pk } });
await send(new CreateTableCommand({ TableName, KeySchema: key("pk"), AttributeDefinitions: strings("pk"), ProvisionedThroughput: { ReadCapacityUnits: 9, WriteCapacityUnits: 9 } }));
await waitUntilTableExists(wait, { TableName });

// As the SDK is by default: three attempts, with pauses
const patient = new DynamoDBClient({ ...settings, maxAttempts: undefined });
const attempts = async (command) => (await patient.send(command)).$metadata.attempts;
assert.equal(await attempts(new PutItemCommand({ TableName, Item: Key("throttled") })), 3);
assert.equal(await attempts(new GetItemCommand({ TableName, Key: Key("refused") })), 2);
assert.equal(await attempts(new PutItemCommand({ TableName, Item: Key("broken") })), 2);
assert.equal(await attempts(new PutItemCommand({ TableName, Item: Key("lost") })), 2);
for (const pk of ["throttled", "broken", "lost"]) assert.deepEqual((await send(new GetItemCommand({ TableName, Key: Key(pk) }))).Item, Key(pk));

// Errors with their members
const error = await rejects(send(new PutItemCommand({ TableName, Item: Key("always") })), ProvisionedThroughputExceededException);
assert.deepEqual(error.ThrottlingReasons.map((r) => r.reason), ["TableWriteKeyRangeThroughputExceeded"]);
assert.ok(error.ThrottlingReasons[0].resource.endsWith(`:table/${TableName}`));
assert.ok(error.$retryable === undefined || error.$retryable);
assert.equal(error.$metadata.httpStatusCode, 400);
assert.equal(error.$metadata.requestId.length, 52);
await rejects(send(new UpdateItemCommand({ TableName, Key: Key("conflicted"), UpdateExpression: "ADD n :n", ExpressionAttributeValues: { ":n": { N: "1" } } })), TransactionConflictException);
const failed = await rejects(send(new PutItemCommand({
  TableName, Item: Key("lost"), ConditionExpression: "attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
})), ConditionalCheckFailedException);
assert.deepEqual(failed.Item, Key("lost"));
const cancelled = await rejects(send(new TransactWriteItemsCommand({ TransactItems: [
  { Put: { TableName, Item: Key("other") } }, { Put: { TableName, Item: Key("cancelled") } },
] })), TransactionCanceledException);
assert.deepEqual(cancelled.CancellationReasons.map((r) => r.Code), ["None", "ProvisionedThroughputExceeded"]);
assert.ok(cancelled.CancellationReasons[1].Message.length > 0);
assert.ok(ThrottlingException);

// Batches leave over what they do not do; it can be sent as it is
const written = await send(new BatchWriteItemCommand({ RequestItems: { [TableName]: ["left-over", "left-out"].map((pk) => ({ PutRequest: { Item: Key(pk) } })) } }));
assert.deepEqual(written.UnprocessedItems, { [TableName]: [{ PutRequest: { Item: Key("left-over") } }] });
assert.deepEqual((await send(new BatchWriteItemCommand({ RequestItems: written.UnprocessedItems }))).UnprocessedItems, {});
const read = await send(new BatchGetItemCommand({ RequestItems: { [TableName]: { ConsistentRead: true, Keys: ["left-over", "left-out"].map(Key) } } }));
assert.deepEqual(read.UnprocessedKeys, { [TableName]: { ConsistentRead: true, Keys: [Key("left-out")] } });
assert.deepEqual((await send(new BatchGetItemCommand({ RequestItems: read.UnprocessedKeys }))).Responses[TableName], [Key("left-out")]);
await send(new DeleteTableCommand({ TableName }));
patient.destroy();
client.destroy();
