import { expect, test } from 'vitest';
import { openStreamTestBed, put, type ReceivedStream, WITHIN } from './event-stream-test-bed.fixture.ts';

/** A value that is too long to be read in one transaction. */
const LONG = Object.fromEntries(Array.from({ length: 2_700 }, (_, n) => [`k${n + 3_000}`, 'x'.repeat(100)]));
const LONG_JSON = JSON.stringify(LONG);

/** Returns everything that the stream receives, once it has at least `length` characters. */
async function textOf(stream: ReceivedStream, length: number): Promise<string> {
  let text = '';
  const takenLength = (): number => {
    text += stream.take();
    return text.length;
  };
  await expect.poll(takenLength, WITHIN).toBeGreaterThanOrEqual(length);
  return text;
}

test('[L100] a stream receives a long value, and then the changes that follow', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PATCH', '/long.json', LONG_JSON]);
  const stream = await testBed.stream('/long.json');
  const first = put('/', LONG_JSON);
  expect(await textOf(stream, first.length)).toBe(first);
  await testBed.write(['PUT', '/long/k3001.json', '1']);
  expect(await textOf(stream, 1)).toBe(put('/k3001', '1'));
});

test('[L100] a stream of a query receives a long value in the order of the query', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PATCH', '/long.json', LONG_JSON]);
  const first = put('/', LONG_JSON);
  for (const form of ['', '&format=export']) {
    const stream = await testBed.stream(`/long.json?orderBy="$key"&startAt="k"${form}`);
    expect(await textOf(stream, first.length)).toBe(first);
  }
});

test('[L100] streams that end while their values are generated, or wait to be generated, free their memory', async () => {
  const testBed = await openStreamTestBed({ maxStreams: 30, messageBytes: 100_000_000 });
  await testBed.write(['PATCH', '/long.json', LONG_JSON]);
  const begun = Array.from({ length: 18 }, () => testBed.stream('/long.json'));
  while (testBed.streams.count < 18) await new Promise(setImmediate);
  testBed.streams.close();
  await Promise.allSettled(begun);
  await testBed.settle();
  expect([testBed.streams.count, testBed.listenCount]).toEqual([0, 0]);
});

test('[L100] 18 streams of a long value receive it', async () => {
  const testBed = await openStreamTestBed({ maxStreams: 30, messageBytes: 100_000_000 });
  await testBed.write(['PATCH', '/long.json', LONG_JSON]);
  const first = put('/', LONG_JSON);
  const streams = await Promise.all(Array.from({ length: 18 }, () => testBed.stream('/long.json')));
  for (const stream of streams) expect(await textOf(stream, first.length)).toBe(first);
  expect(testBed.listenCount).toBe(18);
});
