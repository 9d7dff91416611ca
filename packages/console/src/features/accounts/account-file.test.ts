import { expect, test } from 'vitest';
import { readAccounts } from './account-file.ts';

async function read(text: string) {
  const reader = readAccounts(new Blob([text]), () => {});
  const accounts: unknown[] = [];
  for (;;) {
    const step = await reader.next();
    if (step.done === true) return { accounts, head: step.value };
    accounts.push(step.value);
  }
}

test('[C200] the accounts of a file are read with their hash parameters', async () => {
  const text =
    '{"users": [{"localId":"a"},\n{"localId":"b}"}],"hashParameters":{"x":{"hashAlgorithm":"BCRYPT"}}}';
  expect(await read(text)).toEqual({
    accounts: [{ localId: 'a' }, { localId: 'b}' }],
    head: { hashParameters: { x: { hashAlgorithm: 'BCRYPT' } } },
  });
});

test.each([
  ['{"users": [{"localId":}]}', 'Account 1 in the file is not a valid JSON object'],
  ['{"users": [{"localId":"a"}', 'The JSON file is incomplete'],
  ['[]', 'The file must be an object with a list "users".'],
  ['localId,email', 'The JSON file is incomplete'],
])('[C200] an invalid file is rejected: %s', async (text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence);
});
