import { beforeAll, describe, test } from 'vitest';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawPoller } from '../../drivers/poller.ts';
import { openRawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

describe('Long polling', { timeout: 120_000 }, () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test.concurrent('[W137] a poll that has waited for long is released', async ({ expect }) => {
    const poller = await openRawPoller(ns);
    expect(await poller.poll()).toBe('pRTLPCB(1,[]);');
  });

  test.concurrent('[W148] a client that sends nothing is missed', async ({ expect }) => {
    const poller = await openRawPoller(ns);
    const watcher = await openRawSocket(ns);
    await poller.request('o', { p: '/silent', d: 'gone' });
    await watcher.request('q', { p: '/silent', h: '' });
    watcher.heard();
    await until(() => expect(watcher.heard()).toEqual([['d', { p: 'silent', d: 'gone' }]]), 100_000);
  });
});
