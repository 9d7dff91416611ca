import { expect, test } from 'vitest';
import type { AuditEvent } from '../audit/audit-trail.ts';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import { randomBytes } from '../ops/random.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { secretKey } from '../secrets/secret-key.ts';
import { SigningKeys } from '../tokens/signing-keys.ts';
import { tellKeyChanges } from './tell-key-changes.ts';

test('[I508] signing keys that come and go are in the audit of the server', async () => {
  const { nowMs } = new TestClock();
  const books = memoryBooks();
  const told: AuditEvent[] = [];
  tellKeyChanges(books, { tell: (event) => told.push(event) });
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const keys = await SigningKeys.open({ books, box, nowMs, randomBytes });
  await keys.replaceAll('idToken');
  expect(told.map(({ event, projectId, detail }) => [event, projectId, detail])).toEqual([
    ['signing_keys_changed', null, 'idToken: a key was added'],
    ['signing_keys_changed', null, 'sessionCookie: a key was added'],
    ['signing_keys_changed', null, 'idToken: a key was added'],
    ['signing_keys_changed', null, 'idToken: a key was removed'],
  ]);
});
