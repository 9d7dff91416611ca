import { expect, test } from 'vitest';
import type { AuditEvent } from '../../audit/trail.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { TestClock } from '../../records/memory-records.fixture.ts';
import { Fields } from '../fields.ts';
import { AccessTokens } from './access-tokens.ts';
import { ASSERTION_GRANT_TYPE, exchangeAssertion } from './assertion.ts';

test('[I508] a rejected assertion is recorded in the audit log of the server, without its text', async () => {
  const clock = new TestClock();
  const reported: AuditEvent[] = [];
  const findAccount = () => undefined;
  const services = {
    accessTokens: new AccessTokens(secretKey(new Uint8Array(32)), findAccount, clock.nowMs),
    findAccount,
    tokenUrl: 'https://hearth.example.com/token',
    clock,
    audit: { notify: (event: AuditEvent) => void reported.push(event) },
  };
  const claims = Buffer.from('{"iss":"robot@demo"}').toString('base64url');
  const assertion = `eyJhbGciOiJSUzI1NiJ9.${claims}.AAAA`;
  const fields = new Fields({ grant_type: ASSERTION_GRANT_TYPE, assertion });
  const source = { address: '192.0.2.1', userAgent: 'Test/1.0', requestId: 'r1' };
  const client = { ...source, network: '', locale: '', origin: null, isWeb: false };
  await expect(exchangeAssertion(services, fields, client)).rejects.toThrow('invalid_grant');
  expect(reported).toEqual([
    {
      event: 'access_token_issued',
      projectId: null,
      uid: null,
      actor: 'unknown',
      ...source,
      result: 'invalid_grant',
      detail: null,
    },
  ]);
});
