import { availableParallelism, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { formatTable, writePerformancePage } from './report.ts';
import { measureAuth } from './scenarios/auth.ts';
import { measureBulk } from './scenarios/bulk.ts';
import { measureCaptcha } from './scenarios/captcha.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureCrashes } from './scenarios/crash.ts';
import { measureFanOut } from './scenarios/fan-out.ts';
import { measureFaults } from './scenarios/faults.ts';
import { measureIdleMemory } from './scenarios/idle-memory.ts';
import { measureRest } from './scenarios/rest.ts';
import { measureRules } from './scenarios/rules.ts';
import { isMet, type Scenario } from './scenarios/scenario.ts';
import { measureSignInMethods } from './scenarios/sign-in-methods.ts';
import { measureSize } from './scenarios/size.ts';
import { measureWrites } from './scenarios/writes.ts';
import { fakeServer, HEARTH } from './server/command.ts';

/** Returns one line about the machine, deliberately without its name. */
function describeMachine(): string {
  const memoryGb = (totalmem() / 2 ** 30).toFixed(1);
  return `${availableParallelism()} cores, ${memoryGb} GiB memory, ${process.arch}, ${type()} ${release()}, Node ${process.version}`;
}

/** The parsed command line. */
export type BenchOptions = {
  readonly scenarios: readonly string[];
  readonly quick: boolean;
  readonly write: boolean;
  readonly usesFakeServer: boolean;
  readonly rounds: number;
  readonly seed: number;
};

/**
 * Parses the command line. An empty list of scenarios means all. Throws an error with a sentence for the user
 * if an argument is invalid.
 */
function parseBenchOptions(argv: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      'fake-server': { type: 'boolean', default: false },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`unknown scenario "${unknown}". Use one of ${known.join(', ')}.`);
  if (values.write && (values.quick || values['fake-server']))
    throw new Error('--write needs a full run against Hearth. Remove --quick and --fake-server.');
  return {
    scenarios: positionals.length > 0 ? positionals : known,
    quick: values.quick,
    write: values.write,
    usesFakeServer: values['fake-server'],
    rounds: parseWhole(values.rounds, '--rounds'),
    seed: parseWhole(values.seed, '--seed'),
  };
}

function parseWhole(text: string, option: string): number {
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) === 0)
    throw new Error(`${option} must be a whole number greater than 0, not "${text}".`);
  return Number(text);
}

const SCENARIOS = {
  writes: measureWrites,
  'fan-out': measureFanOut,
  'idle-memory': measureIdleMemory,
  rest: measureRest,
  rules: measureRules,
  auth: measureAuth,
  captcha: measureCaptcha,
  'sign-in-methods': measureSignInMethods,
  bulk: measureBulk,
  size: measureSize,
  console: measureConsole,
  crash: measureCrashes,
  faults: measureFaults,
} as const satisfies Record<string, Scenario>;

/** Runs the scenarios. Returns the exit code: 1 if a run that is not quick misses a target, otherwise 0. */
async function runBench(options: BenchOptions): Promise<number> {
  const machine = `${describeMachine()}, ${new Date().toISOString().slice(0, 10)}`;
  const tables: string[] = [];
  let isMissed = false;
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    if (!options.scenarios.includes(name)) continue;
    const figures = await scenario({
      subject: options.usesFakeServer ? fakeServer('none') : HEARTH,
      quick: options.quick,
      rounds: options.rounds,
      seed: options.seed,
      progress: (line) => console.error(line),
    });
    const table = formatTable(figures);
    tables.push(`${name}\n${table}`);
    isMissed ||= figures.some((figure) => isMet(figure) === false);
    if (options.write) writePerformancePage(name, `${machine}\n\n${table}`);
  }
  console.log(
    `${machine}${options.quick ? ' (quick run: the figures are not meaningful)' : ''}\n\n${tables.join('\n\n')}`,
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
