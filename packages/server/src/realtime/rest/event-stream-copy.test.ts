import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamCopy } from './event-stream-copy.fixture.ts';
import { openStreamTestBed, type ReceivedStream } from './event-stream-test-bed.fixture.ts';

const RUNS = 100;
const SEED = 20_260_101;

const RULES = '{"rules":{".read":true,".write":true,"a":{".indexOn":["n",".value"]}}}';

/** The streamed paths, in both forms. */
const PATHS = [
  '/.json?',
  '/a.json?',
  '/a/0.json?',
  '/a/b/n.json?',
  '/a.json?orderBy="$key"&limitToFirst=2',
  '/a.json?orderBy="$key"&startAt="1"',
  '/a.json?orderBy="n"&limitToLast=2',
  '/a.json?orderBy="n"&startAt=1&endAt="x"&limitToFirst=2',
  '/a.json?orderBy="$value"&equalTo=1',
  '/a.json?orderBy="$priority"&limitToFirst=2',
  '/.json?orderBy="$priority"&limitToLast=1',
];

const STREAMS = PATHS.flatMap((url) => [
  { url, form: 'plain' as const },
  { url: `${url}&format=export`, form: 'export' as const },
]);

const keyArbitrary = fc.constantFrom('a', 'b', 'n', '0', '1', '2');
const pathArbitrary = fc.array(keyArbitrary, { maxLength: 3 });
const priorityArbitrary = fc.constantFrom(null, 1, 2, 'p');
const scalarArbitrary = fc.constantFrom(null, true, 0, 1, 2, 'x', 'é"\n');
const { value: valueArbitrary } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarArbitrary,
    fc.record({ '.value': fc.constantFrom(1, 'x'), '.priority': priorityArbitrary }),
    fc.dictionary(keyArbitrary, tie('value'), { minKeys: 1, maxKeys: 3 }),
    fc
      .tuple(fc.dictionary(keyArbitrary, tie('value'), { minKeys: 1, maxKeys: 3 }), priorityArbitrary)
      .map(([children, priority]) => ({ ...children, '.priority': priority })),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

type Write = readonly [method: 'PUT' | 'PATCH', url: string, body: string];

const writeArbitrary: fc.Arbitrary<Write> = fc.oneof(
  fc
    .tuple(pathArbitrary, valueArbitrary)
    .map(([path, value]): Write => ['PUT', `/${path.join('/')}.json`, JSON.stringify(value)]),
  fc
    .tuple(pathArbitrary, priorityArbitrary)
    .map(
      ([path, value]): Write => ['PUT', `/${[...path, '.priority'].join('/')}.json`, JSON.stringify(value)],
    ),
  fc
    .tuple(pathArbitrary, fc.dictionary(keyArbitrary, valueArbitrary, { minKeys: 1, maxKeys: 3 }))
    .map(([path, value]): Write => ['PATCH', `/${path.join('/')}.json`, JSON.stringify(value)]),
  fc
    .tuple(
      fc.dictionary(
        fc.constantFrom('a/b/n', 'a/0', 'a/1/n', 'a/1/.priority', 'a/2', 'b/0', 'b/.priority'),
        fc.constantFrom(null, 1, 2),
        { minKeys: 2, maxKeys: 4 },
      ),
    )
    .map(([value]): Write => ['PATCH', '/.json', JSON.stringify(value)]),
);

/**
 * Returns a value that is equal for equal trees, whatever the order of their members. An empty object counts
 * as `null`.
 */
function normal(json: string): unknown {
  const value = parseJsonText(json);
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? null : value;
}

interface Copied {
  readonly stream: ReceivedStream;
  readonly copy: StreamCopy;
  readonly url: string;
  readonly form: 'plain' | 'export';
}

test('[H168] a copy to which all events are applied equals the current data', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(writeArbitrary, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom(...STREAMS), { minLength: 1, maxLength: 4 }),
      async (transactions, streams) => {
        const testBed = await openStreamTestBed();
        const copies: Copied[] = [];
        await testBed.write(['PUT', '/.settings/rules.json', RULES]);
        for (const [index, writes] of transactions.entries()) {
          const wanted = streams[index];
          if (wanted !== undefined)
            copies.push({
              ...wanted,
              stream: await testBed.stream(encodeURI(wanted.url)),
              copy: new StreamCopy(),
            });
          await testBed.write(...writes);
          for (const { stream, copy, url, form } of copies) {
            copy.apply(stream.take());
            expect(normal(copy.json(form)), url).toEqual(normal(await testBed.read(encodeURI(url))));
          }
        }
        await testBed.close();
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
});
