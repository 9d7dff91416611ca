import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { histories } from './history.arbitrary.ts';
import { runHistory } from './run-history.fixture.ts';
import type { Fault, ModelEvent, Step } from './step.fixture.ts';

/** Set `HEARTH_MODEL_RUNS` to run more histories, and `HEARTH_MODEL_SEED` for other ones. */
const RUNS = Number(process.env['HEARTH_MODEL_RUNS'] ?? 500);
const SEED = Number(process.env['HEARTH_MODEL_SEED'] ?? 20_260_101);

const parent = mkdtempSync(join(tmpdir(), 'hearth-model-'));
afterAll(() => rmSync(parent, { recursive: true }));

/**
 * Uses the same directory for all runs, because LMDB's library keeps some memory for each directory that it
 * opens.
 */
async function runInDirectory(steps: readonly Step[]): Promise<void> {
  const directory = join(parent, 'data');
  rmSync(directory, { recursive: true, force: true });
  await runHistory(directory, steps);
}

const put = (client: number, path: string, json: string): ModelEvent => ({
  kind: 'request',
  client,
  request: { kind: 'put', path, json, guess: 'none' },
});

const transaction = (events: readonly ModelEvent[], fault: Fault = { kind: 'none' }): Step => ({
  kind: 'transaction',
  events,
  fault,
  passedMs: 1,
});

const FULL: Fault = { kind: 'full', atPut: null };

/** Histories that once failed, with the rule that they broke. */
test.each<readonly [string, readonly Step[]]>([
  [
    '[L21] a listen is revoked and allowed again while its client requests it again',
    [
      transaction([
        {
          kind: 'request',
          client: 1,
          request: { kind: 'listen', path: '', queryJson: null, isHeld: false },
        },
        { kind: 'rules', which: 4 },
        { kind: 'rules', which: 0 },
        { kind: 'request', client: 1, request: { kind: 'relisten', which: 0, isHeld: false } },
      ]),
      transaction([put(0, '', '1')]),
    ],
  ],
  [
    '[L24] removing an absent child of a small node is not part of the commit',
    [
      transaction([put(0, 'a/b', '1')]),
      transaction([
        {
          kind: 'request',
          client: 0,
          request: {
            kind: 'merge',
            path: 'a',
            fields: [
              ['c', '{"n":2}'],
              ['é', 'null'],
            ],
            guess: 'none',
          },
        },
      ]),
    ],
  ],
  [
    '[L51] a node that an update empties and fills loses its priority, in whatever order the paths are sent',
    [
      transaction([put(0, 'a', '{"1":true,".priority":"p"}')]),
      transaction([
        {
          kind: 'request',
          client: 0,
          request: {
            kind: 'queue-update',
            path: 'a',
            fields: [
              ['b', 'true'],
              ['1', 'null'],
            ],
          },
        },
        {
          kind: 'request',
          client: 0,
          request: {
            kind: 'merge',
            path: 'a',
            fields: [
              ['c', 'true'],
              ['1', 'null'],
            ],
            guess: 'none',
          },
        },
      ]),
    ],
  ],
  [
    '[L31] a large number as a priority is read back from the log as that number',
    [transaction([put(0, 'a', '1')]), transaction([put(0, 'a/.priority', '9007199254740993')])],
  ],
  [
    '[L23] a window that a failed transaction moved is restored, although its only listener listened again in that transaction',
    [
      transaction([put(0, '', '{"a":{"n":1},"b":{"n":2}}')]),
      transaction([
        {
          kind: 'request',
          client: 0,
          request: { kind: 'listen', path: '', queryJson: '{"i":"n","l":1,"vf":"l"}', isHeld: false },
        },
      ]),
      transaction(
        [
          put(0, '1', '{"n":0}'),
          { kind: 'request', client: 0, request: { kind: 'relisten', which: 0, isHeld: false } },
        ],
        FULL,
      ),
    ],
  ],
])('%s', async (_title, steps) => {
  await runInDirectory(steps);
});

test(`[L20][L21][L22][L23][L24][L25][L26] the server behaves like the model in ${RUNS} random histories`, {
  timeout: RUNS * 2000,
}, async () => {
  await fc.assert(fc.asyncProperty(histories, runInDirectory), { numRuns: RUNS, seed: SEED });
});
