import { beforeAll, describe, expect, test } from 'vitest';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawSocket } from '../../drivers/socket.ts';

/** The most UTF-16 code units in one frame of the server. */
const SEGMENT = 16_384;

describe('Frames', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  const request = (r: number, value: unknown) =>
    JSON.stringify({ t: 'd', d: { r, a: 'echo', b: { d: value } } });

  test('[W13] a count frame announces the segments of one message', async () => {
    const raw = await openRawSocket(ns);
    const text = request(1, 'segmented ✔ message');
    raw.sendFrame('3');
    raw.sendFrame(text.slice(0, 10));
    raw.sendFrame(text.slice(10, 40));
    raw.sendFrame(text.slice(40));
    expect(await raw.untilResponse(1)).toEqual({ s: 'ok', d: 'segmented ✔ message' });
  });

  test('[W14] a count of 1 is valid, and segments may be empty', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('1');
    raw.sendFrame(request(1, 'a'));
    raw.sendFrame('3');
    raw.sendFrame('');
    raw.sendFrame(request(2, 'b'));
    raw.sendFrame('');
    expect(await raw.untilResponse(1)).toEqual({ s: 'ok', d: 'a' });
    expect(await raw.untilResponse(2)).toEqual({ s: 'ok', d: 'b' });
  });

  test('[W15] a segment that looks like a number is a segment', async () => {
    const raw = await openRawSocket(ns);
    const text = request(1, 12345);
    const at = text.indexOf('12345');
    raw.sendFrame('3');
    raw.sendFrame(text.slice(0, at));
    raw.sendFrame('12345');
    raw.sendFrame(text.slice(at + 5));
    expect(await raw.untilResponse(1)).toEqual({ s: 'ok', d: 12345 });
  });

  test('[W16] the keepalive 0 is ignored and gets no response', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('0');
    raw.sendFrame('0');
    expect(await raw.request('echo', { d: 'x' })).toEqual({ s: 'ok', d: 'x' });
    expect(raw.frames).toHaveLength(2);
  });

  test('[W17] a response of up to 16384 code units is one frame, and a longer one is a count frame and segments', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('echo', { d: '' });
    const overhead = raw.frames.at(-1)?.length ?? 0;
    const before = raw.frames.length;
    await raw.request('echo', { d: 'x'.repeat(SEGMENT - overhead) });
    expect(raw.frames.slice(before).map(({ length }) => length)).toEqual([SEGMENT]);
    await raw.request('echo', { d: 'x'.repeat(SEGMENT - overhead + 1) });
    const [count, ...segments] = raw.frames.slice(before + 1);
    expect(count).toBe('2');
    expect(segments).toHaveLength(2);
    expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(SEGMENT);
  });

  test.each([0, 1, 2, 3])(
    '[W18] responses are split between characters, never inside one, with an offset of %i',
    async (offset) => {
      const raw = await openRawSocket(ns);
      const text = `${'x'.repeat(offset)}${'🐵'.repeat(40_000)}`;
      const answer = await raw.request('echo', { d: text });
      expect(answer['d'] === text).toBe(true);
      const [count, ...segments] = raw.frames.slice(1);
      expect(Number(count)).toBe(segments.length);
      for (const segment of segments)
        expect(segment.isWellFormed() && !segment.includes('\uFFFD')).toBe(true);
    },
  );

  test('[W19] a response of many megabytes is counted in at most four digits', async () => {
    const raw = await openRawSocket(ns);
    const text = 'é'.repeat(4_000_000);
    raw.sendFrame('1');
    raw.sendFrame(request(1, text));
    const answer = await raw.untilResponse(1);
    expect(answer['d'] === text).toBe(true);
    expect(raw.frames[1]).toMatch(/^[0-9]{1,4}$/);
  });

  test.each([
    ['text that is not JSON', '{"t":"d"'],
    ['a word', 'hello'],
    ['a binary frame', new TextEncoder().encode(request(1, 1))],
    ['segments that are not JSON', '2'],
    ['a count beyond the size limit', '999999'],
  ])('[W20] a client that breaks the framing is disconnected: %s', async (_, frame) => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(frame);
    if (frame === '2') {
      raw.sendFrame('{"t":');
      raw.sendFrame('nothing');
    }
    await raw.untilClosed();
  });

  test('[W21] a message beyond the size limit disconnects its sender', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(request(1, 'x'.repeat(40 * 1024 * 1024)));
    await raw.untilClosed();
    expect(raw.received()).toEqual([]);
  });

  test.each([
    '{}',
    '[]',
    'null',
    '"x"',
    '{"t":"d"}',
    '{"t":"d","d":null}',
    '{"t":"d","d":5}',
    '{"t":"d","d":[]}',
    '{"t":"d","d":{}}',
    '{"t":"c"}',
    '{"t":"c","d":7}',
    '{"t":"x","d":{}}',
    '{"t":"d","d":{"a":"q"}}',
    '{"t":"d","d":{"r":"1","a":"q","b":{}}}',
    '{"t":"d","d":{"r":1.5,"a":"q","b":{}}}',
    '{"t":"d","d":{"r":1,"a":5,"b":{}}}',
    '{"t":"d","d":{"__proto__":{"r":1}}}',
  ])('[W22] an invalid envelope affects no other client: %s', async (frame) => {
    const bystander = await openRawSocket(ns);
    const raw = await openRawSocket(ns);
    raw.sendFrame(frame);
    raw.sendFrame('{"t":"c","d":{"t":"p","d":{}}}');
    expect(await bystander.request('echo', { d: 'alive' })).toEqual({ s: 'ok', d: 'alive' });
    expect(await (await openRawSocket(ns)).request('echo', { d: 'open' })).toEqual({ s: 'ok', d: 'open' });
  });

  test('[W23] JSON nested ten thousand deep affects no other client', async () => {
    const bystander = await openRawSocket(ns);
    const raw = await openRawSocket(ns);
    raw.sendFrame(
      `{"t":"d","d":{"r":1,"a":"p","b":{"p":"x","d":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}}`,
    );
    raw.sendFrame(`{"t":"d","d":{"r":2,"a":"p","b":{"p":"x","d":${'['.repeat(100_000)}`);
    expect(await bystander.request('echo', { d: 'alive' })).toEqual({ s: 'ok', d: 'alive' });
  });

  test('[W24] a client that stops reading is disconnected at the send buffer limit, and others are served in the meantime', async () => {
    const stalled = await openRawSocket(ns);
    const reader = await openRawSocket(ns);
    const writer = await openRawSocket(ns);
    await stalled.request('q', { p: '/flood', h: '' });
    await reader.request('q', { p: '/flood', h: '' });
    stalled.socket.pause();
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 48; i++) {
      expect(await writer.request('p', { p: '/flood', d: `${i}${megabyte}` })).toEqual({ s: 'ok', d: '' });
    }
    expect((await reader.pushes()).filter(([action]) => action === 'd')).toHaveLength(49);
    stalled.socket.resume();
    await stalled.untilClosed();
    expect(stalled.received().length).toBeLessThan(49);
    expect(await writer.request('p', { p: '/flood', d: null })).toEqual({ s: 'ok', d: '' });
  });

  test('[W25] a connection dropped in the middle of a message affects no other client', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('5');
    raw.sendFrame('{"t":"d"');
    raw.socket.terminate();
    expect(await (await openRawSocket(ns)).request('echo', { d: 1 })).toEqual({ s: 'ok', d: 1 });
  });
});
