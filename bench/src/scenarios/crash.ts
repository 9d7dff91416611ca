import { Random } from '../../../scripts/random.ts';
import { Client } from '../client/client.ts';
import { putRules } from '../client/http.ts';
import { explainState, type Violation, Writer } from '../crash/history.ts';
import { checkQueries } from '../crash/queries.ts';
import { findRows, recordAt } from '../crash/rows.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { pause, percentile } from '../measure/time.ts';
import type { ServerCommand } from '../server/command.ts';
import { killWhileStarting, ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

/**
 * Options of a crash run: `rounds` is the number of kills, and all choices follow from `seed`. `onRound` is
 * called after each round.
 */
export type CrashOptions = {
  readonly command: ServerCommand;
  readonly rounds: number;
  readonly seed: number;
  /** How long a start after a kill may take, in ms. */
  readonly startLimitMs?: number;
  readonly onRound?: (round: number, report: CrashReport) => void;
};

/** The number of checks, and the violations. A run ends early after `MAX_VIOLATIONS`, or if it cannot continue. */
export type CrashReport = {
  readonly rounds: number;
  readonly acknowledgedWrites: number;
  readonly unacknowledgedWrites: number;
  readonly acknowledgedUpdates: number;
  readonly comparedQueries: number;
  readonly restartMs: readonly number[];
  readonly violations: readonly Violation[];
};

const NAMESPACE = 'bench';
const WRITERS = ['w0', 'w1', 'w2', 'w3'] as const;
const MAX_VIOLATIONS = 20;
const SHORTEST_LOAD_MS = 30;
const LONGEST_LOAD_MS = 400;
const INDEXES: readonly (readonly string[])[] = [['score'], ['score', 'n']];

/**
 * Kills a server repeatedly (SIGKILL at random times, sometimes again while it starts) under the load of
 * several writers, restarts it on the same directory, and compares its data with the acknowledged requests.
 * This shows that a killed process loses nothing. It does not test power failures, which a server survives only
 * if it flushes the disk.
 */
export async function runCrashRounds(options: CrashOptions): Promise<CrashReport> {
  using directory = new TemporaryDirectory();
  const random = new Random(options.seed);
  const writers = WRITERS.map((name) => new Writer(name, random));
  let server = await ServerProcess.start(options.command, directory.path);
  let report: CrashReport = {
    rounds: 0,
    acknowledgedWrites: 0,
    unacknowledgedWrites: 0,
    acknowledgedUpdates: 0,
    comparedQueries: 0,
    restartMs: [],
    violations: [],
  };
  try {
    await putIndexes(server.port, INDEXES[1] ?? []);
    while (report.rounds < options.rounds && report.violations.length < MAX_VIOLATIONS) {
      const round = report.rounds + 1;
      const runs = await loadAndKill(server, writers, random);
      if (random.below(5) === 0) await killWhileStarting(options.command, directory.path, random.below(300));
      const restarted = await startAgain(options, directory.path, round);
      report = { ...report, violations: [...report.violations, ...restarted.violations] };
      if (restarted.server === undefined) break;
      server = restarted.server;
      const checked = await checkServer(server, writers, runs, round);
      const histories = runs.map((run) => run.history);
      report = {
        rounds: round,
        acknowledgedWrites: report.acknowledgedWrites + sum(histories.map((history) => history.acknowledged)),
        unacknowledgedWrites:
          report.unacknowledgedWrites +
          sum(histories.map((history) => history.operations.length - history.acknowledged)),
        acknowledgedUpdates:
          report.acknowledgedUpdates +
          sum(
            histories.map(
              (history) =>
                history.operations
                  .slice(0, history.acknowledged)
                  .filter((operation) => operation.effects.size > 1).length,
            ),
          ),
        comparedQueries: report.comparedQueries + checked.compared,
        restartMs: [...report.restartMs, server.startMs],
        violations: [...report.violations, ...checked.violations],
      };
      options.onRound?.(round, report);
    }
  } catch (error) {
    const detail = `the run ended: ${error instanceof Error ? error.stack : String(error)}`;
    const ended: Violation = { kind: 'ended', round: report.rounds + 1, detail };
    return { ...report, violations: [...report.violations, ended] };
  } finally {
    await server.kill();
  }
  return report;
}

/** Number of times that a server is started after one kill. */
const MAX_STARTS = 3;

/** Starts the server after a kill. Each start that fails is a violation; the server is `undefined` if all fail. */
async function startAgain(
  { command, startLimitMs }: CrashOptions,
  directory: string,
  round: number,
): Promise<{ readonly server: ServerProcess | undefined; readonly violations: readonly Violation[] }> {
  const violations: Violation[] = [];
  while (violations.length < MAX_STARTS)
    try {
      return { server: await ServerProcess.start(command, directory, startLimitMs), violations };
    } catch (error) {
      violations.push({ kind: 'start', round, detail: String(error) });
    }
  return { server: undefined, violations };
}

type WriterRun = Awaited<ReturnType<Writer['run']>>;

async function loadAndKill(
  server: ServerProcess,
  writers: readonly Writer[],
  random: Random,
): Promise<readonly WriterRun[]> {
  const clients = await Promise.all(writers.map(() => Client.open(server.port, NAMESPACE)));
  const running = clients.flatMap((client, index) => writers[index]?.run(client) ?? []);
  const loadMs = SHORTEST_LOAD_MS + random.below(LONGEST_LOAD_MS - SHORTEST_LOAD_MS);
  await pause(loadMs / 2);
  // Half of the rounds also change the indexes, so that a kill can interrupt the creation or the removal of
  // an index.
  const indexes = INDEXES[random.below(2)];
  const changing =
    random.below(2) === 0 && indexes !== undefined ? putIndexes(server.port, indexes) : Promise.resolve();
  const changed = changing.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  await pause(loadMs / 2);
  await server.kill();
  // It does not matter whether this request was answered before the kill.
  await changed;
  return Promise.all(running);
}

async function checkServer(
  server: ServerProcess,
  writers: readonly Writer[],
  runs: readonly WriterRun[],
  round: number,
): Promise<{ readonly compared: number; readonly violations: readonly Violation[] }> {
  using client = await Client.open(server.port, NAMESPACE);
  const data = await client.must('g', { p: '/crash', q: {} });
  const violations: Violation[] = [];
  writers.forEach((writer, index) => {
    const run = runs[index];
    if (run === undefined) return;
    const found = findRows(data, writer.name);
    violations.push(...explainState(run.history, found, round));
    if (run.requestError !== undefined) violations.push({ kind: 'refused', round, detail: run.requestError });
    writer.adopt(found);
  });
  const indexed = recordAt(data, 'indexed');
  const surviving = await checkQueries(client, indexed, ['score'], round);
  await putIndexes(server.port, INDEXES[1] ?? []);
  const both = await checkQueries(client, indexed, ['score', 'n'], round);
  return {
    compared: surviving.compared + both.compared,
    violations: [...violations, ...surviving.violations, ...both.violations],
  };
}

async function putIndexes(port: number, indexes: readonly string[]): Promise<void> {
  await putRules(port, NAMESPACE, {
    '.read': true,
    '.write': true,
    crash: { indexed: { '.indexOn': indexes } },
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const LOG_EVERY_ROUNDS = 10;

/** Measures kills under load: their number, the number of checks, and the violations. */
export async function measureCrashes({
  subject,
  rounds,
  seed,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const report = await runCrashRounds({
    command: subject,
    rounds,
    seed,
    onRound: (round, { acknowledgedWrites, violations }) => {
      if (round % LOG_EVERY_ROUNDS === 0)
        progress(
          `crash: ${round} kills, ${acknowledgedWrites} acknowledged writes, ${violations.length} violations`,
        );
    },
  });
  for (const violation of report.violations)
    progress(`crash: round ${violation.round}: ${violation.kind}: ${violation.detail}`);
  const count = (name: string, value: number): Figure => ({
    name,
    unit: 'count',
    value,
    compared: undefined,
    target: { kind: 'none' },
  });
  return [
    count(`kill -9 under load (seed ${seed})`, report.rounds),
    count('acknowledged writes, all verified after the kill', report.acknowledgedWrites),
    count('of them multi-path updates', report.acknowledgedUpdates),
    count('writes in flight at a kill', report.unacknowledgedWrites),
    count('queries compared with a scan of every row', report.comparedQueries),
    {
      name: 'longest start after a kill',
      unit: 'ms',
      value: percentile(report.restartMs, 1),
      compared: undefined,
      target: { kind: 'none' },
    },
    {
      name: 'violations',
      unit: 'count',
      value: report.violations.length,
      compared: undefined,
      target: { kind: 'below', bound: 1 },
    },
  ];
}
