// PartiQL with the client and the document client: one by one, page by page, in batches and transactions.
import {
  BatchExecuteStatementCommand, ConditionalCheckFailedException, CreateTableCommand, DeleteTableCommand, DuplicateItemException,
  ExecuteStatementCommand, ExecuteTransactionCommand, IdempotentParameterMismatchException, ResourceNotFoundException,
  TransactionCanceledException, waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand as BatchExecuteStatement, DynamoDBDocumentClient, ExecuteStatementCommand as ExecuteStatement,
  ExecuteTransactionCommand as ExecuteTransaction, NumberValue,
} from "@aws-sdk/lib-dynamodb";
import { assert, client, key, rejects, send, wait } from "./common.mjs";

const TableName = "statements";
await send(new CreateTableCommand({
  TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: key("shelf", "place"),
  AttributeDefinitions: [["shelf", "S"], ["place", "N"], ["author", "S"]].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  GlobalSecondaryIndexes: [{ IndexName: "by-author", KeySchema: key("author", "place"), Projection: { ProjectionType: "ALL" } }],
}));
await waitUntilTableExists(wait, { TableName });

// One by one
const run = (Statement, Parameters, more = {}) => send(new ExecuteStatementCommand({ Statement, Parameters, ...more }));
for (let place = 1; place <= 6; place++) {
  const { Items } = await run(`INSERT INTO "${TableName}" VALUE {'shelf': ?, 'place': ?, 'author': ?, 'title': 'T', 'tags': <<'a', 'b'>>, 'deep': {'l': [1, null, true]}}`,
    [{ S: "s1" }, { N: String(place) }, { S: place % 2 ? "ann" : "ben" }]);
  assert.deepEqual(Items, []);
}
const read = await run(`SELECT * FROM "${TableName}" WHERE shelf = 's1' AND place = 1`, undefined, { ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" });
assert.deepEqual(read.Items[0].deep.M.l, { L: [{ N: "1" }, { NULL: true }, { BOOL: true }] });
assert.deepEqual([...read.Items[0].tags.SS].sort(), ["a", "b"]);
assert.equal(read.ConsumedCapacity.CapacityUnits, 1);
const updated = await run(`UPDATE "${TableName}" SET title = ? SET deep.n = 2 REMOVE tags WHERE shelf = 's1' AND place = 1 RETURNING ALL OLD *`, [{ S: "new" }]);
assert.equal(updated.Items[0].title.S, "T");
assert.deepEqual((await run(`DELETE FROM "${TableName}" WHERE shelf = 's1' AND place = 6 RETURNING ALL OLD *`)).Items[0].place, { N: "6" });

// What fails is an error of its own type
await rejects(run(`INSERT INTO "${TableName}" VALUE {'shelf': 's1', 'place': 1}`), DuplicateItemException);
await rejects(run("SELECT * FROM absent WHERE shelf = 's1'"), ResourceNotFoundException);
const failed = await rejects(run(`UPDATE "${TableName}" SET title = 'x' WHERE shelf = 's1' AND place = 2 AND title = 'no'`, undefined, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
  ConditionalCheckFailedException);
assert.equal(failed.Item.title.S, "T");
await assert.rejects(run("SELECT FROM WHERE"), { name: "ValidationException", message: /^Statement wasn't well formed, can't be processed: / });

// Pages
const pages = async (execute, input) => {
  const items = [];
  for (let NextToken, n = 0; ; n++) {
    const page = await execute({ ...input, NextToken });
    items.push(...page.Items);
    if (!(NextToken = page.NextToken)) return [items, n + 1];
  }
};
const [ordered, count] = await pages((in_) => send(new ExecuteStatementCommand(in_)), {
  Statement: `SELECT place FROM "${TableName}"."by-author" WHERE author = 'ann' ORDER BY place DESC`, Limit: 1,
});
assert.deepEqual(ordered.map((i) => i.place.N), ["5", "3", "1"]);
assert.ok(count >= 3);

// The document client: plain values there and back, numbers that JavaScript's do not hold too
const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: NumberValue.from } });
const big = "12345678901234567890.123456789012345678";
await documents.send(new ExecuteStatement({
  Statement: `INSERT INTO "${TableName}" VALUE {'shelf': ?, 'place': ?, 'bytes': ?, 'set': ?, 'nested': ?}`,
  Parameters: ["docs", NumberValue.from(big), new Uint8Array([1, 255]), new Set(["a"]), { list: [1, "x", false, null] }],
}));
const [docs] = await pages((in_) => documents.send(new ExecuteStatement(in_)), { Statement: `SELECT * FROM "${TableName}" WHERE shelf = ?`, Parameters: ["docs"] });
assert.equal(docs[0].place.toString(), big);
assert.deepEqual([docs[0].bytes, docs[0].set, docs[0].nested.list.slice(1)], [new Uint8Array([1, 255]), new Set(["a"]), ["x", false, null]]);

// Batches: each statement with its own answer or error
const batch = await send(new BatchExecuteStatementCommand({ ReturnConsumedCapacity: "TOTAL", Statements: [1, 99].map((n) => (
  { Statement: `SELECT title FROM "${TableName}" WHERE shelf = 's1' AND place = ?`, Parameters: [{ N: String(n) }] })) }));
assert.deepEqual(batch.Responses.map((r) => r.Item?.title.S), ["new", undefined]);
const mixed = await documents.send(new BatchExecuteStatement({ Statements: [
  { Statement: `UPDATE "${TableName}" SET n = ? WHERE shelf = 's1' AND place = 2 RETURNING MODIFIED NEW *`, Parameters: [7] },
  { Statement: `INSERT INTO "${TableName}" VALUE {'shelf': 's1', 'place': 1}` },
  { Statement: `DELETE FROM "${TableName}" WHERE shelf = 's1' AND place = 3 AND title = 'no'`, ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
] }));
assert.deepEqual(mixed.Responses.map((r) => r.Error?.Code), [undefined, "DuplicateItem", "ConditionalCheckFailed"]);
assert.equal(mixed.Responses[0].Item.n.toString(), "7");

// Transactions
const transfer = (token) => new ExecuteTransactionCommand({ ClientRequestToken: token, TransactStatements: [
  { Statement: `UPDATE "${TableName}" SET n = n + 1 WHERE shelf = 's1' AND place = 2` },
  { Statement: `EXISTS(SELECT * FROM "${TableName}" WHERE shelf = 's1' AND place = 3 AND title = ?)`, Parameters: [{ S: "T" }] },
] });
await send(transfer("once"));
await send(transfer("once"));
const both = await documents.send(new ExecuteTransaction({ TransactStatements: [2, 98].map((n) => (
  { Statement: `SELECT n FROM "${TableName}" WHERE shelf = 's1' AND place = ?`, Parameters: [n] })) }));
assert.deepEqual(both.Responses.map((r) => r.Item?.n.toString()), ["8", undefined]);
const other = transfer("once");
other.input.TransactStatements.pop();
await rejects(send(other), IdempotentParameterMismatchException);
const cancelled = await rejects(send(new ExecuteTransactionCommand({ TransactStatements: [
  { Statement: `DELETE FROM "${TableName}" WHERE shelf = 's1' AND place = 2` },
  { Statement: `UPDATE "${TableName}" SET n = 0 WHERE shelf = 's1' AND place = 3 AND title = 'no'`, ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
] })), TransactionCanceledException);
assert.deepEqual(cancelled.CancellationReasons.map((r) => r.Code), ["None", "ConditionalCheckFailed"]);
assert.equal(cancelled.CancellationReasons[1].Item.place.N, "3");
await send(new DeleteTableCommand({ TableName }));
