import type { FileUser } from '@hearth/core/api/account-file.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonUsers } from './account-file.ts';

/** Yields the text in pieces of `bytes` bytes. */
async function* inPieces(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function read(text: string, bytes = 7): Promise<readonly FileUser[]> {
  const users: FileUser[] = [];
  for await (const user of readJsonUsers(inPieces(text, bytes))) users.push(user);
  return users;
}

test('[H341] the accounts are the same however the file is split into chunks', async () => {
  const user = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(user),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      async (users, bytes, isWide) => {
        const file = { before: [{ users: [] }], users, after: { users: [1] } };
        const text = JSON.stringify(file, null, isWide ? 2 : 0);
        expect(await read(text, bytes)).toEqual(Object(parseJsonText(text))['users']);
      },
    ),
    { numRuns: 100 },
  );
});

test.each<readonly [string, readonly unknown[]]>([
  ['{"users": []}', []],
  ['{}', []],
  ['{"users": [{"localId":"a}\\"]"}]}', [{ localId: 'a}"]' }]],
  ['{"other": [{"localId":"a"}]}', []],
])('[H341] %s has the accounts %j', async (text, expected) => {
  expect(await read(text)).toEqual(expected);
});

test.each<readonly [string, string]>([
  ['Account 2 of the file is not JSON', '{"users": [{"localId":"a"}, {"localId":}]}'],
  ['Account 1 of the file is not an object.', '{"users": [[1]]}'],
  ['The file ends before its JSON is complete, after 1 accounts.', '{"users": [{"localId":"a"},'],
  ['The file ends before its JSON is complete, after 0 accounts.', ''],
  ['The file must be an object with a list "users".', '[{"localId":"a"}]'],
  ['it has an extra closing bracket', '{"users": []}}'],
  [
    'An entry of "users" in the file is longer than 1048576 characters.',
    `{"users": [{"localId":"${'a'.repeat(1_100_000)}`,
  ],
])('[H341] an invalid file is rejected: %s', async (sentence, text) => {
  await expect(read(text, 100_000)).rejects.toThrow(sentence);
});
