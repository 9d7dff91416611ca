import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories } from './model/history.arbitrary.ts';
import { runHistory } from './model/run-history.ts';
import type { Step } from './model/step.ts';

/** Set `HEARTH_MODEL_RUNS` to run more histories, and `HEARTH_MODEL_SEED` for other ones. */
const RUNS = Number(process.env['HEARTH_MODEL_RUNS'] ?? 400);
const SEED = Number(process.env['HEARTH_MODEL_SEED'] ?? 20_260_101);

async function runInDirectory(steps: readonly Step[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-model-'));
  try {
    await runHistory(directory, steps);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test(`[L20][L21][L22] ${RUNS} random histories: memory, store, log and every client agree`, {
  timeout: RUNS * 2000,
}, async () => {
  await fc.assert(fc.asyncProperty(histories, runInDirectory), { numRuns: RUNS, seed: SEED });
  expect.assertions(0);
});
