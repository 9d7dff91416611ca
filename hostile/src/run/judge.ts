import { CROWD_WORK, type CrowdReport, type CrowdWork, percentileOf } from '../crowd/latencies.ts';
import type { Allowance, AttackCounts } from '../scenarios/scenario.ts';

/** The measurements of one run of a scenario. */
export interface Measurement {
  readonly before: CrowdReport;
  readonly underAttack: CrowdReport;
  /** Some time after the attack. */
  readonly after: CrowdReport;
  readonly counts: AttackCounts;
  /** Delays of the event loop under attack, in ms. */
  readonly delaysMs: readonly number[];
  readonly growthBytes: number;
  readonly diskBytes: number;
  /** What the scenario has found wrong at the server after the attack. */
  readonly serverFaults: readonly string[];
  /** Why the server did not run or answer at the end; `null` if it did. */
  readonly death: string | null;
  /** The latest warnings and errors in the log of the server. */
  readonly warnings: readonly string[];
}

/** The violations of one run. Other work on the machine can cause those of time, but no others. */
export interface Judgment {
  readonly faults: readonly string[];
  readonly timeFaults: readonly string[];
}

/** Maximum ratio of a latency under attack to the same latency before. */
const MAX_RATIO = 3;

/** Latencies below these values are not compared, in ms, because other work on the machine causes similar ones. */
const FLOOR_MS: Readonly<Record<CrowdWork, number>> = {
  write: 50,
  read: 50,
  newcomer: 50,
  // One password takes 50 ms of a core, and a sign-in per second gives few samples.
  signIn: 750,
  administration: 150,
};

/** Share of responses whose latency is compared. The rare kinds of work give too few samples for the 99th percentile. */
const SHARE: Readonly<Record<CrowdWork, number>> = {
  write: 0.99,
  read: 0.99,
  newcomer: 0.99,
  signIn: 0.9,
  administration: 0.9,
};

export const COMMON = { delayMs: 50, growthMiB: 128, diskMiB: 64 } as const;

const MIB = 2 ** 20;

/** Compares a measurement with the bounds. */
export function judge(measured: Measurement, allowance: Allowance | undefined): Judgment {
  const bounds = { ...COMMON, ...allowance };
  const faults: string[] = [];
  const timeFaults: string[] = [];
  if (measured.death !== null) faults.push(`The server did not survive: ${measured.death}`);
  for (const [when, { failures }] of [
    ['before the attack', measured.before],
    ['under attack', measured.underAttack],
    ['after the attack', measured.after],
  ] as const)
    if (failures.length > 0) faults.push(`The crowd failed ${when}: ${failures.slice(0, 3).join('; ')}.`);
  const internalErrors = measured.counts['answered 500'] ?? 0;
  if (internalErrors > 0)
    faults.push(`The server answered ${internalErrors} requests with an internal error.`);
  if (measured.growthBytes > bounds.growthMiB * MIB)
    faults.push(`Memory grew by ${formatMiB(measured.growthBytes)}, allowed are ${bounds.growthMiB} MiB.`);
  if (measured.diskBytes > bounds.diskMiB * MIB)
    faults.push(`The data grew by ${formatMiB(measured.diskBytes)}, allowed are ${bounds.diskMiB} MiB.`);
  for (const work of CROWD_WORK) {
    const quietMs = quietLatencyOf(measured, work);
    const attackedMs = percentileOf(measured.underAttack.latenciesMs[work], SHARE[work]);
    const allowedMs = Math.max(FLOOR_MS[work], MAX_RATIO * quietMs);
    if (measured.underAttack.latenciesMs[work].length === 0)
      faults.push(`The crowd completed no ${work} under attack.`);
    else if (attackedMs > allowedMs)
      timeFaults.push(
        `The p${SHARE[work] * 100} of ${work} was ${attackedMs.toFixed(0)} ms, without the attack ${quietMs.toFixed(0)} ms.`,
      );
  }
  const longestMs = Math.max(0, ...measured.delaysMs);
  if (longestMs > bounds.delayMs)
    timeFaults.push(
      `The longest delay of the event loop was ${longestMs.toFixed(0)} ms, allowed are ${bounds.delayMs} ms.`,
    );
  return { faults, timeFaults };
}

/**
 * Returns the latency without an attack: the higher of those before and after it, because other work on the machine
 * comes and goes.
 */
function quietLatencyOf({ before, after }: Measurement, work: CrowdWork): number {
  return Math.max(
    percentileOf(before.latenciesMs[work], SHARE[work]),
    percentileOf(after.latenciesMs[work], SHARE[work]),
  );
}

/** Returns one line with the figures of a measurement. */
export function formatFigures(measured: Measurement): string {
  const latencies = CROWD_WORK.map((work) => {
    const quietMs = quietLatencyOf(measured, work).toFixed(0);
    const attackedMs = percentileOf(measured.underAttack.latenciesMs[work], SHARE[work]).toFixed(0);
    return `${work} ${quietMs}→${attackedMs} ms`;
  });
  const longestMs = Math.max(0, ...measured.delaysMs).toFixed(0);
  const counts = Object.entries(measured.counts).map(([name, count]) => `${name} ${count}`);
  return [
    ...latencies,
    `delay ${longestMs} ms`,
    `memory +${formatMiB(measured.growthBytes)}`,
    `data +${formatMiB(measured.diskBytes)}`,
    ...counts,
  ].join(', ');
}

function formatMiB(bytes: number): string {
  return `${Math.max(0, bytes / MIB).toFixed(0)} MiB`;
}
