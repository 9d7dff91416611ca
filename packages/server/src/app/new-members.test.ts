import { expect, test, vi } from 'vitest';
import { smtpTestBed } from '../mail/smtp-test-bed.fixture.ts';
import { parseSmtpAddress } from '../platform/network-address.ts';
import { enroll, openShop, PASSWORD, type SignedIn, signUp } from './members.fixture.ts';
import { PUBLIC_URL } from './serving.fixture.ts';

const ACCOUNTS = '/v1/projects/shop/accounts';
const OWN_PASSWORD = 'quiet-river-at-dawn';

/** Settings that let users enroll second factors and sign in by links. */
const ALL_METHODS = {
  mfa: {
    state: 'ENABLED',
    providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 1 } }],
  },
  signIn: { email: { enabled: true, passwordRequired: false } },
};

type Shop = Awaited<ReturnType<typeof openShop>>;

/**
 * Opens a project whose mails are received, with an editor, and an account that the editor has created and
 * can sign in to.
 */
async function openPrepared() {
  const mailServer = await smtpTestBed();
  const smtpUrl = parseSmtpAddress(`smtp://127.0.0.1:${mailServer.port}`, 'x');
  const shop = await openShop({ smtpUrl, mailFrom: 'noreply@host.example' });
  await shop.serving.ask('/v2/projects/shop/config?updateMask=mfa,signIn.email', {
    token: shop.serving.token,
    method: 'PATCH',
    body: ALL_METHODS,
  });
  const editor = await shop.make('editor');
  const body = { email: 'boss@example.com', password: PASSWORD, emailVerified: true };
  await shop.serving.ask(ACCOUNTS, { token: editor.memberToken, body });
  const { json } = await signIn(shop, body);
  return {
    shop,
    editor,
    boss: { ...body, uid: String(json['localId']), idToken: String(json['idToken']) },
    /** Returns the code of a mail that an app requests. */
    async mailedCode(requestType: string): Promise<string> {
      // Mails to several people are sent at the same time, in any order.
      const received = () => mailServer.received.filter(({ raw }) => raw.includes(`To: ${body.email}`));
      const before = received().length;
      await shop.serving.ask(`/v1/accounts:sendOobCode?key=${shop.apiKey}`, {
        body: { requestType, email: body.email },
      });
      await vi.waitFor(() => expect(received().length).toBeGreaterThan(before), { timeout: 120_000 });
      const text =
        received()
          .at(-1)
          ?.raw.replace(/=\r?\n/g, '')
          .replaceAll('=3D', '=') ?? '';
      return String(/oobCode=([\w-]+)/.exec(text)?.[1]);
    },
  };
}

function signIn({ serving, apiKey }: Shop, { email, password }: Record<'email' | 'password', string>) {
  return serving.ask(`/v1/accounts:signInWithPassword?key=${apiKey}`, { body: { email, password } });
}

function add({ serving, owner }: Shop, { email }: Pick<SignedIn, 'email'>) {
  const body = { email, role: 'owner' };
  return serving.ask('/api/projects/shop/members', { token: owner.memberToken, body });
}

function reset({ serving, apiKey }: Shop, oobCode: string) {
  return serving.ask(`/v1/accounts:resetPassword?key=${apiKey}`, {
    body: { oobCode, newPassword: OWN_PASSWORD },
  });
}

/** Returns the code of a link that an editor requests, from the response. */
async function reportedCode(
  { serving }: Shop,
  { memberToken }: SignedIn,
  email: string,
  requestType: string,
) {
  const { json } = await serving.ask(`${ACCOUNTS}:sendOobCode`, {
    token: memberToken,
    body: { requestType, email, returnOobLink: true, continueUrl: PUBLIC_URL },
  });
  return String(json['oobCode']);
}

test('[I633][I634][I615] an account that another person prepared keeps no password, second factor or session when it becomes a member', async () => {
  const { shop, boss } = await openPrepared();
  const { serving, apiKey } = shop;
  const secondIdToken = await enroll(serving, apiKey, boss.idToken);
  const { json } = await signIn(shop, boss);
  expect(await add(shop, boss)).toMatchObject({
    status: 200,
    json: { hasSecondFactor: false, mustSetPassword: true },
  });
  expect((await serving.ask('/api/session', { token: `member.${secondIdToken}` })).status).toBe(401);
  expect((await signIn(shop, boss)).text).toContain('INVALID_LOGIN_CREDENTIALS');
  const second = await serving.ask(`/v2/accounts/mfaSignIn:finalize?key=${apiKey}`, {
    body: {
      mfaPendingCredential: json['mfaPendingCredential'],
      mfaEnrollmentId: Object([json['mfaInfo']].flat()[0]).mfaEnrollmentId,
      totpVerificationInfo: { verificationCode: '000000' },
    },
  });
  expect(second.text).toContain('INVALID_MFA_PENDING_CREDENTIAL');
});

test('[I633] a link from before the membership is not valid', async () => {
  const { shop, boss, editor } = await openPrepared();
  const { serving, apiKey } = shop;
  const codes = [
    await reportedCode(shop, editor, boss.email, 'PASSWORD_RESET'),
    await reportedCode(shop, editor, boss.email, 'EMAIL_SIGNIN'),
  ] as const;
  await add(shop, boss);
  expect((await reset(shop, codes[0])).text).toContain('INVALID_OOB_CODE');
  const link = { body: { email: boss.email, oobCode: codes[1] } };
  expect((await serving.ask(`/v1/accounts:signInWithEmailLink?key=${apiKey}`, link)).text).toContain(
    'INVALID_OOB_CODE',
  );
});

test('[I634] a member without a password sets one with a mailed link, and adds a second factor', async () => {
  const { shop, boss, mailedCode } = await openPrepared();
  await add(shop, boss);
  expect((await reset(shop, await mailedCode('PASSWORD_RESET'))).status).toBe(200);
  const { json } = await signIn(shop, { ...boss, password: OWN_PASSWORD });
  const idToken = await enroll(shop.serving, shop.apiKey, String(json['idToken']));
  expect((await shop.serving.ask('/api/session', { token: `member.${idToken}` })).json).toMatchObject({
    projects: [{ id: 'shop', role: 'owner' }],
  });
});

test('[I634][I615] when an account becomes a member, a password set with a mailed link and the second factor are kept, but sessions end', async () => {
  const { shop, boss, mailedCode } = await openPrepared();
  await reset(shop, await mailedCode('PASSWORD_RESET'));
  const own = { ...boss, password: OWN_PASSWORD };
  const { json } = await signIn(shop, own);
  const idToken = await enroll(shop.serving, shop.apiKey, String(json['idToken']));
  expect(await add(shop, boss)).toMatchObject({
    status: 200,
    json: { hasSecondFactor: true, mustSetPassword: false },
  });
  expect((await shop.serving.ask('/api/session', { token: `member.${idToken}` })).status).toBe(401);
  expect((await signIn(shop, own)).json).toMatchObject({ mfaPendingCredential: expect.any(String) });
});

test.each<[string, (testBed: Awaited<ReturnType<typeof openPrepared>>) => Promise<void>]>([
  [
    'with a link that an administrator received',
    async ({ shop, editor, boss }) => {
      await reset(shop, await reportedCode(shop, editor, boss.email, 'PASSWORD_RESET'));
    },
  ],
  [
    'by an administrator after the mail',
    async ({ shop, editor, boss, mailedCode }) => {
      await reset(shop, await mailedCode('PASSWORD_RESET'));
      const body = { localId: boss.uid, password: OWN_PASSWORD };
      await shop.serving.ask(`${ACCOUNTS}:update`, { token: editor.memberToken, body });
    },
  ],
  [
    'with a mail to an address that was then changed and changed back',
    async ({ shop, editor, boss, mailedCode }) => {
      await reset(shop, await mailedCode('PASSWORD_RESET'));
      for (const email of ['mine@example.com', boss.email]) {
        const body = { localId: boss.uid, email, emailVerified: true };
        await shop.serving.ask(`${ACCOUNTS}:update`, { token: editor.memberToken, body });
      }
    },
  ],
  [
    'by the user after the mail',
    async ({ shop, boss, mailedCode }) => {
      await reset(shop, await mailedCode('PASSWORD_RESET'));
      const { json } = await signIn(shop, { ...boss, password: OWN_PASSWORD });
      await shop.serving.ask(`/v1/accounts:update?key=${shop.apiKey}`, {
        body: { idToken: json['idToken'], password: OWN_PASSWORD },
      });
    },
  ],
])('[I634] when an account becomes a member, a password that was set %s is removed', async (_by, prepare) => {
  const testBed = await openPrepared();
  const { shop, boss } = testBed;
  await prepare(testBed);
  const own = { ...boss, password: OWN_PASSWORD };
  expect((await signIn(shop, own)).status).toBe(200);
  await add(shop, boss);
  expect((await signIn(shop, own)).text).toContain('INVALID_LOGIN_CREDENTIALS');
});

test('[I633] when an account becomes a member, sessions of other accounts continue', async () => {
  const { shop, boss } = await openPrepared();
  const ann = await signUp(shop.serving, 'shop', shop.apiKey, 'ann');
  await add(shop, boss);
  const body = { idToken: ann.idToken };
  expect((await shop.serving.ask(`/v1/accounts:lookup?key=${shop.apiKey}`, { body })).status).toBe(200);
  expect((await shop.serving.ask('/api/session', { token: shop.owner.memberToken })).status).toBe(200);
});
