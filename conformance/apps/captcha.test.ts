import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { changeAuthConfig, freshEmail, PASSWORD, readMailedCodes } from '../drivers/auth.ts';
import { type CaptchaPage, openCaptchaPage } from '../drivers/captcha-page.ts';
import type { ServerProcess } from '../drivers/server-process.ts';
import { openServerWithBrowser, type ServerWithBrowser } from '../drivers/server-with-browser.ts';
import { freshPhoneNumber, readSmsCode } from '../drivers/sms.ts';

let running: ServerWithBrowser;
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  running = await openServerWithBrowser();
  ({ server, browser } = running);
});

afterAll(() => running[Symbol.asyncDispose]());

type State = 'OFF' | 'AUDIT' | 'ENFORCE';

/** Sets whether requests with passwords and by phone need solved challenges. */
async function enforce(emailPassword: State, phone: State): Promise<void> {
  const recaptchaConfig = {
    emailPasswordEnforcementState: emailPassword,
    phoneEnforcementState: phone,
    hearth: { cost: 2_000 },
  };
  await changeAuthConfig(server.url, { recaptchaConfig }, 'recaptchaConfig');
}

/** Opens the page of an app. At the end of the test, the page must have requested nothing from other hosts. */
async function openPage(hasShim = true): Promise<CaptchaPage> {
  const opened = await openCaptchaPage(browser, server.url, hasShim);
  onTestFinished(() => expect(opened.foreignRequests).toEqual([]));
  return opened;
}

beforeEach(() => enforce('OFF', 'OFF'));

/**
 * Returns the source of a function that signs in with the code of a text message in the page, and returns the number of
 * the user.
 */
const CONFIRM = (code: string) =>
  `const { user } = await window.confirmation.confirm('${code}'); return user.phoneNumber;`;

test.each([
  ['visible', "new sdk.RecaptchaVerifier(auth, 'box', {})"],
  ['invisible', "new sdk.RecaptchaVerifier(auth, 'button', { size: 'invisible' })"],
])('[S870] a %s RecaptchaVerifier proves the page for each text message', async (_, verifier) => {
  const { run } = await openPage();
  // The SDK reads the configuration once. The project first requires no challenge, so that the SDK uses the verifier;
  // then the server enforces the proof.
  await run('await sdk.initializeRecaptchaConfig(auth)');
  await enforce('OFF', 'ENFORCE');
  const ask = (number: string) =>
    run(`window.verifier ??= ${verifier};
        window.confirmation = await sdk.signInWithPhoneNumber(auth, '${number}', window.verifier);
        return 'sent'`);
  for (const number of [freshPhoneNumber(), freshPhoneNumber()]) {
    expect(await ask(number)).toBe('sent');
    expect(await run(CONFIRM(await readSmsCode(number, server.url)))).toBe(number);
  }
});

test('[S871] a project that enforces challenges for text messages needs no verifier', async () => {
  await enforce('OFF', 'ENFORCE');
  const { run } = await openPage();
  const number = freshPhoneNumber();
  const send = `window.confirmation = await sdk.signInWithPhoneNumber(auth, '${number}'); return 'sent'`;
  expect(await run(send)).toBe('sent');
  expect(await run(CONFIRM(await readSmsCode(number, server.url)))).toBe(number);
});

test('[S872] a phone is enrolled as second factor and signs in, while the project enforces challenges for everything', async () => {
  await enforce('ENFORCE', 'ENFORCE');
  const { run } = await openPage();
  const email = freshEmail();
  const number = freshPhoneNumber();
  expect(
    await run(`await sdk.createUserWithEmailAndPassword(auth, '${email}', '${PASSWORD}');
    await sdk.sendEmailVerification(auth.currentUser)`),
  ).toBeUndefined();
  const [verification] = await readMailedCodes(email, server.url);
  const enroll = `await sdk.applyActionCode(auth, '${verification?.code}');
    await auth.currentUser.reload();
    await auth.currentUser.getIdToken(true);
    const session = await sdk.multiFactor(auth.currentUser).getSession();
    window.id = await new sdk.PhoneAuthProvider(auth).verifyPhoneNumber({ phoneNumber: '${number}', session });
    return 'sent'`;
  expect(await run(enroll)).toBe('sent');
  const assertion = (code: string) =>
    `sdk.PhoneMultiFactorGenerator.assertion(sdk.PhoneAuthProvider.credential(window.id, '${code}'))`;
  const code = await readSmsCode(number, server.url);
  await run(
    `await sdk.multiFactor(auth.currentUser).enroll(${assertion(code)}, 'mine'); await sdk.signOut(auth)`,
  );
  const signIn = `try { await sdk.signInWithEmailAndPassword(auth, '${email}', '${PASSWORD}') }
    catch (error) { window.resolver = sdk.getMultiFactorResolver(auth, error) }
    const { session, hints: [multiFactorHint] } = window.resolver;
    window.id = await new sdk.PhoneAuthProvider(auth).verifyPhoneNumber({ multiFactorHint, session });
    return 'sent'`;
  expect(await run(signIn)).toBe('sent');
  const second = await readSmsCode(number, server.url);
  const finish = `const { user } = await window.resolver.resolveSignIn(${assertion(second)}); return user.email`;
  expect(await run(finish)).toBe(email);
});

test('[S873] sign-up, sign-in and password reset work while the project enforces challenges for passwords', async () => {
  await enforce('ENFORCE', 'OFF');
  const { run, page } = await openPage();
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/accounts:')) sent.push(request.postDataJSON());
  });
  const email = freshEmail();
  const signUp = `return (await sdk.createUserWithEmailAndPassword(auth, '${email}', '${PASSWORD}')).user.email`;
  expect(await run(signUp)).toBe(email);
  const signIn = (password: string) =>
    `return (await sdk.signInWithEmailAndPassword(auth, '${email}', '${password}')).user.email`;
  expect(await run(signIn(PASSWORD))).toBe(email);
  expect(await run(signIn('another password'))).toBe('auth/wrong-password');
  expect(await run(`await sdk.sendPasswordResetEmail(auth, '${email}'); return 'sent'`)).toBe('sent');
  expect((await readMailedCodes(email, server.url)).map(({ purpose }) => purpose)).toEqual([
    'PASSWORD_RESET',
  ]);
  const tokens = JSON.stringify(sent).match(/"captchaResp(?:onse)?":"alt2\./g);
  expect(tokens).toHaveLength(4);
});

test('[S874] a page without the script is rejected by a project that enforces challenges, and requests nothing from other hosts', async () => {
  await enforce('ENFORCE', 'OFF');
  const { run } = await openPage(false);
  const signUp = `await sdk.createUserWithEmailAndPassword(auth, '${freshEmail()}', '${PASSWORD}')`;
  expect(await run(signUp)).toBe('auth/captcha-check-failed');
});
