import { expect, test, vi } from 'vitest';
import { releasablePartsContract } from '../../http/byte-parts.contract.ts';
import { ProfileFeed } from './profiling.ts';

async function nextText(feed: ProfileFeed): Promise<string | undefined> {
  const { done, value } = await feed.next();
  return done === true || value === undefined ? undefined : value.toString();
}

releasablePartsContract('profile feed', async () => {
  let releases = 0;
  const parts = new ProfileFeed(() => {
    releases++;
  });
  return { parts, releases: () => releases };
});

test('[H82] the stream begins immediately and continues with each operation', async () => {
  const feed = new ProfileFeed(() => {});
  expect(await nextText(feed)).toBe(': profiling\n\n');
  feed.add('{"a":1}');
  feed.add('{"b":2}');
  expect(await nextText(feed)).toBe('event: log\ndata: {"a":1}\n\nevent: log\ndata: {"b":2}\n\n');
  const next = nextText(feed);
  feed.add('{"c":3}');
  expect(await next).toBe('event: log\ndata: {"c":3}\n\n');
});

test('[H82] while there are no operations, the stream sends comments', async () => {
  vi.useFakeTimers();
  const feed = new ProfileFeed(() => {});
  await nextText(feed);
  const next = nextText(feed);
  vi.advanceTimersByTime(20_000);
  expect(await next).toBe(': still there\n\n');
  vi.useRealTimers();
});

test('[H85] operations that wait for a slow reader are dropped and counted', async () => {
  const feed = new ProfileFeed(() => {});
  const operation = JSON.stringify('x'.repeat(2 ** 20));
  for (let count = 0; count < 10; count++) feed.add(operation);
  const text = (await nextText(feed)) ?? '';
  expect(text.match(/event: log/g)).toHaveLength(4);
  expect(text).toMatch(/: 6 operations were left out\n\n$/);
  feed.add('{"again":1}');
  expect(await nextText(feed)).toBe('event: log\ndata: {"again":1}\n\n');
});

test.each<readonly [string, (feed: ProfileFeed) => unknown]>([
  ['the server ends it', (feed) => feed.end()],
  ['its reader leaves', (feed) => feed.return()],
])('[H86] the stream ends when %s, even during a read', async (_case, end) => {
  const onEnd = vi.fn<() => void>();
  const feed = new ProfileFeed(onEnd);
  await nextText(feed);
  const next = nextText(feed);
  end(feed);
  expect(await next).toBeUndefined();
  feed.add('{}');
  expect(await nextText(feed)).toBeUndefined();
  await feed.return();
  expect(onEnd).toHaveBeenCalledOnce();
});
