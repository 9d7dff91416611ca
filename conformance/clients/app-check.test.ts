import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../drivers/json.ts';
import { openServing, type Serving } from './serving.ts';

const APP = '1:1234:web:abcd';

let serving: Serving;

beforeAll(async () => {
  serving = await openServing();
}, 60_000);

afterAll(() => serving.close());

/** Creates a token, uses it up twice, and writes with it through the official SDK for browsers. */
const USE_APP_CHECK = (apiKey: string): string => `
import { getAppCheck } from 'firebase-admin/app-check';
import * as client from 'firebase/app';
import { CustomProvider, initializeAppCheck } from 'firebase/app-check';
import { getDatabase, goOffline, ref, set } from 'firebase/database';
const admin = getAppCheck(app);
const appId = ${JSON.stringify(APP)};
const { token, ttlMillis } = await admin.createToken(appId, { ttlMillis: 1_800_000 });
const first = await admin.verifyToken(token, { consume: true });
const second = await admin.verifyToken(token, { consume: true });
const foreign = await admin.createToken('1:9:web:other').catch((error) => error.code);
const open = (name, withToken) => {
  const web = client.initializeApp({ apiKey: ${JSON.stringify(apiKey)}, projectId: 'shop', appId, databaseURL: url + '?ns=shop-default-rtdb' }, name);
  if (withToken) initializeAppCheck(web, { provider: new CustomProvider({ getToken: async () => ({ token, expireTimeMillis: Date.now() + ttlMillis }) }) });
  return getDatabase(web);
};
const checked = open('checked', true);
await set(ref(checked, 'a'), 1);
goOffline(checked);
console.log(JSON.stringify({ ttlMillis, appId: first.appId, used: [first.alreadyConsumed, second.alreadyConsumed], foreign }));
process.exit(0);
`;

test('[I1172] firebase-admin creates and consumes tokens, and the SDK for browsers reaches a database that requires tokens', async () => {
  const apiKey = await serving.createProject('shop');
  const key = await serving.createKey('shop', 'backend', []);
  await serving.admin('PATCH', '/v2/projects/shop/config?updateMask=appCheckConfig', {
    appCheckConfig: { accounts: 'ENFORCED', database: 'ENFORCED', apps: [APP] },
  });
  const output = await serving.runAdmin(
    key,
    `
import { getDatabase as getAdminDatabase } from 'firebase-admin/database';
await getAdminDatabase(app).setRules('{"rules":{".read":true,".write":true}}');
${USE_APP_CHECK(apiKey)}`,
  );
  const json = parseJson(output.trim().split('\n').at(-1) ?? '');
  expect(isJsonObject(json)).toBe(true);
  expect(json).toMatchObject({ ttlMillis: 1_800_000, appId: APP, used: [false, true] });
  await expect(
    serving.send(apiKey, 'accounts:signUp', { email: 'ann@example.com', password: 'correct-horse-battery' }),
  ).rejects.toThrow('Firebase App Check token is invalid.');
}, 60_000);
