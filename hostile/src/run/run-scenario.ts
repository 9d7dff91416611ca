import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attacker } from '../attack/attacker.ts';
import { CROWD_RULES, Crowd } from '../crowd/crowd.ts';
import { LoopbackAddresses } from '../network/addresses.ts';
import { HttpClient } from '../network/http.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { Hearth } from '../server/hearth.ts';
import type { Replacement } from '../server/replacement.ts';
import { formatFigures, judge, type Measurement } from './judge.ts';

/** The outcome of a scenario. */
export type ScenarioResult =
  | { readonly kind: 'held'; readonly figures: string }
  | {
      readonly kind: 'failed';
      /** The warnings in the log of the server come last. */
      readonly problems: readonly string[];
      /** Whether nothing but bounds of time was exceeded. */
      readonly isOnlyTime: boolean;
      readonly figures: string;
    }
  /** This process may not add addresses to the loopback interface. */
  | { readonly kind: 'impossible' };

export interface RunOptions {
  /** Limits of the server to remove. */
  readonly without?: readonly Replacement[];
  /** Whether bounds of time count; true unless given. They say little while other tests run on the machine. */
  readonly judgesTime?: boolean;
  /** Maximum number of runs; 3 unless given. */
  readonly maxRuns?: number;
}

/** Duration of the first part of each measurement, which warms the server up. */
const WARM_UP_MS = 1_500;
/** Duration of the measurements before and after the attack, whose latencies count only as bounds of time. */
const QUIET_MS = 2_500;
const QUIET_WITHOUT_TIME_MS = 500;
const ATTACK_MS = 5_000;
/** Maximum duration of an attack that must complete. */
const MAX_ATTACK_MS = 60_000;
/** The crowd must stay well after the attack, too: its end may cost as much as the attack itself. */
const AFTERMATH_MS = 1_500;
const DEFAULT_MEMORY_MIB = 256;
const SAMPLE_MS = 100;
const ALIVE_WITHIN_MS = 10_000;

/** Maximum number of runs of a scenario whose only problem is time, or that its attacker did too little. */
const MAX_RUNS = 3;

const OPEN_RULES = { open: { '.read': true, '.write': true } } as const;

/**
 * Runs a scenario. Other work on the machine can delay everything, so a run whose only problem is time is repeated: a
 * weakness of the server shows each time. If only the attacker did too little, its next attack takes twice as long.
 */
export async function runScenario(
  scenario: Scenario,
  { without = [], judgesTime = true, maxRuns = MAX_RUNS }: RunOptions = {},
): Promise<ScenarioResult> {
  const quietMs = judgesTime ? QUIET_MS : QUIET_WITHOUT_TIME_MS;
  let attackMs = scenario.attackMs ?? ATTACK_MS;
  for (let run = 1; ; run++) {
    const measured = await measure(scenario, without, { quietMs, attackMs });
    if (measured === undefined) return { kind: 'impossible' };
    const { faults, timeFaults } = judge(measured, scenario.allows);
    const countFaults = [...(scenario.checkCounts?.(measured.counts) ?? []), ...measured.serverFaults];
    const figures = formatFigures(measured);
    if (faults.length + countFaults.length === 0 && (timeFaults.length === 0 || !judgesTime))
      return { kind: 'held', figures };
    if (faults.length > 0 || run >= maxRuns)
      return {
        kind: 'failed',
        problems: [...faults, ...countFaults, ...timeFaults, ...measured.warnings],
        isOnlyTime: faults.length + countFaults.length === 0,
        figures,
      };
    if (countFaults.length > 0) attackMs *= 2;
  }
}

async function measure(
  scenario: Scenario,
  without: readonly Replacement[],
  { quietMs, attackMs }: { readonly quietMs: number; readonly attackMs: number },
): Promise<Measurement | undefined> {
  await using resources = new AsyncDisposableStack();
  const { entry = 'proxied', memoryMiB = DEFAULT_MEMORY_MIB, maxFiles, args = [] } = scenario;
  const addressGroup = randomInt(256);
  if (entry === 'direct') {
    const addresses = LoopbackAddresses.add(addressGroup);
    if (addresses === undefined) return undefined;
    resources.use(addresses);
  }
  const hearth = resources.use(
    await Hearth.start({
      entry,
      addressGroup,
      memoryMiB,
      args,
      without,
      ...(maxFiles === undefined ? {} : { maxFiles }),
    }),
  );
  const rules = { rules: { ...CROWD_RULES, ...OPEN_RULES, ...scenario.rules } };
  await hearth.administer('PUT', `/.settings/rules.json?ns=${hearth.target.namespace}`, rules);
  await scenario.prepare?.(hearth);
  const crowd = resources.use(await Crowd.start(hearth));
  await sleep(WARM_UP_MS);
  crowd.take();
  await sleep(quietMs);
  const before = crowd.take();
  hearth.takeDelays();
  const memoryBytes = hearth.readMemoryBytes();
  const diskBytes = hearth.readDiskBytes();
  const attacker = resources.use(await Attacker.start(scenario.name, hearth.target));
  let highestBytes = memoryBytes;
  const startedMs = performance.now();
  const isOver = (): boolean => {
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs < attackMs) return false;
    return scenario.lastsUntilComplete !== true || attacker.isComplete || elapsedMs > MAX_ATTACK_MS;
  };
  while (!isOver() && hearth.isRunning) {
    await sleep(SAMPLE_MS);
    if (hearth.isRunning) highestBytes = Math.max(highestBytes, hearth.readMemoryBytes());
  }
  const counts = await attacker.stop();
  await sleep(AFTERMATH_MS);
  const underAttack = crowd.take();
  const delaysMs = hearth.takeDelays();
  await sleep(quietMs);
  return {
    before,
    underAttack,
    after: crowd.take(),
    counts,
    delaysMs,
    growthBytes: highestBytes - memoryBytes,
    serverFaults: hearth.isRunning ? ((await scenario.checkServer?.(hearth)) ?? []) : [],
    diskBytes: hearth.readDiskBytes() - diskBytes,
    death: await findDeath(hearth),
    warnings: hearth.warnings(),
  };
}

/**
 * Returns why the server does not count as alive; `null` if it runs and answers within `ALIVE_WITHIN_MS`, in which the time
 * does not count for which other programs had the processor.
 */
async function findDeath(hearth: Hearth): Promise<string | null> {
  const startedMs = performance.now();
  const waitedBeforeMs = hearth.readWaitedMs();
  const ownMs = (): number => performance.now() - startedMs - (hearth.readWaitedMs() - waitedBeforeMs);
  let reason = 'it ended';
  while (hearth.isRunning && ownMs() < ALIVE_WITHIN_MS) {
    using client = new HttpClient(hearth.target, { side: 'crowd', host: 248 });
    const { status, text } = await client.ask({
      path: `/crowd/c0.json?ns=${hearth.target.namespace}`,
      timeoutMs: ALIVE_WITHIN_MS,
    });
    if (status === 200) return null;
    reason = `${status} ${text.slice(0, 200)}`;
    await sleep(SAMPLE_MS);
  }
  return reason;
}
