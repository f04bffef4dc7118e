// run.mjs URL SCRIPT… runs scripts one after another on the server whose address is given. The last line printed says that
// all came to their end; a script alone can end early without an error.
import { asserted } from "./common.mjs";

for (const script of process.argv.slice(3).filter((word) => word !== "wait")) {
  const before = asserted();
  await import(`./${script}.mjs`);
  console.log(`${script}: ${asserted() - before} assertions`);
}
console.log("to the end");
