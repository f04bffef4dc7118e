// Streams with their own client: every view type, iterators of every kind, what is left of a stream that is off.
import { CreateTableCommand, DeleteItemCommand, DeleteTableCommand, PutItemCommand, UpdateItemCommand, UpdateTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand, ResourceNotFoundException } from "@aws-sdk/client-dynamodb-streams";
import { active, assert, eventually, key, rejects, send, streams, strings, wait } from "./common.mjs";

const TableName = "changes", id = { S: "a" };
await send(new CreateTableCommand({ TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: key("id"), AttributeDefinitions: strings("id") }));
await waitUntilTableExists(wait, { TableName });
const ask = (command) => streams.send(command);
const iterator = async (StreamArn, ShardId, input) => (await ask(new GetShardIteratorCommand({ StreamArn, ShardId, ...input }))).ShardIterator;

// records reads from an iterator to where nothing has come yet; the last element says whether the shard has ended there.
const records = async (ShardIterator, Limit) => {
  const all = [];
  for (let next = ShardIterator; ;) {
    const page = await ask(new GetRecordsCommand({ ShardIterator: next, Limit }));
    all.push(...page.Records);
    next = page.NextShardIterator;
    if (!next || page.Records.length === 0) return [all, !next];
  }
};

const images = { KEYS_ONLY: [false, false], NEW_IMAGE: [true, false], OLD_IMAGE: [false, true], NEW_AND_OLD_IMAGES: [true, true] };
for (const [StreamViewType, [news, olds]] of Object.entries(images)) {
  await send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: true, StreamViewType } }));
  const { LatestStreamArn: StreamArn, LatestStreamLabel } = await active(TableName);
  assert.ok(StreamArn.endsWith(`/stream/${LatestStreamLabel}`));
  const began = new Date(Date.now() - 1000);
  await send(new PutItemCommand({ TableName, Item: { id, n: { N: "1" }, set: { SS: ["x"] } } }));
  await send(new UpdateItemCommand({ TableName, Key: { id }, UpdateExpression: "SET n = n + :n, b = :b", ExpressionAttributeValues: { ":n": { N: "1" }, ":b": { B: new Uint8Array([0, 255]) } } }));
  await send(new UpdateItemCommand({ TableName, Key: { id }, UpdateExpression: "SET n = n" })); // changes nothing: no record
  await send(new DeleteItemCommand({ TableName, Key: { id } }));

  const { StreamDescription: stream } = await ask(new DescribeStreamCommand({ StreamArn, Limit: 1 }));
  assert.deepEqual([stream.StreamStatus, stream.StreamViewType, stream.TableName, stream.KeySchema], ["ENABLED", StreamViewType, TableName, key("id")]);
  const { ShardId } = stream.Shards[0];
  const [all] = await records(await iterator(StreamArn, ShardId, { ShardIteratorType: "TRIM_HORIZON" }), 2);
  assert.deepEqual(all.map((r) => r.eventName), ["INSERT", "MODIFY", "REMOVE"]);
  assert.deepEqual(all.map((r) => [!!r.dynamodb.NewImage, !!r.dynamodb.OldImage]), [[news, false], [news, olds], [false, olds]]);
  for (const r of all) {
    assert.deepEqual([r.dynamodb.Keys, r.dynamodb.StreamViewType, r.eventSource, r.eventVersion, r.awsRegion], [{ id }, StreamViewType, "aws:dynamodb", "1.1", "us-east-1"]);
    assert.ok(Math.abs(Date.now() - r.dynamodb.ApproximateCreationDateTime) < 60_000 && r.dynamodb.SizeBytes > 0 && r.eventID.length === 32);
  }
  assert.ok(BigInt(all[0].dynamodb.SequenceNumber) < BigInt(all[1].dynamodb.SequenceNumber));
  if (news) assert.deepEqual(all[1].dynamodb.NewImage, { id, n: { N: "2" }, set: { SS: ["x"] }, b: { B: new Uint8Array([0, 255]) } });

  const { SequenceNumber } = all[1].dynamodb;
  for (const [input, want] of [
    [{ ShardIteratorType: "AT_SEQUENCE_NUMBER", SequenceNumber }, 2], [{ ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber }, 1],
    [{ ShardIteratorType: "LATEST" }, 0],
  ]) assert.equal((await records(await iterator(StreamArn, ShardId, input)))[0].length, want);
  assert.ok(began < all[0].dynamodb.ApproximateCreationDateTime);

  await send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
  await active(TableName);
  const off = await eventually(() => ask(new DescribeStreamCommand({ StreamArn })), (d) => d.StreamDescription.StreamStatus === "DISABLED");
  assert.equal(off.StreamDescription.Shards[0].SequenceNumberRange.EndingSequenceNumber, all[2].dynamodb.SequenceNumber);
  assert.deepEqual((await records(await iterator(StreamArn, ShardId, { ShardIteratorType: "TRIM_HORIZON" }))).map((x) => x.length ?? x), [3, true]);
}

const listed = [];
for (let from; ;) {
  const page = await ask(new ListStreamsCommand({ TableName, Limit: 3, ExclusiveStartStreamArn: from }));
  listed.push(...page.Streams);
  if (!(from = page.LastEvaluatedStreamArn)) break;
}
assert.equal(new Set(listed.map((s) => s.StreamArn)).size, 4);
await rejects(ask(new DescribeStreamCommand({ StreamArn: `${listed[0].StreamArn}0` })), ResourceNotFoundException);
await assert.rejects(ask(new GetRecordsCommand({ ShardIterator: "nonsense" })), { name: "ValidationException" });
await send(new DeleteTableCommand({ TableName }));
