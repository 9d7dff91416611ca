import type { Random } from '../../../scripts/random.ts';
import { Client } from '../client/client.ts';
import { canonicalJson } from '../client/json.ts';
import { explainState } from '../crash/history.ts';
import { checkQueries } from '../crash/queries.ts';
import { findRows, recordAt } from '../crash/rows.ts';
import { pause } from '../measure/time.ts';
import { FaultBed } from './bed.ts';
import { Crowd } from './crowd.ts';
import type { Fault } from './fault.ts';
import { Listener } from './listener.ts';
import type { Machine } from './machine.ts';
import { DISCONNECTED, type Report, Seen } from './seen.ts';
import { Sites } from './sites.ts';
import { FaultWriter, type WriterRun } from './writer.ts';

const WRITERS = ['w0', 'w1', 'w2'] as const;
const QUIET_MS = 150;
const EFFECT_LIMIT_MS = 20_000;
const RECOVERY_LIMIT_MS = 30_000;
const POLL_MS = 20;
const MAX_VIOLATIONS = 20;

/** The results of all repeats of a fault. */
export type FaultReport = {
  readonly repeats: number;
  readonly acknowledged: number;
  readonly rejected: number;
  readonly quietMs: readonly number[];
  readonly faultMs: readonly number[];
  /** One sentence for each mistake of the server. A run ends early after `MAX_VIOLATIONS`. */
  readonly violations: readonly string[];
};

/** How a fault is repeated. A short run does not wait as long as a long one. */
export type RunOptions = {
  readonly repeats: number;
  readonly random: Random;
  readonly isShort: boolean;
};

/**
 * Makes faults on one server, one after the other, and checks after each repeat that nothing that was acknowledged is
 * lost.
 */
export async function runFaults(
  faults: readonly Fault[],
  machine: Machine,
  options: RunOptions,
): Promise<readonly FaultReport[]> {
  const needs = faults.flatMap((fault) => fault.needs);
  await using bed = await FaultBed.open(machine, {
    isOnSmallDisk: needs.includes('small disk'),
    usesShim: needs.includes('shim'),
  });
  using clients = new FaultClients(bed, options.random);
  const reports: FaultReport[] = [];
  for (const fault of faults) reports.push(await repeatFault(fault, clients, options));
  return reports;
}

const NOTHING: FaultReport = {
  repeats: 0,
  acknowledged: 0,
  rejected: 0,
  quietMs: [],
  faultMs: [],
  violations: [],
};

async function repeatFault(fault: Fault, clients: FaultClients, options: RunOptions): Promise<FaultReport> {
  let report = NOTHING;
  while (report.repeats < options.repeats && report.violations.length < MAX_VIOLATIONS) {
    const number = report.repeats + 1;
    const label = (text: string): string => `${fault.name}, repeat ${number}: ${text}`;
    try {
      const { problems, seen, acknowledged } = await clients.repeat(fault, options);
      report = {
        repeats: number,
        acknowledged: report.acknowledged + acknowledged,
        rejected: report.rejected + seen.rejections.length,
        quietMs: [...report.quietMs, ...seen.latenciesMs.quiet],
        faultMs: [...report.faultMs, ...seen.latenciesMs.fault],
        violations: [...report.violations, ...problems.map(label)],
      };
    } catch (cause) {
      // For example, the server does not start. Without one there is nothing more to test.
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      return { ...report, violations: [...report.violations, label(text)] };
    }
  }
  return report;
}

type Repeat = {
  readonly problems: readonly string[];
  readonly seen: Report;
  readonly acknowledged: number;
};

/** The clients of a bed: writers, a listener, a crowd, and clients of the other sites. */
class FaultClients implements Disposable {
  readonly #bed: FaultBed;
  readonly #random: Random;
  readonly #seen = new Seen();
  /** The invalid messages of the server. It can send any bytes if its data file has lost pages. */
  readonly #invalid = new Set<string>();
  readonly #writers: readonly FaultWriter[];
  readonly #listener: Listener;
  readonly #crowd: Crowd;
  readonly #sites: Sites;

  constructor(bed: FaultBed, random: Random) {
    this.#bed = bed;
    this.#random = random;
    this.#writers = WRITERS.map((name) => new FaultWriter(name, random, this.#seen));
    this.#listener = new Listener(bed.namespace, '/crash', this.#recordInvalid);
    this.#crowd = new Crowd(bed, this.#seen);
    this.#sites = new Sites(bed, this.#seen);
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }

  async repeat(fault: Fault, { isShort }: RunOptions): Promise<Repeat> {
    const bed = this.#bed;
    const seen = this.#seen;
    const problems: string[] = [];
    let isDone = false;
    const done = (): boolean => isDone;
    const before = this.#acknowledged();
    await this.#listener.follow(bed.port);
    const { server } = bed;
    const connections = await Promise.all(this.#writers.map(() => this.#open()));
    const running = Promise.all(
      connections.flatMap((connection, index) => this.#writers[index]?.run(connection, done) ?? []),
    );
    const crowd = this.#crowd.run(done);
    await pause(QUIET_MS);
    seen.enter('fault');
    problems.push(...(await fault.begin(bed, this.#random)));
    const sites = this.#sites.use();
    await pause(isShort ? (fault.shortMs ?? fault.lastsMs) : fault.lastsMs);
    if (!(await this.#awaitEffect(fault))) problems.push('the fault had no effect, so nothing was tested');
    // Now the fault certainly reaches the other sites too.
    if (fault.hasEffect !== undefined && fault.expected.process === 'goes on') await this.#sites.use();
    problems.push(...(await fault.end(bed, this.#random)));
    await sites;
    if (fault.expected.process === 'goes on' && (bed.server !== server || !server.isRunning)) {
      problems.push(`the server ended: ${server.output.slice(-500)}`);
      if (!server.isRunning) await bed.start();
    }
    if (!(await this.#awaitWrites())) problems.push('no write succeeded after the fault');
    seen.enter('quiet');
    isDone = true;
    const runs = await running;
    problems.push(...(await crowd));
    const report = seen.take();
    problems.push(...judge(fault, runs, report, bed));
    problems.push(...(await this.#check(runs)), ...(await this.#sites.check()));
    problems.push(...this.#invalid);
    this.#invalid.clear();
    const late = seen.take().rejections.map(({ text }) => `after the fault, a request was rejected: ${text}`);
    return {
      problems: [...problems, ...late],
      seen: report,
      acknowledged: this.#acknowledged() - before,
    };
  }

  readonly #recordInvalid = ({ message }: Error): void => {
    this.#invalid.add(`the server sent a message that is not valid: ${message}`);
  };

  #open(): Promise<Client> {
    return Client.open(this.#bed.port, this.#bed.namespace, undefined, this.#recordInvalid);
  }

  #acknowledged(): number {
    return this.#writers.reduce((total, writer) => total + writer.acknowledged, 0);
  }

  async #awaitEffect(fault: Fault): Promise<boolean> {
    const untilMs = performance.now() + EFFECT_LIMIT_MS;
    while (fault.hasEffect?.(this.#bed, this.#seen) === false) {
      if (performance.now() > untilMs) return false;
      await pause(POLL_MS);
    }
    return true;
  }

  /** Waits until the server executes a write again. */
  async #awaitWrites(): Promise<boolean> {
    const untilMs = performance.now() + RECOVERY_LIMIT_MS;
    while (performance.now() < untilMs) {
      try {
        using client = await this.#open();
        const { kind } = await client.request('p', { p: '/sites/recovered', d: performance.now() });
        if (kind === 'ok') return true;
      } catch {
        // The server does not accept connections yet.
      }
      await pause(POLL_MS);
    }
    return false;
  }

  /**
   * Compares the data of the server with the acknowledged writes, with the data of the listener, and with the
   * indexes.
   */
  async #check(runs: readonly WriterRun[]): Promise<readonly string[]> {
    await this.#listener.follow(this.#bed.port);
    using client = await this.#open();
    const data = await client.must('g', { p: '/crash', q: {} });
    const violations = this.#writers.flatMap((writer, index) => {
      const found = findRows(data, writer.name);
      const run = runs[index];
      writer.adopt(found);
      return run === undefined ? [] : explainState(run.history, found, 0);
    });
    const queries = await checkQueries(client, recordAt(data, 'indexed'), ['score', 'n'], 0);
    const isSame = canonicalJson(this.#listener.data) === canonicalJson(data ?? {});
    return [
      ...[...violations, ...queries.violations].map(({ kind, detail }) => `${kind}: ${detail}`),
      ...(isSame ? [] : ['the data of a listener differs from the data that is read']),
    ];
  }
}

/** Returns one sentence for each effect on clients that the fault must not have. */
function judge(
  { expected }: Fault,
  runs: readonly WriterRun[],
  { rejections }: Report,
  bed: FaultBed,
): readonly string[] {
  const mayDisconnect = expected.process === 'ends' || expected.mayDisconnect === true;
  const unexpected = rejections
    .filter(({ phase, text }) => {
      if (phase === 'quiet') return true;
      if (text === DISCONNECTED) return !mayDisconnect && expected.mayRejectConnections !== true;
      return !(expected.rejections ?? []).some((pattern) => pattern.test(text));
    })
    .map(({ phase, text }) => `${phase === 'quiet' ? 'outside of' : 'during'} the fault: ${text}`);
  const ended = runs.filter(({ isDisconnected }) => isDisconnected && !mayDisconnect).length;
  const { logged } = expected;
  return [
    ...new Set(unexpected),
    ...(ended > 0 ? [`${ended} writers were disconnected`] : []),
    ...(logged === undefined || logged.test(bed.server.output)
      ? []
      : [`the log does not contain ${logged}: ${bed.server.output.slice(-500)}`]),
  ];
}
