import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePorts, NatsServers } from '../../nats-servers.fixture.ts';
import { createProject } from './clients.fixture.ts';
import { askToHandOver, measureHandOver } from './hand-over-trial.fixture.ts';
import { NodeProcess } from './node-process.fixture.ts';

/** `npm run test:all` finds the program, or fetches it. */
const program = process.env['NATS_SERVER_PATH'] ?? '';
const MAIN = join(import.meta.dirname, '../../../cli/main.ts');

function runCluster(servers: readonly string[], ...args: readonly string[]) {
  const all = ['--conditions=source', MAIN, 'cluster', ...args, '--cluster', servers[0] ?? ''];
  return spawnSync(process.execPath, all, { encoding: 'utf8' });
}

test.runIf(program !== '')(
  '[D32] [D33] [D34] clients of all nodes write while nodes hand over, and lose nothing',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hearth-hand-over-'));
    await using natsServers = await NatsServers.start({ program, count: 1 });
    const { addresses: servers, monitors } = natsServers;
    const ports = await findFreePorts(4);
    const nodes = [0, 1].map(
      (index) =>
        new NodeProcess({
          directory,
          name: `node-${index}`,
          port: ports[2 * index] ?? 0,
          linkPort: ports[2 * index + 1] ?? 0,
          natsServers: servers,
          natsMonitors: monitors,
        }),
    );
    onTestFinished(async () => {
      for (const node of nodes) await node.end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    });
    for (const node of nodes) {
      node.start('--cluster-replicas', '1');
      await node.ready();
    }
    const token = nodes[0]?.token ?? '';
    await createProject(
      nodes.map(({ url }) => url),
      token,
    );
    const { pauseMs } = await measureHandOver(nodes, token, () => askToHandOver(servers));
    expect(pauseMs).toBeGreaterThan(0);
    expect(nodes.some(({ log }) => log.includes('this node has handed over'))).toBe(true);
    for (const { url } of nodes) {
      const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      const text = await metrics.text();
      expect(text).toMatch(/^hearth_cluster_term [1-9]\d*$/m);
      expect(Number(/^hearth_cluster_pause_seconds (.*)$/m.exec(text)?.[1])).toBeGreaterThan(0);
      for (const { linkAddress } of nodes)
        expect(text).toMatch(new RegExp(`^hearth_cluster_node_messages{node="${linkAddress}"} [1-9]`, 'm'));
    }

    const status = runCluster(servers, 'status').stdout;
    const [, leader] = /^(\S+) +leads/m.exec(status) ?? [];
    const [, follower] = /^(\S+) +follows/m.exec(status) ?? [];
    if (leader === undefined || follower === undefined) throw new Error(status);
    expect(runCluster(servers, 'hand-over', follower).stdout).toMatch(
      new RegExp(`^${follower} leads the cluster instead of ${leader}, after \\d+ ms\\.\n$`),
    );
    expect(runCluster(servers, 'hand-over', follower)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already leads'),
    });
    expect(runCluster(servers, 'hand-over', '10.0.0.1:1')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(leader),
    });

    // A leader that is stopped hands over before it closes.
    const stopped = nodes.find(({ linkAddress }) => linkAddress === follower);
    const others = nodes.filter((node) => node !== stopped);
    await measureHandOver(others, token, async () => {
      expect(await stopped?.end('SIGTERM')).toBe(0);
    });
    expect(stopped?.log).toContain('this node has handed over');
  },
  600_000,
);
