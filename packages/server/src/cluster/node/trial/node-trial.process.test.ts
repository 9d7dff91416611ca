import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NodeTrial } from './node-trial.fixture.ts';

/** `npm run test:all` finds the program, or fetches it. */
const program = process.env['NATS_SERVER_PATH'] ?? '';
const MAIN = join(import.meta.dirname, '../../../cli/main.ts');

function runStatus(servers: readonly string[]) {
  const args = ['--conditions=source', MAIN, 'cluster', 'status', '--cluster', servers[0] ?? ''];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test.runIf(program !== '')(
  '[D21] [D22] nodes that are killed, stopped, frozen and emptied, and hand over, lose nothing',
  async () => {
    const lines: string[] = [];
    await using trial = await NodeTrial.start({
      program,
      rounds: 8,
      seed: 1,
      report: (line) => lines.push(line),
    });
    // On a busy machine, another node may just begin to lead.
    await expect
      .poll(() => runStatus(trial.servers), { timeout: 60_000 })
      .toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^127\.0\.0\.1:\d+ +leads[\s\S]*^3 nodes, term \d+$/m),
      });
    const { acknowledged } = await trial.run();
    expect(acknowledged).toBeGreaterThan(0);
    expect(lines).toHaveLength(8);
    // No node leads any more.
    expect(runStatus(trial.servers).status).toBe(1);
  },
  600_000,
);
