import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCsvUser, encodeCsvUser, readCsvRows } from './csv.ts';

type Rows = readonly (readonly string[])[];

/** Returns the rows of a text that arrives in pieces of `bytes` bytes. */
function read(text: string, bytes = 5): Promise<Rows> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
  }
  return collect(pieces());
}

async function collect(source: AsyncIterable<Buffer>): Promise<Rows> {
  const rows: (readonly string[])[] = [];
  for await (const row of readCsvRows(source)) rows.push(row);
  return rows;
}

test.each<readonly [string, readonly (readonly string[])[]]>([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a,"b,""c""\nd",e\r\n', [['a', 'b,"c"\nd', 'e']]],
  ['\n\n,\na', [['a']]],
  ['é,""', [['é', '']]],
  ['a"b', [['a"b']]],
  ['a,"b\r\nc"\r\nd\n', [['a', 'b\r\nc'], ['d']]],
  ['\ufeff"a",b', [['a', 'b']]],
])('[H351] %j has the rows %j', async (text, rows) => {
  expect(await read(text)).toEqual(rows);
});

test('[H351] a file that ends within quotes is rejected', async () => {
  await expect(read('a,"b')).rejects.toThrow('The file ends within quotes.');
});

test('[H351] a row of more than 1 MiB is rejected', async () => {
  await expect(read('x'.repeat(1_048_600), 65_536)).rejects.toThrow(
    'A row of the file is longer than 1048576 bytes.',
  );
});

test('[H351] an error of the source is thrown', async () => {
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from('a\n');
    throw new Error('disk');
  }
  await expect(collect(source())).rejects.toThrow('disk');
});

test('[H351] a reader that stops closes the source', async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.from('a\nb\n');
    } finally {
      isClosed = true;
    }
  }
  for await (const row of readCsvRows(source())) {
    expect(row).toEqual(['a']);
    break;
  }
  await expect.poll(() => isClosed).toBe(true);
});

test('[H351] written accounts are read without loss', async () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' });
  const identity = fc.record(
    { providerId: fc.constantFrom('google.com', 'yahoo.com'), rawId: text, displayName: text },
    { requiredKeys: ['providerId', 'rawId'] },
  );
  const user = fc.record(
    {
      localId: text,
      email: text,
      displayName: text,
      customAttributes: fc.json({ maxDepth: 1 }),
      emailVerified: fc.constantFrom('true', 'false'),
      providerUserInfo: fc.uniqueArray(identity, { selector: ({ providerId }) => providerId, minLength: 1 }),
    },
    { requiredKeys: ['localId'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(user), fc.integer({ min: 1, max: 30 }), async (users, bytes) => {
      const rows = await read(users.map(encodeCsvUser).join(''), bytes);
      const sorted = users.map(({ providerUserInfo, ...rest }) => ({
        ...rest,
        ...(providerUserInfo === undefined
          ? {}
          : {
              providerUserInfo: providerUserInfo.toSorted((a, b) => (a.providerId < b.providerId ? -1 : 1)),
            }),
      }));
      expect(rows.map(decodeCsvUser)).toEqual(sorted);
    }),
    { numRuns: 100 },
  );
});

test('[H340] a line of the official command-line tool is an account', () => {
  const fields = Array.from({ length: 52 }, () => '');
  fields[0] = 'ann';
  fields[1] = 'ann@example.com';
  fields[2] = 'true';
  fields[23] = '1000';
  fields[24] = '2000';
  fields[19] = 'gh1';
  fields[28] = 'ap1';
  expect(decodeCsvUser(fields)).toEqual({
    localId: 'ann',
    email: 'ann@example.com',
    emailVerified: 'true',
    createdAt: '1000',
    lastSignedInAt: '2000',
    providerUserInfo: [
      { providerId: 'github.com', rawId: 'gh1' },
      { providerId: 'apple.com', rawId: 'ap1' },
    ],
  });
});
