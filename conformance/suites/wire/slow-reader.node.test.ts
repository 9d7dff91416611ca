import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawSocket } from '../../drivers/socket.ts';

const ENTRIES = 150;
const ENTRY_CHARACTERS = 100_000;

/** Longer than the server waits for a client that reads nothing. */
const READING_MS = 100_000;

describe('Hostile and slow clients', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[W118] a slow client gets a whole response of 15 MB in a hundred seconds', {
    timeout: 180_000,
  }, async () => {
    const writer = await openRawSocket(ns);
    const entries = Object.fromEntries(
      Array.from({ length: ENTRIES }, (_, i) => [`k${i}`, 'x'.repeat(ENTRY_CHARACTERS)]),
    );
    expect(await writer.request('p', { p: '/slow', d: entries })).toEqual({ s: 'ok', d: '' });
    const reader = await openRawSocket(ns);
    const number = reader.post('g', { p: '/slow', q: {} });
    const untilMs = performance.now() + READING_MS;
    while (performance.now() < untilMs && reader.closedWith === undefined) {
      // Reads the available data, and then nothing for some time, as over a bad connection.
      reader.socket.resume();
      await pause(10);
      reader.socket.pause();
      await pause(500);
    }
    reader.socket.resume();
    const { s, d } = await reader.untilResponse(number);
    expect(s).toBe('ok');
    expect(Object.keys(d as object)).toHaveLength(ENTRIES);
  });
});
