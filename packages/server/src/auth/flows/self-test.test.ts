import { expect, onTestFinished, test } from 'vitest';
import type { HttpReply } from '../../platform/network/http-send.ts';
import { AuthOverload } from '../errors.ts';
import { configure, openProviderTestBed, reply } from '../providers/fake-provider.fixture.ts';
import { createIdpKey } from '../saml/identity-provider.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const OWNER = { authorization: 'Bearer owner' };
const CODE = { clientSecret: 'secret', responseType: { code: true } };

/** Opens a project with a provider whose pages and token endpoint answer as those of a provider that works. */
async function open(providerId = 'oidc.work', change: Json = CODE, issuer?: string) {
  const { client, provider } = await openProviderTestBed(issuer);
  client.clock.ms = Date.now();
  await configure(client, providerId, change);
  let page: HttpReply = { ...reply('<html>'), date: new Date(client.clock.ms).toUTCString() };
  let token = reply({ error: 'invalid_grant' }, 400);
  provider.answers.set(`${provider.issuer}/authorize`, () => page);
  provider.answers.set(`${provider.issuer}/token`, () => token);
  const run = async (id = providerId) => {
    const path = `/v2/projects/demo/identityProviders/${id}:test`;
    const { status, json } = await client.request('POST', path, '{}', OWNER);
    const tests = (json['tests'] ?? []) as readonly Json[];
    const found = Object.fromEntries(tests.map(({ name, state }) => [name, state]));
    const messages = tests.flatMap(({ message }) => (message === undefined ? [] : [String(message)]));
    return { status, found, messages };
  };
  return {
    client,
    provider,
    run,
    answerPage: (next: HttpReply) => (page = { ...page, ...next }),
    answerToken: (next: HttpReply) => (token = next),
  };
}

test('[I1340] a provider that works passes all tests, and no sign-in begins', async () => {
  const { run, provider } = await open();
  const asked: URL[] = [];
  provider.answers.set('https://id.example/authorize', (_request, url) => {
    asked.push(url);
    return { ...reply('<html>'), date: new Date().toUTCString() };
  });
  const { found, messages } = await run();
  expect(found).toEqual({
    configuration: 'ok',
    discovery: 'ok',
    keys: 'ok',
    clock: 'ok',
    redirect: 'ok',
    secret: 'ok',
  });
  expect(messages).toEqual([]);
  expect(asked[0]?.searchParams.get('redirect_uri')).toMatch(/\/__\/auth\/handler$/);
});

test('[I1341] the test says which of secret, redirect address, clock and issuer is wrong', async () => {
  const { client, run, answerPage, answerToken, provider } = await open();
  answerToken(reply({ error: 'invalid_client' }, 401));
  expect((await run()).found['secret']).toBe('failed');
  answerToken(reply({ message: 'what' }, 418));
  expect((await run()).found['secret']).toBe('warning');
  // Google reports a missing secret like this.
  answerToken(reply({ error: 'invalid_request' }, 400));
  expect((await run()).found['secret']).toBe('warning');
  answerToken(reply({ error: 'invalid_grant' }, 400));
  answerPage(reply('no', 400));
  const { found, messages } = await run();
  expect(found['redirect']).toBe('failed');
  expect(messages[0]).toMatch(
    /^id\.example rejects the sign-in with status 400\. At the provider, register http.* for the client shop\.$/,
  );
  answerPage({ ...reply('', 302), location: '/error?authError=redirect_uri_mismatch' });
  expect((await run()).messages[0]).toContain('the error redirect_uri_mismatch');
  answerPage({ ...reply('<b>AADSTS50011</b>'), location: undefined });
  expect((await run()).messages[0]).toContain('AADSTS50011');
  answerPage({ ...reply('<html>'), date: new Date(client.clock.ms - 120_000).toUTCString() });
  const skewed = await run();
  expect([skewed.found['clock'], skewed.messages[0]]).toEqual([
    'failed',
    expect.stringMatching(/differ by 1[12]\d s\. Set the clock/),
  ]);
  provider.answers.set('https://id.example/keys', () => reply({ keys: [{ kty: 'oct', k: 'AA' }] }));
  expect((await run()).found).toMatchObject({ keys: 'failed' });
  provider.answers.set('https://id.example/.well-known/openid-configuration', () =>
    reply({ ...provider.discovery(), issuer: 'https://other.example' }),
  );
  const other = await run();
  expect(other.found).toEqual({ configuration: 'ok', discovery: 'failed' });
  expect(other.messages[0]).toContain('names another issuer. Check the issuer');
});

test.each(['authorize', 'token'])(
  '[I1341] if too many requests to providers are running at %s, the response says that, and nothing about the provider',
  async (path) => {
    const { run, provider } = await open();
    provider.answers.set(`https://id.example/${path}`, () => {
      throw new AuthOverload(5);
    });
    expect(await run()).toMatchObject({ status: 503, found: {} });
  },
);

test('[I1341] the key of Apple, the secret of GitHub and a provider that is off are tested', async () => {
  const { client, provider, run } = await open(
    'apple.com',
    {
      appleSignInConfig: { codeFlowConfig: { teamId: 'T', keyId: 'K', privateKey: 'no key' } },
    },
    'https://appleid.apple.com',
  );
  const apple = await run();
  expect(apple.found['configuration']).toBe('failed');
  expect(apple.messages[0]).toMatch(/not the content of a \.p8 file/);
  await configure(client, 'github.com', { enabled: false, clientSecret: 'secret' });
  provider.answers.set('https://github.com/login/oauth/authorize', () => reply('<html>'));
  for (const [error, state] of [
    ['bad_verification_code', 'ok'],
    ['incorrect_client_credentials', 'failed'],
  ]) {
    provider.answers.set('https://github.com/login/oauth/access_token', () => reply({ error }));
    const { found, messages } = await run('github.com');
    expect(found).toMatchObject({ redirect: 'ok', secret: state });
    expect(messages[0]).toMatch(/^The provider is off/);
  }
  await configure(client, 'facebook.com');
  expect((await run('facebook.com')).messages[0]).toMatch(/^The client secret is not set/);
});

test('[I1342] the certificates of a SAML provider are tested', async () => {
  const { client, run } = await open();
  onTestFinished(() => client.services.providers.saml[Symbol.asyncDispose]());
  const body = {
    enabled: true,
    idpConfig: {
      idpEntityId: 'idp',
      ssoUrl: 'https://id.example/authorize',
      idpCertificates: [{ x509Certificate: createIdpKey().certificate }],
    },
    spConfig: { spEntityId: 'shop' },
  };
  const path = '/v2/projects/demo/inboundSamlConfigs?inboundSamlConfigId=saml.work';
  await client.request('POST', path, JSON.stringify(body), OWNER);
  expect((await run('saml.work')).found).toMatchObject({ certificates: 'ok', redirect: 'ok' });
  client.clock.ms += 340 * 86_400_000;
  expect((await run('saml.work')).found).toMatchObject({ certificates: 'warning' });
  client.clock.ms += 100 * 86_400_000;
  const ended = await run('saml.work');
  expect(ended.found).toMatchObject({ certificates: 'failed' });
  expect(ended.messages[0]).toMatch(/ended on \d{4}-\d\d-\d\d\. Read the metadata/);
});

test('[I1340] an unknown provider, and a caller without the right, get an error', async () => {
  const { client, run } = await open();
  expect((await run('oidc.other')).status).toBe(400);
  const path = '/v2/projects/demo/identityProviders/oidc.work:test';
  expect((await client.request('POST', path, '{}')).status).toBe(401);
});
