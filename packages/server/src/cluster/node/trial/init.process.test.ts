import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findFreePorts, NatsServers } from '../../nats-servers.fixture.ts';
import { createProject, DATABASE } from './clients.fixture.ts';
import { NodeProcess } from './node-process.fixture.ts';

/** `npm run test:all` finds the program, or fetches it. */
const program = process.env['NATS_SERVER_PATH'] ?? '';
const MAIN = join(import.meta.dirname, '../../../cli/main.ts');

async function ask({ url }: NodeProcess, token: string, request: RequestInit = {}): Promise<string> {
  const response = await fetch(`${url}/value.json?ns=${DATABASE}`, {
    ...request,
    headers: { authorization: `Bearer ${token}` },
  });
  return response.text();
}

test.runIf(program !== '')(
  '[D27] [D29] the data of a server without a cluster becomes that of a cluster, and survives its first node',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hearth-init-'));
    await using servers = await NatsServers.start({ program, count: 1 });
    const ports = await findFreePorts(6);
    const nodes = [0, 1, 2].map(
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
    const [first, second, third] = nodes;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no nodes');
    const runInit = ({ dataPath }: NodeProcess) => {
      const args = ['cluster', 'init', '--data', dataPath, '--cluster', servers.addresses[0] ?? ''];
      const all = ['--conditions=source', MAIN, ...args, '--cluster-replicas', '1'];
      return spawnSync(process.execPath, all, { encoding: 'utf8' });
    };
    const replicas = ['--cluster-replicas', '1'];
    try {
      for (const node of [first, third]) {
        node.startAlone();
        await node.ready();
        await createProject([node.url], node.token);
        expect(await ask(node, node.token, { method: 'PUT', body: '"before"' })).toBe('"before"');
        expect(await node.end('SIGTERM')).toBe(0);
      }
      expect(runInit(first)).toMatchObject({ status: 0, stderr: '' });
      expect(runInit(first)).toMatchObject({ status: 2, stderr: expect.stringContaining('already belongs') });
      expect(runInit(third)).toMatchObject({ status: 2, stderr: expect.stringContaining('other data') });
      expect(runInit(second)).toMatchObject({ status: 2 });
      second.start(...replicas);
      await sleep(3_000);
      first.start(...replicas);
      await Promise.all([first.ready(), second.ready()]);
      const { token } = first;
      expect(await ask(second, token)).toBe('"before"');
      await expect.poll(() => second.log, { timeout: 60_000 }).toContain('a snapshot was loaded');
      await expect.poll(() => ask(second, token).catch(String), { timeout: 60_000 }).toBe('"before"');
      third.removeData();
      third.secretKey = Buffer.alloc(32, 8).toString('base64');
      third.start(...replicas);
      expect(await third.ended()).toBe(2);
      expect(third.log).toContain('another secret key');
      await first.end('SIGKILL');
      await expect
        .poll(() => ask(second, token, { method: 'PUT', body: '"after"' }).catch(String), { timeout: 60_000 })
        .toBe('"after"');
    } finally {
      for (const node of nodes) await node.end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    }
  },
  300_000,
);
