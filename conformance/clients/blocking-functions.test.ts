import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../drivers/json.ts';
import { NODE_BINARY, openDataDir, startServer } from '../drivers/server-process.ts';
import { until } from '../drivers/until.ts';
import { makeCertificate } from './own-certificate.ts';
import { openServing } from './serving.ts';

const ANN = { email: 'ann@example.com', password: 'correct-horse-battery' };
const PHONE = '+16505550101';

/** Starts the functions of `functions-app.ts`, until the end of the test. */
async function startFunctions(projectId: string, env: Readonly<Record<string, string>>) {
  const child = spawn(NODE_BINARY, ['--conditions=source', join(import.meta.dirname, 'functions-app.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', GCLOUD_PROJECT: projectId, ...env },
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  const events: Json[] = [];
  const ready = Promise.withResolvers<string>();
  child.once('exit', (code) => ready.reject(new Error(`The functions ended with ${code}.`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = /^ready (.*)$/.exec(line)?.[1];
    if (url !== undefined) ready.resolve(url);
    else if (line.startsWith('{"locale"')) events.push(parseJson(line));
  });
  return { url: await ready.promise, events };
}

function claimsOf(token: unknown): Json {
  return parseJson(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}

test('[I954] unmodified functions decide on a development server, as in the functions emulator', async () => {
  // The functions emulator switches the verification of tokens off with these variables.
  const { url, events } = await startFunctions('demo', {
    FIREBASE_DEBUG_MODE: 'true',
    FIREBASE_DEBUG_FEATURES: '{"skipTokenVerification":true}',
  });
  const data = await openDataDir();
  const server = await startServer({ dataDir: data.path });
  onTestFinished(async () => {
    await server.stop();
    await data.remove();
  });
  const send = async (method: string, path: string, body: JsonObject, headers = {}): Promise<JsonObject> => {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(server.url + path, { method, headers: sent, body: JSON.stringify(body) });
    const json = parseJson(await answer.text());
    return isJsonObject(json) ? json : {};
  };
  const asApp = (method: string, body: JsonObject) => send('POST', `/v1/accounts:${method}?key=any`, body);
  const messageOf = ({ error }: JsonObject) => (isJsonObject(error) ? error['message'] : undefined);
  const triggers = Object.fromEntries(
    ['beforeCreate', 'beforeSignIn', 'beforeSendEmail', 'beforeSendSms'].map((event) => [
      event,
      { functionUri: `${url}/${event}` },
    ]),
  );
  await send(
    'PATCH',
    '/identitytoolkit.googleapis.com/v2/projects/demo/config?updateMask=blockingFunctions',
    { blockingFunctions: { triggers, forwardInboundCredentials: { idToken: true } } },
    { authorization: 'Bearer owner' },
  );

  const { localId, idToken } = await asApp('signUp', ANN);
  expect(claimsOf(idToken)).toMatchObject({ name: 'Ann', plan: 'free', fresh: true });
  const blocked = await asApp('signUp', { ...ANN, email: 'eve@blocked.example' });
  expect(messageOf(blocked)).toMatch(
    /^BLOCKING_FUNCTION_ERROR_RESPONSE : \(\(HTTP request to http:\S+ returned HTTP error 403: \{.*Not from here/,
  );
  const reset = await asApp('sendOobCode', { requestType: 'PASSWORD_RESET', email: ANN.email });
  expect(messageOf(reset)).toMatch(/HTTP error 429: .*No more emails/);
  const sms = await asApp('sendVerificationCode', { phoneNumber: PHONE });
  expect(messageOf(sms)).toMatch(/^CAPTCHA_CHECK_FAILED/);

  await until(() => expect(events).toHaveLength(5));
  const types = 'providers/cloud.auth/eventTypes/user';
  expect(events).toMatchObject([
    {
      eventType: `${types}.beforeCreate:password`,
      authType: 'USER',
      resource: { name: 'projects/demo' },
      additionalUserInfo: { providerId: 'password', isNewUser: true },
      data: {
        uid: localId,
        email: ANN.email,
        emailVerified: false,
        disabled: false,
        metadata: { creationTime: expect.stringMatching(/GMT$/) },
        tokensValidAfterTime: expect.stringMatching(/GMT$/),
        providerData: [{ providerId: 'password', email: ANN.email }],
      },
    },
    { eventType: `${types}.beforeSignIn:password`, data: { displayName: 'Ann' } },
    { eventType: `${types}.beforeCreate:password`, data: { email: 'eve@blocked.example' } },
    {
      eventType: `${types}.beforeSendEmail`,
      authType: 'UNAUTHENTICATED',
      emailType: 'PASSWORD_RESET',
      additionalUserInfo: { email: ANN.email },
    },
    {
      eventType: `${types}.beforeSendSms`,
      smsType: 'SIGN_IN_OR_SIGN_UP',
      additionalUserInfo: { phoneNumber: PHONE },
    },
  ]);
}, 60_000);

test('[I954][I955] unmodified functions and verifyHook verify the events of a server in production', async () => {
  const tls = makeCertificate('localhost');
  const data = await openDataDir();
  onTestFinished(() => data.remove());
  const trusted = join(data.path, 'functions.pem');
  await writeFile(trusted, tls.cert);
  const serving = await openServing(['--allow-private-hooks'], { NODE_EXTRA_CA_CERTS: trusted });
  onTestFinished(() => serving.close());
  const apiKey = await serving.createProject('shop');
  const hearth = {
    url: serving.url,
    ca: serving.certificate,
    credential: await serving.createKey('shop', 'functions', []),
  };
  const { url, events } = await startFunctions('shop', { FUNCTIONS: JSON.stringify({ tls, hearth }) });
  const address = `https://localhost:${new URL(url).port}`;
  const setTriggers = (triggers: JsonObject) =>
    serving.admin('PATCH', '/v2/projects/shop/config?updateMask=blockingFunctions.triggers', {
      blockingFunctions: { triggers },
    });
  const signUp = (email: string) => serving.send(apiKey, 'accounts:signUp', { ...ANN, email });

  const functionUri = `${address}/beforeCreate`;
  await setTriggers({ beforeCreate: { functionUri, audience: 'https://before-create.run.app' } });
  expect(claimsOf((await signUp(ANN.email))['idToken'])).toMatchObject({ name: 'Ann', plan: 'free' });
  await expect(signUp('eve@blocked.example')).rejects.toThrow(
    'BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{"status":"PERMISSION_DENIED","message":"Not from here."}}',
  );
  await until(() => expect(events).toHaveLength(2));
  // The library rejects a token for another audience than those of the official service.
  await setTriggers({ beforeCreate: { functionUri } });
  await expect(signUp('bob@example.com')).rejects.toThrow('BLOCKING_FUNCTION_ERROR_RESPONSE');
  expect(events).toHaveLength(2);

  const requestReset = () =>
    serving.send(apiKey, 'accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: ANN.email });
  await setTriggers({ beforeSendEmail: { functionUri: `${address}/own/shop` } });
  expect(await requestReset()).toMatchObject({ email: ANN.email });
  await setTriggers({ beforeSendEmail: { functionUri: `${address}/own/other` } });
  await expect(requestReset()).rejects.toThrow('its token is of another project');
}, 120_000);
