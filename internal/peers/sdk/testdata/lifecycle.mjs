// The life of a table and its items, with the waiters, pages and the document client of the SDK. With the word "wait" after
// the scripts' names items are seen expiring.
import {
  BatchGetItemCommand, BatchWriteItemCommand, ConditionalCheckFailedException, CreateTableCommand, DeleteItemCommand,
  DeleteTableCommand, DescribeTableCommand, DescribeTimeToLiveCommand, GetItemCommand,
  ListTagsOfResourceCommand, ListTablesCommand, PutItemCommand, QueryCommand, ResourceInUseException,
  ResourceNotFoundException, TagResourceCommand, TransactGetItemsCommand, TransactWriteItemsCommand,
  TransactionCanceledException, UntagResourceCommand, UpdateItemCommand, UpdateTableCommand, UpdateTimeToLiveCommand,
  paginateListTables, paginateQuery, paginateScan, waitUntilTableExists, waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, TransactWriteCommand, UpdateCommand, paginateQuery as paginateDocuments,
} from "@aws-sdk/lib-dynamodb";
import { active as ready, assert, client, collect, key, send, sleep, wait } from "./common.mjs";

const TableName = "players";
const player = (team, n) => ({
  team: { S: `t${team}` }, player: { S: `p${String(n).padStart(3, "0")}` }, level: { S: n % 2 ? "odd" : "even" },
  score: { N: String(n * 5) },
});
const active = () => ready(TableName);

// Tables
const create = new CreateTableCommand({
  TableName, BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [["team", "S"], ["player", "S"], ["level", "S"], ["score", "N"]]
    .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  KeySchema: key("team", "player"),
  GlobalSecondaryIndexes: [{
    IndexName: "ranking", Projection: { ProjectionType: "KEYS_ONLY" },
    KeySchema: [{ AttributeName: "team", KeyType: "HASH" }, { AttributeName: "level", KeyType: "HASH" }, { AttributeName: "score", KeyType: "RANGE" }],
  }],
});
await send(create);
await waitUntilTableExists(wait, { TableName });
let table = await active();
assert.equal(table.GlobalSecondaryIndexes[0].KeySchema.length, 3);
assert.ok(Math.abs(Date.now() - table.CreationDateTime) < 60_000);
await assert.rejects(send(create), ResourceInUseException);

// Items: every type, there and back
const whole = {
  ...player(0, 0), text: { S: "ä\n\"\\\u2028😀" }, exact: { N: "12345678901234567890.123456789012345678" },
  bytes: { B: new Uint8Array([0, 255]) }, yes: { BOOL: true }, nothing: { NULL: true }, ss: { SS: ["a"] }, ns: { NS: ["3"] },
  bs: { BS: [new Uint8Array([1])] }, list: { L: [{ S: "" }, { N: "1" }] }, map: { M: { deep: { M: { x: { N: "1" } } } } },
};
const Key = { team: whole.team, player: whole.player };
await send(new PutItemCommand({ TableName, Item: whole }));
const got = await send(new GetItemCommand({ TableName, Key, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" }));
assert.deepEqual(got.Item, whole);
assert.equal(got.ConsumedCapacity.CapacityUnits, 1);
const updated = await send(new UpdateItemCommand({
  TableName, Key, ReturnValues: "UPDATED_NEW", UpdateExpression: "SET #m.deep.x = #m.deep.x + :one ADD ss :ss REMOVE bs",
  ConditionExpression: "attribute_exists(bs)", ExpressionAttributeNames: { "#m": "map" },
  ExpressionAttributeValues: { ":one": { N: "1" }, ":ss": { SS: ["b"] } },
}));
assert.equal(updated.Attributes.map.M.deep.M.x.N, "2");
assert.deepEqual([...updated.Attributes.ss.SS].sort(), ["a", "b"]);
await assert.rejects(send(new DeleteItemCommand({
  TableName, Key, ConditionExpression: "attribute_exists(bs)", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
})), (e) => e instanceof ConditionalCheckFailedException && e.message === "The conditional request failed" && e.Item.text.S === whole.text.S);
await assert.rejects(send(new GetItemCommand({ TableName, Key: { team: { N: "1" } } })),
  { name: "ValidationException", message: "The provided key element does not match the schema" });
assert.deepEqual((await send(new DeleteItemCommand({ TableName, Key, ReturnValues: "ALL_OLD" }))).Attributes.exact, whole.exact);
assert.equal((await send(new GetItemCommand({ TableName, Key }))).Item, undefined);

// Batches, pages
for (let from = 0; from < 50; from += 25) {
  const written = await send(new BatchWriteItemCommand({
    RequestItems: { [TableName]: Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: player((from + i) % 2, from + i) } })) },
  }));
  assert.deepEqual(written.UnprocessedItems, {});
}
const batch = await send(new BatchGetItemCommand({
  RequestItems: { [TableName]: { Keys: [0, 1, 99].map((n) => ({ team: { S: `t${n % 2}` }, player: player(0, n).player })) } },
}));
assert.equal(batch.Responses[TableName].length, 2);
const team = await collect(paginateQuery({ client, pageSize: 4 }, {
  TableName, KeyConditionExpression: "team = :t AND begins_with(player, :p)", ScanIndexForward: false,
  ExpressionAttributeValues: { ":t": { S: "t1" }, ":p": { S: "p0" } },
}));
assert.deepEqual(team.map((i) => i.player.S), Array.from({ length: 25 }, (_, i) => player(1, 49 - 2 * i).player.S));
const ranking = await collect(paginateQuery({ client, pageSize: 3 }, {
  TableName, IndexName: "ranking", KeyConditionExpression: "team = :t AND #l = :l AND score BETWEEN :a AND :b",
  ExpressionAttributeNames: { "#l": "level" },
  ExpressionAttributeValues: { ":t": { S: "t0" }, ":l": { S: "even" }, ":a": { N: "50" }, ":b": { N: "150.0" } },
}));
assert.deepEqual(ranking.map((i) => Number(i.score.N)), [50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150]);
const scanned = await Promise.all([0, 1].map((Segment) => collect(paginateScan({ client, pageSize: 6 }, {
  TableName, Segment, TotalSegments: 2, FilterExpression: "score < :s", ExpressionAttributeValues: { ":s": { N: "100" } },
}))));
assert.equal(new Set(scanned.flat().map((i) => i.player.S)).size, 20);

// Transactions
const a = { team: { S: "t0" }, player: { S: "p000" } }, absent = { team: { S: "t0" }, player: { S: "absent" } };
const transaction = {
  ClientRequestToken: "raise-once", TransactItems: [
    { Update: { TableName, Key: a, UpdateExpression: "SET score = score + :n", ExpressionAttributeValues: { ":n": { N: "7" } } } },
    { ConditionCheck: { TableName, Key: absent, ConditionExpression: "attribute_not_exists(team)" } },
  ],
};
await send(new TransactWriteItemsCommand(transaction));
await send(new TransactWriteItemsCommand(transaction));
const read = await send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key: a } }, { Get: { TableName, Key: absent } }] }));
assert.equal(read.Responses[0].Item.score.N, "7");
assert.equal(read.Responses[1].Item, undefined);
await assert.rejects(send(new TransactWriteItemsCommand({
  TransactItems: [
    { Put: { TableName, Item: absent } },
    { Delete: { TableName, Key: a, ConditionExpression: "score = :n", ExpressionAttributeValues: { ":n": { N: "0" } }, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } },
  ],
})), (e) => e instanceof TransactionCanceledException
  && e.CancellationReasons.map((r) => r.Code).join() === "None,ConditionalCheckFailed" && e.CancellationReasons[1].Item.score.N === "7");
assert.equal((await send(new GetItemCommand({ TableName, Key: absent }))).Item, undefined);

// The document client: plain values there and back
const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
const plain = {
  team: "docs", player: "p1", level: "odd", score: 1.5, on: true, none: null, bytes: new Uint8Array([1, 2]),
  names: new Set(["a", "b"]), digits: new Set([1, 2]), list: ["", 0, { deep: [true] }], map: { empty: {}, text: "ä" },
};
await documents.send(new PutCommand({ TableName, Item: { ...plain, absent: undefined } }));
const docKey = { team: "docs", player: "p1" };
assert.deepEqual((await documents.send(new GetCommand({ TableName, Key: docKey }))).Item, plain);
const changed = await documents.send(new UpdateCommand({
  TableName, Key: docKey, UpdateExpression: "SET score = score + :n, #map.#t = :t REMOVE #list[0] DELETE #names :names",
  ExpressionAttributeNames: { "#map": "map", "#t": "text", "#list": "list", "#names": "names" },
  ExpressionAttributeValues: { ":n": 0.25, ":t": "ö", ":names": new Set(["b"]) }, ReturnValues: "ALL_NEW",
}));
assert.deepEqual(changed.Attributes, {
  ...plain, score: 1.75, names: new Set(["a"]), list: plain.list.slice(1), map: { empty: {}, text: "ö" },
});
await documents.send(new BatchWriteCommand({
  RequestItems: { [TableName]: [2, 3, 4].map((n) => ({ PutRequest: { Item: { team: "docs", player: `p${n}`, score: n } } })) },
}));
await assert.rejects(documents.send(new TransactWriteCommand({
  TransactItems: [{ Put: { TableName, Item: { ...docKey, score: 0 }, ConditionExpression: "attribute_not_exists(team)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" } }],
})), (e) => e instanceof TransactionCanceledException && e.CancellationReasons[0].Item.score.N === "1.75");
const docs = await collect(paginateDocuments({ client: documents, pageSize: 3 }, {
  TableName, KeyConditionExpression: "team = :t", FilterExpression: "score > :s", ExpressionAttributeValues: { ":t": "docs", ":s": 2 },
}));
assert.deepEqual(docs.map((d) => d.player), ["p3", "p4"]);
for (const player of ["p1", "p2", "p3", "p4"]) await send(new DeleteItemCommand({ TableName, Key: { team: { S: "docs" }, player: { S: player } } }));

// Indexes come and go
await send(new UpdateTableCommand({
  TableName, AttributeDefinitions: [{ AttributeName: "level", AttributeType: "S" }, { AttributeName: "player", AttributeType: "S" }],
  GlobalSecondaryIndexUpdates: [{ Create: { IndexName: "levels", KeySchema: key("level", "player"), Projection: { ProjectionType: "ALL" } } }],
}));
await active();
assert.equal((await send(new QueryCommand({
  TableName, IndexName: "levels", Select: "COUNT", KeyConditionExpression: "#l = :l",
  ExpressionAttributeNames: { "#l": "level" }, ExpressionAttributeValues: { ":l": { S: "odd" } },
}))).Count, 25);
await send(new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "ranking" } }] }));
for (let i = 0; i < 500 && (table = await active()).GlobalSecondaryIndexes.length > 1; i++) await sleep(10);
assert.deepEqual(table.GlobalSecondaryIndexes.map((x) => x.IndexName), ["levels"]);

// Expiry
await send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: "until", Enabled: true } }));
assert.deepEqual((await send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription, { AttributeName: "until", TimeToLiveStatus: "ENABLED" });
await send(new PutItemCommand({ TableName, Item: { ...absent, until: { N: String(Math.floor(Date.now() / 1000) - 60) } } }));
if (process.argv.includes("wait")) {
  for (let i = 0; i < 500 && (await send(new GetItemCommand({ TableName, Key: absent }))).Item; i++) await sleep(10);
  assert.equal((await send(new GetItemCommand({ TableName, Key: absent }))).Item, undefined);
}

// Tags, lists, the end
const ResourceArn = table.TableArn;
await send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: "a", Value: "1" }, { Key: "b", Value: "2" }] }));
await send(new UntagResourceCommand({ ResourceArn, TagKeys: ["a"] }));
assert.deepEqual((await send(new ListTagsOfResourceCommand({ ResourceArn }))).Tags, [{ Key: "b", Value: "2" }]);
const names = [];
for await (const page of paginateListTables({ client, pageSize: 1 }, {})) names.push(...page.TableNames);
assert.deepEqual(names, [TableName]);
assert.equal((await send(new ListTablesCommand({}))).LastEvaluatedTableName, undefined);
await send(new DeleteTableCommand({ TableName }));
await waitUntilTableNotExists(wait, { TableName });
await assert.rejects(send(new DescribeTableCommand({ TableName })), ResourceNotFoundException);
