import { parseArgs } from 'node:util';
import { measureDelays } from './delays/measure.ts';
import { runMalformed } from './malformed/run-malformed.ts';
import { raisePriority } from './run/priority.ts';
import { runScenario, type ScenarioResult } from './run/run-scenario.ts';
import { writePage } from './scenarios/document.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { SCENARIOS } from './scenarios/table.ts';

/** Runs a scenario, and prints its result. Returns whether the result is as expected. */
async function runOne(scenario: Scenario, maxRuns: number): Promise<boolean> {
  const result = await runScenario(scenario, { maxRuns });
  console.log(formatResult(scenario, result));
  if (scenario.weakness !== undefined) console.log(`       known: ${scenario.weakness}`);
  return result.kind !== 'failed' || scenario.weakness !== undefined;
}

/**
 * Runs a scenario against a server without the limit that the scenario tests. Returns whether the scenario noticed
 * that. On a busy machine, a proof that relies only on durations says little.
 */
async function prove(scenario: Scenario, maxRuns: number): Promise<boolean> {
  if (scenario.proof === undefined) return true;
  const result = await runScenario(scenario, { without: scenario.proof, maxRuns });
  console.log(`${conclusionOf(result)}: without the limit: ${formatResult(scenario, result)}`);
  return result.kind !== 'held';
}

function conclusionOf(result: ScenarioResult): string {
  if (result.kind !== 'failed') return 'NOT PROVEN';
  return result.isOnlyTime ? 'proven by time' : 'proven';
}

function formatResult({ name }: Scenario, result: ScenarioResult): string {
  switch (result.kind) {
    case 'held':
      return `held ${name}: ${result.figures}`;
    case 'failed':
      return [`FAILED ${name}: ${result.figures}`, ...result.problems].join('\n       ');
    case 'impossible':
      return `skipped ${name}: this user may not add addresses to the loopback interface`;
    default:
      return result satisfies never;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    proof: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    table: { type: 'boolean', default: false },
  },
});
if (values.table) {
  writePage(SCENARIOS);
  process.exit();
}
// By default, a signal would leave the server running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const [command, ...words] = positionals;
if (command === 'delays') await runDelays(words);
else if (command === 'malformed') await runInputs(Number(values.inputs), Number(values.seed), words);
else await runScenarios(Number(values.runs));

/** Sends malformed inputs of some kinds, or of all. */
async function runInputs(inputs: number, seed: number, kinds: readonly string[]): Promise<void> {
  const chosen = kinds.length === 0 ? {} : { kinds };
  const result = await runMalformed({ inputs, seed, ...chosen, progress: (line) => console.error(line) });
  const statuses = Object.entries(result.statuses).map(([status, count]) => `${status} ${count}`);
  const growthMiB = (result.growthBytes / 2 ** 20).toFixed(0);
  console.log(`${result.inputs} inputs of seed ${seed}, memory +${growthMiB} MiB, ${statuses.join(', ')}`);
  for (const finding of result.findings) console.log(`FOUND ${finding}`);
  if (result.findings.length > 0) process.exitCode = 1;
}

/** Prints the longest delay of the event loop for each long request, or for those whose names contain one of the words. */
async function runDelays(chosen: readonly string[]): Promise<void> {
  for await (const { name, longestMs, status } of measureDelays(chosen)) {
    const delays = longestMs.map((ms) => ms.toFixed(0).padStart(6)).join('');
    console.log(`${name.padEnd(40)}${delays} ms  ${status}`);
  }
}

async function runScenarios(maxRuns: number): Promise<void> {
  raisePriority();
  const chosen = SCENARIOS.filter(
    ({ name, isShort }) =>
      (!values.short || isShort === true) &&
      (positionals.length === 0 ||
        positionals.some((word) => name.toLowerCase().includes(word.toLowerCase()))),
  );
  if (chosen.length === 0) {
    console.error(`No scenario has one of these words in its name: ${positionals.join(', ')}`);
    process.exitCode = 2;
  }
  for (const scenario of chosen) {
    const isAsExpected = values.proof ? await prove(scenario, maxRuns) : await runOne(scenario, maxRuns);
    if (!isAsExpected) process.exitCode = 1;
  }
}
