import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { listMails, requireCode } from '../codes/mailed-codes.fixture.ts';
import { ANN, openAnn } from './second-factor.fixture.ts';

/** Mails of the same millisecond have no order. */
const mailsOf = (client: AuthClient, kind: string) => listMails(client).filter((mail) => mail.kind === kind);

test('[I670] a user who removes a second factor gets a mail', async () => {
  const client = await AuthClient.open();
  const { idToken, enrollmentId } = await openAnn(client);
  const body = { idToken, mfaEnrollmentId: enrollmentId };
  expect((await client.post('/v2/accounts/mfaEnrollment:withdraw', body)).status).toBe(200);
  expect(mailsOf(client, 'secondFactorRemoved')).toMatchObject([{ to: ANN.email }]);
});

test('[I670] a user who removes a second factor with the code from a mail gets another mail', async () => {
  const client = await AuthClient.open();
  await openAnn(client);
  const oobCode = await requireCode(client, 'REVERT_SECOND_FACTOR_ADDITION');
  expect((await client.post('accounts:update', { oobCode })).status).toBe(200);
  expect(mailsOf(client, 'secondFactorRemoved')).toMatchObject([{ to: ANN.email }]);
});

test('[I670] a user who signs in with a recovery code gets a mail without it, and a wrong code sends none', async () => {
  const client = await AuthClient.open();
  const { idToken } = await openAnn(client);
  const { json } = await client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
  const [code] = json['recoveryCodes'] as readonly string[];
  const { mfaPendingCredential, mfaInfo } = (await client.post('accounts:signInWithPassword', ANN)).json;
  const [{ mfaEnrollmentId }] = mfaInfo as readonly [{ readonly mfaEnrollmentId: string }];
  const finish = (verificationCode: unknown) =>
    client.post('/v2/accounts/mfaSignIn:finalize', {
      mfaPendingCredential,
      mfaEnrollmentId,
      totpVerificationInfo: { verificationCode },
    });
  const before = listMails(client).length;
  expect((await finish('aaaaaa-aaaaaa-aaaaaa-aaaaaa')).status).toBe(400);
  expect(listMails(client)).toHaveLength(before);
  expect((await finish(code)).status).toBe(200);
  expect(mailsOf(client, 'recoveryCodeUsed')).toMatchObject([{ to: ANN.email }]);
  expect(JSON.stringify(listMails(client))).not.toContain(code);
});

test('[I670] a user who generates recovery codes gets a mail without them, and a rejected request sends none', async () => {
  const client = await AuthClient.open();
  const { idToken, earlier } = await openAnn(client);
  const make = (token: unknown) => client.post('/v2/accounts/mfaRecoveryCodes:generate', { idToken: token });
  const before = listMails(client).length;
  expect((await make(earlier.idToken)).status).toBe(400);
  expect(listMails(client)).toHaveLength(before);
  const { json } = await make(idToken);
  expect(mailsOf(client, 'recoveryCodesMade')).toMatchObject([{ to: ANN.email }]);
  for (const code of json['recoveryCodes'] as readonly string[])
    expect(JSON.stringify(listMails(client))).not.toContain(code);
});
