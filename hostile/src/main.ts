import { parseArgs } from 'node:util';
import { raisePriority } from './run/priority.ts';
import { runScenario, type ScenarioResult } from './run/run-scenario.ts';
import { writePage } from './scenarios/document.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { SCENARIOS } from './scenarios/table.ts';

/** Runs a scenario, and prints its result. Returns whether the result is as expected. */
async function runOne(scenario: Scenario): Promise<boolean> {
  const result = await runScenario(scenario);
  console.log(formatResult(scenario, result));
  return result.kind !== 'failed';
}

/** Runs a scenario against a server without the limit that it is about. Returns whether the scenario noticed. */
async function prove(scenario: Scenario): Promise<boolean> {
  if (scenario.proof === undefined) return true;
  const result = await runScenario(scenario, { without: scenario.proof });
  const sentence = result.kind === 'failed' ? 'proven' : 'NOT PROVEN';
  console.log(`${sentence}: without the limit: ${formatResult(scenario, result)}`);
  return result.kind !== 'held';
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
    table: { type: 'boolean', default: false },
  },
});
if (values.table) {
  writePage(SCENARIOS);
  process.exit();
}
raisePriority();
const chosen = SCENARIOS.filter(
  ({ name, isShort }) =>
    (!values.short || isShort === true) &&
    (positionals.length === 0 || positionals.some((word) => name.includes(word))),
);
if (chosen.length === 0) {
  console.error(`No scenario has one of these words in its name: ${positionals.join(', ')}`);
  process.exitCode = 2;
}
for (const scenario of chosen) {
  const isAsExpected = values.proof ? await prove(scenario) : await runOne(scenario);
  if (!isAsExpected) process.exitCode = 1;
}
