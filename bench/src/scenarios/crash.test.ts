import { beforeAll, describe, expect, test } from 'vitest';
import type { Violation } from '../crash/history.ts';
import { fakeServer, HEARTH, type Lie } from '../server/command.ts';
import { type CrashReport, runCrashRounds } from './crash.ts';

const ROUNDS = 10;
const SEED = 20_260_101;
const LIMIT_MS = 600_000;

function violationsOf(report: CrashReport, kinds: readonly Violation['kind'][]): readonly Violation[] {
  return report.violations.filter((violation) => kinds.includes(violation.kind));
}

describe('a server killed under load', () => {
  let report: CrashReport;
  beforeAll(async () => {
    report = await runCrashRounds({ command: HEARTH, rounds: ROUNDS, seed: SEED });
  }, LIMIT_MS);

  test('[L10] every acknowledged write survives kill -9', () => {
    expect(violationsOf(report, ['lost', 'unexplained', 'refused'])).toEqual([]);
    expect(report.rounds).toBe(ROUNDS);
    expect(report.acknowledgedWrites).toBeGreaterThan(0);
  });

  test('[L11] a multi-path update is whole or absent after a crash', () => {
    expect(violationsOf(report, ['torn', 'unexplained'])).toEqual([]);
    expect(report.acknowledgedUpdates).toBeGreaterThan(0);
  });

  test('[L12] indexes agree with data after a crash', () => {
    expect(violationsOf(report, ['index'])).toEqual([]);
    expect(report.comparedQueries).toBeGreaterThan(0);
  });
});

describe('the crash check itself', () => {
  test.each<[string, Lie, Violation['kind']]>([
    ['[L10] detects a server that acknowledges a write before it stores it', 'forgetful', 'lost'],
    ['[L11] detects a server that stores an update path by path', 'torn', 'torn'],
    ['[L12] detects a server whose queries omit a child', 'misindexed', 'index'],
  ])(
    '%s',
    async (_title, lie, kind) => {
      const report = await runCrashRounds({ command: fakeServer(lie), rounds: ROUNDS, seed: SEED });
      expect(violationsOf(report, [kind])).not.toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    '[L10] reports a start that fails, and goes on',
    async () => {
      const report = await runCrashRounds({ command: fakeServer('ending'), rounds: 3, seed: SEED });
      expect(report.violations).toMatchObject([{ kind: 'start', round: 1 }]);
      expect([report.rounds, report.restartMs.length]).toEqual([3, 3]);
    },
    LIMIT_MS,
  );

  test(
    '[L10] ends with what it has found if no start is ready in time',
    async () => {
      const command = fakeServer('stuck');
      const report = await runCrashRounds({ command, rounds: 3, seed: SEED, startLimitMs: 500 });
      expect(report.violations.map(({ kind }) => kind)).toEqual(['start', 'start', 'start']);
      expect(report.rounds).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    '[L10][L11][L12] reports no violations for a correct server',
    async () => {
      const report = await runCrashRounds({ command: fakeServer('none'), rounds: 3, seed: SEED });
      expect(report.violations).toEqual([]);
      expect(report.acknowledgedWrites).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
