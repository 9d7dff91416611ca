import { describeMachine } from './machine.ts';
import { type BenchOptions, parseBenchOptions } from './options.ts';
import { isMet } from './report/figure.ts';
import { writePerformancePage } from './report/performance-page.ts';
import { formatTable } from './report/table.ts';
import { measureBulk } from './scenarios/bulk.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureCrashes } from './scenarios/crash-rounds.ts';
import { measureFanOut } from './scenarios/fan-out.ts';
import { measureIdentity } from './scenarios/identity.ts';
import { measureIdleMemory } from './scenarios/idle-memory.ts';
import { measureRest } from './scenarios/rest.ts';
import { measureRules } from './scenarios/rules.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { measureSize } from './scenarios/size.ts';
import { measureWrites } from './scenarios/writes.ts';
import { HEARTH, standIn } from './server/command.ts';

const SCENARIOS = {
  writes: measureWrites,
  'fan-out': measureFanOut,
  'idle-memory': measureIdleMemory,
  rest: measureRest,
  rules: measureRules,
  identity: measureIdentity,
  bulk: measureBulk,
  size: measureSize,
  console: measureConsole,
  crash: measureCrashes,
} as const satisfies Record<string, Scenario>;

/** Exit code 0: measured; 1: a target is missed or a server answered wrongly; 2: a bad option. */
async function runBench(options: BenchOptions): Promise<number> {
  const machine = `${describeMachine()}, ${new Date().toISOString().slice(0, 10)}`;
  const tables: string[] = [];
  let isMissed = false;
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    if (!options.scenarios.includes(name)) continue;
    const figures = await scenario({
      subject: options.standIn ? standIn('none') : HEARTH,
      quick: options.quick,
      rounds: options.rounds,
      seed: options.seed,
      note: (line) => console.error(line),
    });
    const table = formatTable(figures);
    tables.push(`${name}\n${table}`);
    isMissed ||= figures.some((figure) => isMet(figure) === false);
    if (options.write) writePerformancePage(name, `${machine}\n\n${table}`);
  }
  console.log(
    `${machine}${options.quick ? ' (quick: shows that it works, not how fast)' : ''}\n\n${tables.join('\n\n')}`,
  );
  return isMissed && !options.quick ? 1 : 0;
}

function parseOrExit(): BenchOptions {
  try {
    return parseBenchOptions(process.argv.slice(2), Object.keys(SCENARIOS));
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exit(2);
  }
}

process.exitCode = await runBench(parseOrExit());
