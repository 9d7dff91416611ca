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

  test.concurrent('[W137] a poll that has waited for 20 s is released with an empty list', async ({
    expect,
  }) => {
    const poller = await openRawPoller(ns);
    expect(await poller.poll()).toBe('pRTLPCB(1,[]);');
  });

  test.concurrent('[W148] a client that sends nothing for 60 s is treated as disconnected', async ({
    expect,
  }) => {
    const poller = await openRawPoller(ns);
    const watcher = await openRawSocket(ns);
    await poller.request('o', { p: '/silent', d: 'gone' });
    await watcher.request('q', { p: '/silent', h: '' });
    watcher.received();
    await until(() => expect(watcher.received()).toEqual([['d', { p: 'silent', d: 'gone' }]]), 100_000);
  });
});
