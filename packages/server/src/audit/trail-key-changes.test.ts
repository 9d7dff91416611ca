import { expect, test } from 'vitest';
import { takeRsaKeyPairLater } from '../auth/tokens/rsa-key-pairs.fixture.ts';
import { SigningKeys } from '../auth/tokens/signing-keys.ts';
import { randomBytes } from '../platform/random.ts';
import { secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import { type AuditEvent, auditKeyChanges } from './trail.ts';

test('[I508] added and removed signing keys are recorded in the audit log of the server', async () => {
  const { nowMs } = new TestClock();
  const recordStore = memoryRecordStore();
  const reported: AuditEvent[] = [];
  auditKeyChanges(recordStore, { notify: (event) => reported.push(event) });
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const keys = await SigningKeys.open({
    recordStore,
    box,
    nowMs,
    randomBytes,
    generateKeyPair: takeRsaKeyPairLater,
  });
  await keys.replaceAll('idToken');
  expect(reported.map(({ event, projectId, detail }) => [event, projectId, detail])).toEqual([
    ['signing_keys_changed', null, 'idToken: a key was added'],
    ['signing_keys_changed', null, 'sessionCookie: a key was added'],
    ['signing_keys_changed', null, 'appCheck: a key was added'],
    ['signing_keys_changed', null, 'idToken: a key was added'],
    ['signing_keys_changed', null, 'idToken: a key was removed'],
  ]);
});
