import { execFileSync } from 'node:child_process';
import { verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { hearthAdmin } from '@hearth/client/admin';
import { type App, applicationDefault, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../drivers/json.ts';
import { NODE_BINARY } from '../drivers/server-process.ts';
import { type Answers, type FakeTlsServer, openFakeTlsServer } from './fake-tls-server.ts';
import { SERVICE_ACCOUNT, SERVICE_ACCOUNT_PUBLIC_KEY } from './service-account.ts';

const TOKEN = { body: { access_token: 'granted', expires_in: 3599, token_type: 'Bearer' } };
const LOOKUP = '/v1/projects/demo/accounts:lookup';
const ADA = { localId: 'ada', email: 'ada@example.com', createdAt: '1', lastLoginAt: '1' };

afterEach(() => {
  vi.unstubAllEnvs();
});

async function openApp(answers: Answers): Promise<{ readonly app: App; readonly server: FakeTlsServer }> {
  const server = await openFakeTlsServer(answers);
  const options = hearthAdmin({ url: server.url, ca: server.ca, credential: cert(SERVICE_ACCOUNT) });
  const app = initializeApp(options, crypto.randomUUID());
  onTestFinished(async () => {
    await deleteApp(app);
    options.httpAgent.destroy();
  });
  return { app, server };
}

/** Returns header and claims of a token after verifying the service account's signature. */
function readSigned(token: string): Json[] {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    SERVICE_ACCOUNT_PUBLIC_KEY,
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
  return [header, claims].map((part) => parseJson(Buffer.from(part, 'base64url').toString()));
}

test('[I200][I201] the Admin SDK sends requests over TLS, with a token that the server issued', async () => {
  const { app, server } = await openApp({ '/token': TOKEN, [LOOKUP]: { body: { users: [ADA] } } });
  const user = await getAuth(app).getUser('ada');
  expect(user.email).toBe('ada@example.com');
  expect(server.requests).toEqual([
    expect.objectContaining({ host: new URL(server.url).host, method: 'POST', path: '/token' }),
    expect.objectContaining({
      host: 'identitytoolkit.googleapis.com',
      method: 'POST',
      path: LOOKUP,
      authorization: 'Bearer granted',
    }),
  ]);
});

test('[I201] the token is requested with an assertion that the service account signs', async () => {
  const { app, server } = await openApp({ '/token': TOKEN, [LOOKUP]: { body: { users: [ADA] } } });
  await getAuth(app).getUser('ada');
  const form = new URLSearchParams(server.requests[0]?.body);
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header, claims] = readSigned(form.get('assertion') ?? '');
  expect(header).toEqual({ alg: 'RS256', typ: 'JWT' });
  expect(claims).toMatchObject({
    iss: SERVICE_ACCOUNT.clientEmail,
    aud: 'https://oauth2.googleapis.com/token',
    scope: expect.stringContaining('https://www.googleapis.com/auth/identitytoolkit'),
  });
  const { iat, exp } = isJsonObject(claims) ? claims : {};
  expect(Number(exp) - Number(iat)).toBe(300);
});

test.each([
  [{ error: 'invalid_grant', error_description: 'Unknown key' }, 400, 'invalid_grant: Unknown key.'],
  ['nothing', 503, 'status 503.'],
  [{ access_token: 'granted' }, 200, 'status 200.'],
])('[I201] a token response %j with status %d is reported as %s', async (body, status, reported) => {
  const { app, server } = await openApp({ '/token': { status, body } });
  await expect(getAuth(app).getUser('ada')).rejects.toThrow(
    `${server.url} did not issue an access token to server@demo.example.com: ${reported}`,
  );
});

test('[I200] the keys of ID tokens are read from the server', async () => {
  const certificates = '/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com';
  const { app, server } = await openApp({ [certificates]: { body: {} } });
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: 'https://securetoken.google.com/demo', aud: 'demo', sub: 'ada' };
  const token = `${encode({ alg: 'RS256', kid: 'unknown' })}.${encode(claims)}.AAAA`;
  await expect(getAuth(app).verifyIdToken(token)).rejects.toMatchObject({
    code: expect.stringMatching(/^auth\//),
  });
  expect(server.requests).toEqual([
    expect.objectContaining({ host: 'www.googleapis.com', path: certificates }),
  ]);
});

test('[I202] custom tokens are signed without a request', async () => {
  const { app, server } = await openApp({});
  const [, claims] = readSigned(await getAuth(app).createCustomToken('ada'));
  expect(claims).toMatchObject({ uid: 'ada', iss: SERVICE_ACCOUNT.clientEmail });
  expect(server.requests).toEqual([]);
});

test('[I202] hearthAdmin does not change the given credential', async () => {
  const server = await openFakeTlsServer({});
  const credential = cert(SERVICE_ACCOUNT);
  const before = credential.getAccessToken;
  const made = hearthAdmin({ url: server.url, credential });
  expect(credential.getAccessToken).toBe(before);
  expect(made.projectId).toBe('demo');
  expect(made.databaseURL).toBe(`${server.url}?ns=demo-default-rtdb`);
});

test('[I200] a call to a server with a certificate that is not trusted fails', async () => {
  const server = await openFakeTlsServer({ '/token': TOKEN });
  const options = hearthAdmin({ url: server.url, credential: cert(SERVICE_ACCOUNT) });
  await expect(options.credential.getAccessToken()).rejects.toThrow('self-signed certificate');
  expect(server.requests).toEqual([]);
});

test('[I200] connections to other hosts are not redirected', async () => {
  const server = await openFakeTlsServer({ '/': { body: 'other' } });
  const elsewhere = await openFakeTlsServer({});
  const { httpAgent } = hearthAdmin({
    url: elsewhere.url.replace('localhost', 'hearth.invalid'),
    credential: cert(SERVICE_ACCOUNT),
  });
  const status = await new Promise((resolve, reject) => {
    get(server.url, { agent: httpAgent, ca: server.ca }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    }).once('error', reject);
  });
  httpAgent.destroy();
  expect(status).toBe(200);
  expect(elsewhere.requests).toEqual([]);
});

test.each([
  ['FIREBASE_AUTH_EMULATOR_HOST', 'production'],
  ['FIREBASE_AUTH_EMULATOR_HOST', 'test'],
  ['FIREBASE_DATABASE_EMULATOR_HOST', 'production'],
])('[I203] hearthAdmin throws if %s is set and NODE_ENV is %s', (name, mode) => {
  vi.stubEnv('NODE_ENV', mode);
  vi.stubEnv(name, '127.0.0.1:9099');
  const make = () => hearthAdmin({ url: 'https://hearth.example.com', credential: cert(SERVICE_ACCOUNT) });
  expect(make).toThrow(`${name} is set`);
});

test.each([
  ['http://hearth.example.com', 'is not https'],
  ['hearth.example.com', 'is not the address'],
])('[I203] hearthAdmin rejects the address %s: it %s', (url, sentence) => {
  expect(() => hearthAdmin({ url, credential: cert(SERVICE_ACCOUNT) })).toThrow(sentence);
});

test("[I203] a credential other than a service account's is rejected", () => {
  const make = () => hearthAdmin({ url: 'https://hearth.example.com', credential: applicationDefault() });
  expect(make).toThrow('create it with cert()');
});

test('[I207] the example for firebase-admin works as it is written', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../packages/client/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const code = blocks.find((block) => block.includes('firebase-admin'));
  // In this folder, the example finds the installed packages, and no tool of the repository checks the example.
  const folder = mkdtempSync(join(import.meta.dirname, 'node_modules/.example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'service-account.json'), JSON.stringify(SERVICE_ACCOUNT));
  const output = execFileSync(
    NODE_BINARY,
    [
      '--conditions=source',
      '--input-type=module',
      '--eval',
      `${code}console.log(app.options.projectId, app.options.databaseURL);`,
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(output).toBe('demo https://hearth.example.com?ns=demo-default-rtdb\n');
});
