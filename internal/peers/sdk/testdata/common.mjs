// What the scripts share: run.mjs URL SCRIPT… runs scripts one after another on the server whose address is given.
import strict from "node:assert/strict";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";

// Beside address, Region and credentials nothing is configured. A failure is one, not the first of three.
export const settings = {
  endpoint: process.argv[2], region: "us-east-1", maxAttempts: 1,
  credentials: { accessKeyId: "peers", secretAccessKey: "peers" },
};
export const client = new DynamoDBClient(settings);
export const streams = new DynamoDBStreamsClient(settings);
export const send = (command) => client.send(command);
export const wait = { client, maxWaitTime: 30, minDelay: 0.01, maxDelay: 0.05 };
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// assert is that of Node.js, and counts.
let steps = 0;
export const asserted = () => steps;
export const assert = new Proxy(strict, { get: (target, name) => (...args) => { steps++; return target[name](...args); } });

// rejects is what a promise is rejected with, which has to be of a type.
export const rejects = async (promise, type) => {
  const error = await promise.then(() => undefined, (e) => e);
  assert.ok(error instanceof type, `${error} is not ${type.name}`);
  return error;
};

export const key = (...names) => names.map((AttributeName, i) => ({ AttributeName, KeyType: i ? "RANGE" : "HASH" }));
export const strings = (...names) => names.map((AttributeName) => ({ AttributeName, AttributeType: "S" }));

// active waits for a table and its indexes, which the SDK's waiter does not look at.
export const active = async (TableName) => {
  for (let i = 0; i < 500; i++) {
    const { Table } = await send(new DescribeTableCommand({ TableName }));
    if (Table.TableStatus === "ACTIVE" && (Table.GlobalSecondaryIndexes ?? []).every((x) => x.IndexStatus === "ACTIVE")) return Table;
    await sleep(10);
  }
  throw new Error(`${TableName} does not become active`);
};

// eventually asks until something holds.
export const eventually = async (what, holds) => {
  for (let i = 0; i < 500; i++) {
    const got = await what();
    if (holds(got)) return got;
    await sleep(10);
  }
  throw new Error(`never: ${holds}`);
};

export const collect = async (pages) => {
  const items = [];
  for await (const page of pages) items.push(...page.Items);
  return items;
};
