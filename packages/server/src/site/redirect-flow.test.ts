import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { AuthClient } from '../auth/api/auth-client.fixture.ts';
import { ANN, type Json, openFlows } from './sign-in-flow.fixture.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const APP = 'http://localhost:3000';
const REDIRECT = {
  authType: 'signInViaRedirect',
  redirectUrl: `${APP}/page?a=1#/route`,
  challenge: CHALLENGE,
};
const INVALID_CODE = /^INVALID_CODE/;

/** Opens the pages of a server, and an app that uses redirects. */
async function openRedirects() {
  const flows = await openFlows();
  const { client, start, issue, finish } = flows;
  /** Runs a redirect until it returns to the app. Returns the address at which the app gets the code, and the code. */
  async function run(change: Json = {}, answer: Json = { code: 'c0de' }) {
    const { asked, cookie } = await start({ ...REDIRECT, ...change });
    issue({ ...ANN, nonce: asked.get('nonce') });
    const { page } = await finish({ ...answer, state: asked.get('state') }, cookie);
    const address = new URL(page.address ?? 'none:');
    return { page, address, code: /__fbauth=([\w-]+)/.exec(address.hash)?.[1] ?? '' };
  }
  const redeem = (code: string, change: Json = {}, origin: string | undefined = APP, key = 'any') =>
    client.request(
      'POST',
      `/__/auth/redirect-result?key=${key}`,
      JSON.stringify({ code, verifier: VERIFIER, ...change }),
      { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
    );
  return { ...flows, run, redeem };
}

test('[I1580] a redirect leads back to the app with a code after its fragment, which the tab exchanges for the event', async () => {
  const { client, run, redeem } = await openRedirects();
  const { page, address, code } = await run();
  expect(page).not.toHaveProperty('event');
  expect(address.href).toBe(`${REDIRECT.redirectUrl}&__fbauth=${code}&challenge=${CHALLENGE}`);
  const { json } = await redeem(code);
  const event = json['event'] as Json;
  expect(event).toMatchObject({ type: 'signInViaRedirect', eventId: '123', tenantId: null });
  const { urlResponse: requestUri, sessionId } = event;
  const signedIn = await client.post('accounts:signInWithIdp', { requestUri, sessionId });
  expect(signedIn.json).toMatchObject({ providerId: 'oidc.work', isNewUser: true });
});

test('[I1580] a user who cancels, and a provider that is off, return to the app as errors', async () => {
  const { start, run, redeem } = await openRedirects();
  const { code } = await run({ redirectUrl: `${APP}/` }, { error: 'access_denied' });
  expect((await redeem(code)).json).toMatchObject({ event: { error: { code: 'auth/user-cancelled' } } });
  const { body } = await start({ ...REDIRECT, providerId: 'oidc.off' });
  const off = /__fbauth=([\w-]+)/.exec(body)?.[1] ?? '';
  expect((await redeem(off)).json).toMatchObject({
    event: { error: { code: 'auth/operation-not-allowed' } },
  });
});

test('[I1581] a code works once, with its secret, in its app, and for five minutes', async () => {
  const { client, run, redeem } = await openRedirects();
  const used = (await run()).code;
  expect((await redeem(used)).status).toBe(200);
  expect((await redeem(used)).error).toMatch(INVALID_CODE);
  for (const change of [{ verifier: 'w'.repeat(43) }, { verifier: '' }, { verifier: CHALLENGE }])
    expect((await redeem((await run()).code, change)).error).toMatch(INVALID_CODE);
  for (const origin of ['http://localhost:4000', 'https://evil.example', 'null'])
    expect((await redeem((await run()).code, {}, origin)).error).toMatch(INVALID_CODE);
  const { code: late } = await run();
  client.clock.ms += 300_001;
  expect((await redeem(late)).error).toMatch(INVALID_CODE);
});

test('[I1581] a request with another secret uses the code up, because others may know the code', async () => {
  const { run, redeem } = await openRedirects();
  const { code } = await run();
  expect((await redeem(code, { verifier: 'w'.repeat(43) })).error).toMatch(INVALID_CODE);
  expect((await redeem(code)).error).toMatch(INVALID_CODE);
});

test('[I1581] of the codes of one network, only the 50 latest work', async () => {
  const { run, redeem } = await openRedirects();
  const first = (await run()).code;
  const second = (await run()).code;
  for (let count = 0; count < 49; count += 1) await run();
  expect((await redeem(first)).error).toMatch(INVALID_CODE);
  expect((await redeem(second)).status).toBe(200);
});

test.each(['short', `${CHALLENGE}=`, 'a&b', '#'.repeat(43)])(
  '[I1580] a redirect with the challenge "%s" does not begin',
  async (challenge) => {
    const { start, provider } = await openRedirects();
    const { status, body } = await start({ ...REDIRECT, challenge });
    expect([status, body]).toEqual([400, expect.stringContaining('incomplete')]);
    expect(provider.requested).toEqual([]);
  },
);

test('[I1580] a popup gets its event from the page, whatever challenge its address names', async () => {
  const { run } = await openRedirects();
  const { page } = await run({ authType: 'signInViaPopup' });
  expect(page).toMatchObject({ kind: 'deliver', event: { type: 'signInViaPopup' } });
});

test('[I1583] development mode creates codes from events only for pages of the server and of apps of the project', async () => {
  const event = { type: 'signInViaRedirect', urlResponse: 'http://localhost:9000/?id_token={}' };
  const ask = async (client: AuthClient, change: Json = {}, origin = 'http://localhost:9000') =>
    client.request(
      'POST',
      '/__/auth/redirect-event?key=any',
      JSON.stringify({ redirectUrl: `${APP}/`, challenge: CHALLENGE, event, ...change }),
      { 'content-type': 'application/json', host: 'localhost:9000', origin },
    );
  const client = await AuthClient.open();
  const { json } = await ask(client);
  expect(json['address']).toMatch(/^http:\/\/localhost:3000\/#__fbauth=[\w-]{43}&challenge=/);
  expect((await ask(client, {}, APP)).error).toMatch(/^INSUFFICIENT_PERMISSION/);
  expect((await ask(client, { redirectUrl: 'https://evil.example/' })).error).toMatch(/^UNAUTHORIZED_DOMAIN/);
  for (const change of [{ challenge: 'short' }, { event: 'text' }])
    expect((await ask(client, change)).error).toMatch(/^INVALID_ARGUMENT/);
  const serving = await AuthClient.open(undefined, { isDevelopment: false });
  expect((await ask(serving)).error).toBe('OPERATION_NOT_ALLOWED');
});
