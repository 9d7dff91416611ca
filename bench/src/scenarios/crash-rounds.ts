import { runCrashRounds } from '../crash.ts';
import { percentile } from '../measure/percentile.ts';
import type { Figure } from '../report/figure.ts';
import type { ScenarioOptions } from './scenario.ts';

const NOTE_EVERY_ROUNDS = 10;

/** Kills under load: how many, what was checked, and that nothing was wrong. */
export async function measureCrashes({
  subject,
  rounds,
  seed,
  note,
}: ScenarioOptions): Promise<readonly Figure[]> {
  const report = await runCrashRounds({
    command: subject,
    rounds,
    seed,
    onRound: (round, { acknowledgedWrites, violations }) => {
      if (round % NOTE_EVERY_ROUNDS === 0)
        note(
          `crash: ${round} kills, ${acknowledgedWrites} acknowledged writes, ${violations.length} violations`,
        );
    },
  });
  for (const violation of report.violations)
    note(`crash: round ${violation.round}: ${violation.kind}: ${violation.detail}`);
  const count = (name: string, value: number): Figure => ({
    name,
    unit: 'count',
    value,
    compared: undefined,
    target: { kind: 'none' },
  });
  return [
    count(`kill -9 under load (seed ${seed})`, report.rounds),
    count('acknowledged writes, each looked for afterwards', report.acknowledgedWrites),
    count('of them multi-path updates', report.acknowledgedUpdates),
    count('writes under way at a kill', report.unacknowledgedWrites),
    count('queries compared with looking at every row', report.comparedQueries),
    {
      name: 'start after a kill, longest',
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
