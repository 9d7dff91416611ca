import { expect, test } from 'vitest';
import { openDevelopment } from './development.fixture.ts';

const AT = '/api/projects/demo/accounts/merge';

async function openTwoAccounts() {
  const ask = await openDevelopment();
  await ask('POST', '/v1/projects/demo/accounts:batchCreate', {
    users: [
      { localId: 'a', email: 'a@example.com', emailVerified: true },
      { localId: 'b', displayName: 'Bob', phoneNumber: '+442079460123' },
    ],
  });
  return ask;
}

test('[I1706][I1708] an administrator merges two accounts after a preview, and the merge is in the audit log once for each account', async () => {
  const ask = await openTwoAccounts();
  const { json: preview } = await ask('GET', `${AT}?into=a&from=b`);
  expect(preview).toMatchObject({
    into: { localId: 'a' },
    from: { localId: 'b' },
    merged: { localId: 'a', email: 'a@example.com', displayName: 'Bob', phoneNumber: '+442079460123' },
    moved: [
      { kind: 'phone', text: '+442079460123' },
      { kind: 'name', text: 'Bob' },
    ],
    lost: [],
    endedSessions: 0,
    problem: null,
  });
  const body = { into: 'a', from: 'b', expected: (preview as { readonly digest: string }).digest };
  expect(await ask('POST', AT, { ...body, expected: 'x' })).toMatchObject({
    status: 409,
    json: { code: 'account/changed' },
  });
  expect(await ask('POST', AT, body)).toMatchObject({
    status: 200,
    json: { account: { localId: 'a', displayName: 'Bob' } },
  });
  expect(await ask('POST', AT, body)).toMatchObject({ status: 404, json: { code: 'account/unknown' } });
  const { json } = await ask('GET', '/api/projects/demo/audit?event=accounts_merged');
  expect(json).toMatchObject({
    entries: [
      { uid: 'b', detail: 'removed' },
      { uid: 'a', detail: 'remains' },
    ],
  });
});

test.each([
  ['GET', `${AT}?into=a`, undefined, 400],
  ['GET', `${AT}?into=a&from=a`, undefined, 409],
  ['GET', `${AT}?into=a&from=nobody`, undefined, 404],
  ['GET', `${AT}?into=a&from=b&tenant=acme`, undefined, 404],
  ['GET', `${AT}?into=a&from=${'x'.repeat(129)}`, undefined, 400],
  ['POST', AT, { into: 'a', from: 'b' }, 400],
  ['POST', AT, { into: 'a', from: 'b', expected: 1 }, 400],
  ['POST', AT, { into: 'a', from: 'b', expected: 'x', more: 1 }, 400],
  ['GET', '/api/projects/demo/accounts/duplicates', undefined, 400],
  ['GET', '/api/projects/demo/accounts/duplicates?uid=nobody', undefined, 404],
] as const)('[I1707] %s %s with %j is rejected with %i', async (method, url, body, status) => {
  const ask = await openTwoAccounts();
  expect(await ask(method, url, body)).toMatchObject({ status });
});

test('[I1707] the account of a member is not merged', async () => {
  const ask = await openTwoAccounts();
  await ask('POST', '/api/projects/demo/members', { email: 'a@example.com', role: 'viewer' });
  const { json } = await ask('GET', `${AT}?into=b&from=a`);
  const { problem, digest } = json as { readonly problem: string; readonly digest: string };
  expect(problem).toBe('member');
  expect(await ask('POST', AT, { into: 'b', from: 'a', expected: digest })).toMatchObject({
    status: 409,
    json: { code: 'account/not-mergeable' },
  });
});
