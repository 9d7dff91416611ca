import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { smtpTestBed } from '../../../mail/smtp-test-bed.fixture.ts';
import { findFreePorts, NatsServers } from '../../nats-servers.fixture.ts';
import { createProject, PROJECT } from './clients.fixture.ts';
import { NodeProcess } from './node-process.fixture.ts';

/** `npm run test:all` finds the program, or fetches it. */
const program = process.env['NATS_SERVER_PATH'] ?? '';

/** Longer than a mail takes that does not wait for the log, and shorter than an append waits for its outcome. */
const HELD_MS = 1_500;
const WITHIN = { timeout: 60_000 };

/** Sends a request about accounts to a node. Resolves with the status; 0 if there is no response. */
async function ask({ url, token }: NodeProcess, method: string, body: object): Promise<number> {
  try {
    const response = await fetch(`${url}/v1/projects/${PROJECT}/accounts${method}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}

const requestReset = (node: NodeProcess, email: string): Promise<number> =>
  ask(node, ':sendOobCode', { requestType: 'PASSWORD_RESET', email });

test.runIf(program !== '')(
  '[D30] mails leave a node when the log has what queued them, and never if the log does not get it',
  async () => {
    const mailServer = await smtpTestBed();
    const directory = mkdtempSync(join(tmpdir(), 'hearth-mails-'));
    await using servers = await NatsServers.start({ program, count: 1 });
    const ports = await findFreePorts(4);
    const [first, second] = [0, 1].map(
      (index) =>
        new NodeProcess({
          directory,
          name: `node-${index}`,
          port: ports[2 * index] ?? 0,
          linkPort: ports[2 * index + 1] ?? 0,
          natsServers: servers.addresses,
          natsMonitors: servers.monitors,
        }),
    );
    if (first === undefined || second === undefined) throw new Error('no nodes');
    const start = (node: NodeProcess): void =>
      node.start(
        ...['--cluster-replicas', '1', '--smtp-url', `smtp://127.0.0.1:${mailServer.port}`],
        ...['--mail-from', 'noreply@host.example', '--allow-private-smtp'],
      );
    const received = (email: string): number =>
      mailServer.received.filter(({ to }) => to.includes(email)).length;
    try {
      start(first);
      await first.ready();
      start(second);
      await second.ready();
      await createProject([first.url, second.url], first.token);
      for (const name of ['ada', 'bob', 'eve', 'zoe'])
        expect(await ask(second, '', { email: `${name}@example.com`, password: 'correct-horse' })).toBe(200);
      expect(await requestReset(second, 'ada@example.com')).toBe(200);
      await expect.poll(() => received('ada@example.com'), WITHIN).toBe(1);

      servers.signal(0, 'SIGSTOP');
      const asked = requestReset(first, 'bob@example.com');
      await sleep(HELD_MS);
      expect(received('bob@example.com')).toBe(0);
      servers.signal(0, 'SIGCONT');
      expect(await asked).toBe(200);
      await expect.poll(() => received('bob@example.com'), WITHIN).toBe(1);

      // The leader queues a mail, and dies before the log has it.
      const leader = [first, second].find(({ log }) => log.includes('this node leads')) ?? first;
      await servers.kill(0);
      const lost = requestReset(leader, 'eve@example.com');
      await sleep(HELD_MS);
      await leader.end('SIGKILL');
      expect(await lost).toBe(0);
      servers.startServer(0);
      start(leader);
      await leader.ready();
      await expect.poll(() => requestReset(leader, 'zoe@example.com'), WITHIN).toBe(200);
      await expect.poll(() => received('zoe@example.com'), WITHIN).toBeGreaterThan(0);
      expect(received('eve@example.com')).toBe(0);
    } finally {
      servers.signal(0, 'SIGCONT');
      for (const node of [first, second]) await node.end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    }
  },
  300_000,
);
