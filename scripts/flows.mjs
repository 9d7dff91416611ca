// `npm run flows`: for each flow in ARCHITECTURE.md, prints the number of files that a reader opens, and the number of
// files whose code runs. `npm run flows -- --all` also lists the other files whose code runs.
import { readFlows, readMeasuredFlows } from './read-flows.mjs';

const isFull = process.argv.includes('--all');
const measured = await readMeasuredFlows();
for (const { name, files } of await readFlows()) {
  const executed = measured.get(name);
  const detail = executed === undefined ? 'partly in the browser' : `code of ${executed.length} files runs`;
  process.stdout.write(`${name}: ${files.length} files to read, ${detail}\n`);
  if (!isFull || executed === undefined) continue;
  for (const path of executed) if (!files.includes(path)) process.stdout.write(`  also runs: ${path}\n`);
}
