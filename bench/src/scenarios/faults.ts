import { Random } from '../../../scripts/random.ts';
import type { Fault } from '../faults/fault.ts';
import { DAMAGED_PAGE } from '../faults/kinds/damaged-page.ts';
import { STOPPED } from '../faults/kinds/processes.ts';
import { examineMachine, findObstacle, type Machine } from '../faults/machine.ts';
import { type FaultReport, runFaults } from '../faults/run-fault.ts';
import { FAULTS } from '../faults/table.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { percentile } from '../measure/time.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

/** Faults that take long, and are made beside the others: their servers stand still or are not running. */
const ASIDE: readonly Fault[] = [STOPPED, DAMAGED_PAGE];
/** Number of servers that are stopped at the same time. */
const STOPPED_SERVERS = 4;

/** Runs every fault `rounds` times, and counts the mistakes of the server. */
export async function measureFaults(options: ScenarioOptions): Promise<readonly Figure[]> {
  using directory = new TemporaryDirectory();
  const machine = examineMachine(directory.path);
  if (!machine.canMount)
    options.progress('faults: a limit on the size of files takes the place of a full disk');
  const measured = new Map<Fault, readonly Figure[]>();
  const measure = async (fault: Fault): Promise<void> => {
    measured.set(fault, await measureFault(fault, machine, options));
  };
  const others = FAULTS.filter((fault) => !ASIDE.includes(fault));
  const measureOthers = async (): Promise<void> => {
    for (const fault of others) await measure(fault);
  };
  await Promise.all([...ASIDE.map(measure), measureOthers()]);
  return FAULTS.flatMap((fault) => measured.get(fault) ?? []);
}

async function measureFault(
  fault: Fault,
  machine: Machine,
  { quick, rounds, seed, progress }: ScenarioOptions,
): Promise<readonly Figure[]> {
  const obstacle = findObstacle(machine, fault.needs);
  if (obstacle !== undefined) {
    progress(`faults: skipped "${fault.name}", because ${obstacle}`);
    return [];
  }
  const repeats = quick ? 1 : rounds;
  const servers = fault === STOPPED ? Math.min(STOPPED_SERVERS, repeats) : 1;
  const runs = Array.from({ length: servers }, (_, server) =>
    runFaults([fault], machine, {
      repeats: Math.floor(repeats / servers) + (server < repeats % servers ? 1 : 0),
      random: new Random(seed + FAULTS.indexOf(fault) + server * FAULTS.length),
      isShort: quick,
    }),
  );
  const report = mergeReports((await Promise.all(runs)).flat());
  for (const violation of report.violations) progress(`faults: ${violation}`);
  progress(`faults: ${fault.name}: ${report.repeats} times, ${report.violations.length} violations`);
  return figuresOf(fault.name, report);
}

function mergeReports(reports: readonly FaultReport[]): FaultReport {
  const sum = (count: (report: FaultReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    repeats: sum(({ repeats }) => repeats),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    rejected: sum(({ rejected }) => rejected),
    quietMs: reports.flatMap(({ quietMs }) => quietMs),
    faultMs: reports.flatMap(({ faultMs }) => faultMs),
    violations: reports.flatMap(({ violations }) => violations),
  };
}

function figuresOf(name: string, report: FaultReport): readonly Figure[] {
  const count = { unit: 'count', compared: undefined, target: { kind: 'none' } } as const;
  return [
    { ...count, name, value: report.repeats },
    { ...count, name: '– requests that were rejected or unanswered', value: report.rejected },
    { ...count, name: '– acknowledged writes, all verified', value: report.acknowledged },
    { ...count, name: '– violations', value: report.violations.length, target: { kind: 'below', bound: 1 } },
    {
      name: '– p99 of other clients while it lasts, and before',
      unit: 'ms',
      value: percentile(report.faultMs, 0.99),
      compared: percentile(report.quietMs, 0.99),
      target: { kind: 'none' },
    },
  ];
}
