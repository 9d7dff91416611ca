import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';
import type { MethodRoute } from '../api/router.ts';
import { DEVELOPMENT_ROUTES } from '../api/routes.ts';
import { CodeApp } from '../mfa/second-factor.fixture.ts';
import { createTestTenant, OPEN_TENANT } from './tenant.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

/** The project without a tenant, or one of its tenants. Each has an account `ann` with the same address. */
interface Place {
  readonly name: string;
  readonly tenantId: string | undefined;
  readonly password: string;
}

const EMAIL = 'ann@example.com';

/** Creates a server with three places. */
async function openPlaces(): Promise<{ readonly client: AuthClient; readonly places: readonly Place[] }> {
  const client = await AuthClient.open();
  const ids = [
    undefined,
    await createTestTenant(client, OPEN_TENANT),
    await createTestTenant(client, OPEN_TENANT),
  ];
  const places = ids.map((tenantId, index) => ({
    name: ['project', 'A', 'B'][index] ?? '',
    tenantId,
    password: `password of ${index}`,
  }));
  for (const place of places) {
    const { password } = place;
    await admin(client, place, 'accounts', { localId: 'ann', email: EMAIL, password, emailVerified: true });
  }
  return { client, places };
}

/** Sends a request as an app of a place. */
function post(client: AuthClient, { tenantId }: Place, method: string, body: object): Promise<AuthAnswer> {
  return client.post(method, { ...body, ...(tenantId === undefined ? {} : { tenantId }) });
}

/** Sends a request as an administrator who names the place in the path. */
function admin(client: AuthClient, { tenantId }: Place, method: string, body: object): Promise<AuthAnswer> {
  const project = tenantId === undefined ? '/v1/projects/demo' : `/v1/projects/demo/tenants/${tenantId}`;
  return client.admin(`${project}${method.startsWith(':') ? '' : '/'}${method}`, { ...body });
}

async function signIn(client: AuthClient, place: Place): Promise<Json> {
  return (
    await post(client, place, 'accounts:signInWithPassword', { email: EMAIL, password: place.password })
  ).json;
}

async function listCodes(client: AuthClient, { tenantId }: Place): Promise<readonly Json[]> {
  const scope = tenantId === undefined ? '' : `/tenants/${tenantId}`;
  const { json } = await client.request('GET', `/emulator/v1/projects/demo${scope}/oobCodes`);
  return json['oobCodes'] as readonly Json[];
}

async function requestCode(
  client: AuthClient,
  place: Place,
  requestType: string,
  body: Json,
): Promise<unknown> {
  await post(client, place, 'accounts:sendOobCode', { requestType, ...body });
  return (await listCodes(client, place)).at(-1)?.['oobCode'];
}

/** Enrolls an authenticator app for `ann`, and returns it with the enrollment. */
async function enroll(client: AuthClient, place: Place): Promise<{ app: CodeApp; sessionInfo: unknown }> {
  const { idToken } = await signIn(client, place);
  const start = await post(client, place, '/v2/accounts/mfaEnrollment:start', {
    idToken,
    totpEnrollmentInfo: {},
  });
  const { sharedSecretKey, sessionInfo } = Object(start.json['totpSessionInfo']);
  return { app: new CodeApp(client, sharedSecretKey), sessionInfo };
}

/** Something that gives access to an account, and the call that uses it. */
interface Credential {
  readonly name: string;
  /** Returns the credential of `ann` in a place. */
  readonly get: (client: AuthClient, place: Place) => Promise<unknown>;
  /** Uses the credential of a place in another. */
  readonly use: (client: AuthClient, place: Place, credential: unknown, owner: Place) => Promise<AuthAnswer>;
  readonly error: RegExp;
  /**
   * Whether only administrators use the credential. An administrator who names a wrong tenant is not recorded as an
   * attack.
   */
  readonly isOfAdmin?: true;
}

const CREDENTIALS: readonly Credential[] = [
  {
    name: 'a password',
    get: async (_client, { password }) => password,
    use: (client, place, password) =>
      post(client, place, 'accounts:signInWithPassword', { email: EMAIL, password }),
    error: /^INVALID_PASSWORD$/,
  },
  {
    name: 'an ID token',
    get: async (client, place) => (await signIn(client, place))['idToken'],
    use: (client, place, idToken) =>
      place.tenantId === undefined
        ? admin(client, place, ':createSessionCookie', { idToken })
        : post(client, place, 'accounts:lookup', { idToken }),
    error: /^TENANT_ID_MISMATCH$/,
  },
  {
    name: 'an ID token for a session cookie',
    get: async (client, place) => (await signIn(client, place))['idToken'],
    use: (client, place, idToken) => admin(client, place, ':createSessionCookie', { idToken }),
    error: /^TENANT_ID_MISMATCH$/,
  },
  {
    name: 'a refresh token',
    get: async (client, place) => (await signIn(client, place))['refreshToken'],
    // The token itself names its tenant, so the attacker replaces the name.
    use: (client, { tenantId }, token) => {
      const [head] = String(token).split('.');
      return client.refresh(tenantId === undefined ? head : `${head}.${tenantId}`);
    },
    error: /^TOKEN_EXPIRED$/,
  },
  {
    name: 'a code for a new password',
    get: (client, place) => requestCode(client, place, 'PASSWORD_RESET', { email: EMAIL }),
    use: (client, place, oobCode) =>
      post(client, place, 'accounts:resetPassword', { oobCode, newPassword: 'another password' }),
    error: /^INVALID_OOB_CODE/,
  },
  {
    name: 'a code that is only checked',
    get: (client, place) => requestCode(client, place, 'PASSWORD_RESET', { email: EMAIL }),
    use: (client, place, oobCode) => post(client, place, 'accounts:resetPassword', { oobCode }),
    error: /^INVALID_OOB_CODE/,
  },
  {
    name: 'a code from an email link',
    get: (client, place) =>
      requestCode(client, place, 'EMAIL_SIGNIN', {
        email: EMAIL,
        continueUrl: 'http://localhost',
        canHandleCodeInApp: true,
      }),
    use: (client, place, oobCode) =>
      post(client, place, 'accounts:signInWithEmailLink', { email: EMAIL, oobCode }),
    error: /^INVALID_OOB_CODE/,
  },
  {
    name: 'a code that confirms an address',
    get: async (client, place) => {
      const { idToken } = await signIn(client, place);
      return requestCode(client, place, 'VERIFY_EMAIL', { idToken: String(idToken) });
    },
    use: (client, place, oobCode) => post(client, place, 'accounts:update', { oobCode }),
    error: /^INVALID_OOB_CODE/,
  },
  {
    name: 'a custom token',
    get: async (_client, { tenantId }) => {
      const claims = { uid: 'ann', aud: CUSTOM_TOKEN_AUDIENCE, tenant_id: tenantId };
      const [head, body] = [{ alg: 'none' }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      return `${head}.${body}.`;
    },
    use: (client, place, token) => post(client, place, 'accounts:signInWithCustomToken', { token }),
    error: /^TENANT_ID_MISMATCH$/,
  },
  {
    name: 'the enrollment of an app',
    get: async (client, place) => {
      const { app, sessionInfo } = await enroll(client, place);
      return { sessionInfo, verificationCode: app.code() };
    },
    use: async (client, place, totpVerificationInfo) => {
      await admin(client, place, 'accounts:update', { localId: 'ann', mfa: { enrollments: [] } });
      const { idToken } = await signIn(client, place);
      return post(client, place, '/v2/accounts/mfaEnrollment:finalize', { idToken, totpVerificationInfo });
    },
    error: /^INVALID_SESSION_INFO$/,
  },
  {
    name: 'a sign-in that waits for its second factor',
    get: async (client, place) => {
      const { app, sessionInfo } = await enroll(client, place);
      const { idToken } = await signIn(client, place);
      const totpVerificationInfo = { sessionInfo, verificationCode: app.code() };
      await post(client, place, '/v2/accounts/mfaEnrollment:finalize', { idToken, totpVerificationInfo });
      client.clock.ms += 30_000;
      const { mfaPendingCredential, mfaInfo } = await signIn(client, place);
      const [factor] = mfaInfo as readonly Json[];
      return {
        mfaPendingCredential,
        mfaEnrollmentId: factor?.['mfaEnrollmentId'],
        totpVerificationInfo: { verificationCode: app.code() },
      };
    },
    use: (client, place, body) => post(client, place, '/v2/accounts/mfaSignIn:finalize', Object(body)),
    error: /^INVALID_MFA_PENDING_CREDENTIAL/,
  },
  {
    name: 'the id of a session',
    get: async (client, place) => {
      const { idToken } = await signIn(client, place);
      const { json } = await post(client, place, '/v2/accounts/sessions:list', { idToken });
      return (json['sessions'] as readonly Json[])[0]?.['sessionId'];
    },
    use: async (client, place, id) => {
      const scope = place.tenantId === undefined ? '' : `/tenants/${place.tenantId}`;
      return client.request('DELETE', `/v1/projects/demo${scope}/accounts/ann/sessions/${id}`, undefined, {
        authorization: 'Bearer owner',
      });
    },
    error: /^NOT_FOUND/,
    isOfAdmin: true,
  },
];

const CUSTOM_TOKEN_AUDIENCE =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';

test.each(CREDENTIALS)('[I1110][I1722] $name gives access only in its own tenant', async (credentialKind) => {
  const { get, use, error, isOfAdmin = false } = credentialKind;
  const { client, places } = await openPlaces();
  for (const owner of places) {
    const credential = await get(client, owner);
    expect(credential).toBeTruthy();
    for (const place of places.filter((other) => other !== owner)) {
      const answer = await use(client, place, credential, owner);
      const last = client.audited.at(-1);
      if (!isOfAdmin) expect(answer.error?.split(' : ')[0]).toBe(last?.result);
      expect(`${owner.name} in ${place.name}: ${answer.error}`).toMatch(
        new RegExp(error.source.replace('^', `^${owner.name} in ${place.name}: `)),
      );
    }
    expect((await use(client, owner, credential, owner)).json).not.toHaveProperty('error');
  }
});

const isMethod = (route: (typeof DEVELOPMENT_ROUTES)[number]): route is MethodRoute =>
  route.audience !== 'public';
const METHODS = DEVELOPMENT_ROUTES.filter(isMethod);

/** Methods of apps that may read a token from the body. */
const APP_METHODS = METHODS.filter(
  ({ method, audience, isOfProject }) => audience === 'anyone' && isOfProject !== true && method !== 'GET',
);

test('[I1111][I1722] every method rejects a token of another tenant', async () => {
  const { client, places } = await openPlaces();
  for (const owner of places) {
    const { idToken, refreshToken } = await signIn(client, owner);
    for (const { tenantId } of places.filter((place) => place !== owner))
      for (const { method, path } of tenantId === undefined ? [] : APP_METHODS)
        for (const token of [{ idToken }, { refreshToken }]) {
          const body = JSON.stringify({ apiKey: 'any', tenantId, ...token });
          const before = client.audited.length;
          const { error } = await client.request(method, `${path}?key=any`, body);
          expect(`${path}: ${error}`).toBe(`${path}: TENANT_ID_MISMATCH`);
          const [entry, ...more] = client.audited.slice(before).map(({ result }) => result);
          expect([path, entry, more]).toEqual([path, 'TENANT_ID_MISMATCH', []]);
        }
  }
});

test('[I1112] every method of administrators rejects two different tenants, and one that does not exist', async () => {
  const client = await AuthClient.open();
  const deleted = await createTestTenant(client, OPEN_TENANT);
  const headers = { authorization: 'Bearer owner' };
  await client.request('DELETE', `/v2/projects/demo/tenants/${deleted}`, undefined, headers);
  for (const { method, path } of METHODS.filter((route) => route.path.includes('{tenant}'))) {
    const send = async (tenantId: string, other: string) => {
      const url = path
        .replace('{project}', 'demo')
        .replace('{tenant}', tenantId)
        .replace(/\{\w+\}/g, 'x');
      const { error } = await client.request(method, `${url}?tenantId=${other}`, undefined, headers);
      return `${path}: ${error}`;
    };
    expect(await send('one', 'two')).toBe(`${path}: TENANT_ID_MISMATCH`);
    expect(await send(deleted, deleted)).toBe(`${path}: TENANT_NOT_FOUND`);
  }
});

/** An action on an account of a scope. */
interface Operation {
  readonly at: number;
  readonly uid: string;
  readonly kind: 'create' | 'delete' | 'rename' | 'import' | 'clear';
  readonly name: string;
}

const OPERATION: fc.Arbitrary<Operation> = fc.record({
  at: fc.nat(2),
  uid: fc.constantFrom('ann', 'bob', 'cid'),
  kind: fc.constantFrom('create', 'delete', 'rename', 'import', 'clear'),
  name: fc.constantFrom('one', 'two', 'three'),
});

test('[I1113] no operation in a project or tenant reads or changes accounts of another', async () => {
  const { client, places } = await openPlaces();
  const property = fc.asyncProperty(fc.array(OPERATION, { maxLength: 20 }), async (operations) => {
    const model = places.map(() => new Map<string, string>());
    for (const [index, place] of places.entries()) await clear(client, place, model[index]);
    for (const operation of operations) await apply(client, places, model, operation);
    for (const [index, place] of places.entries())
      expect(await listNames(client, place)).toEqual(Object.fromEntries(model[index] ?? []));
  });
  await fc.assert(property, { numRuns: 12 });
});

async function clear(
  client: AuthClient,
  { tenantId }: Place,
  model: Map<string, string> | undefined,
): Promise<void> {
  const scope = tenantId === undefined ? '' : `/tenants/${tenantId}`;
  await client.request('DELETE', `/emulator/v1/projects/demo${scope}/accounts`);
  model?.clear();
}

async function apply(
  client: AuthClient,
  places: readonly Place[],
  models: readonly Map<string, string>[],
  { at, uid, kind, name }: Operation,
): Promise<void> {
  const [place, model] = [places[at], models[at]];
  if (place === undefined || model === undefined) throw new Error('There are three places.');
  const email = `${uid}@example.com`;
  switch (kind) {
    case 'create':
      await admin(client, place, 'accounts', { localId: uid, email, displayName: name });
      if (!model.has(uid)) model.set(uid, name);
      return;
    case 'import': {
      const users = [{ localId: uid, email, displayName: name, tenantId: place.tenantId }];
      await admin(client, place, 'accounts:batchCreate', { users, allowOverwrite: true });
      model.set(uid, name);
      return;
    }
    case 'delete':
      await admin(client, place, 'accounts:delete', { localId: uid });
      model.delete(uid);
      return;
    case 'rename':
      await admin(client, place, 'accounts:update', { localId: uid, displayName: name });
      if (model.has(uid)) model.set(uid, name);
      return;
    case 'clear':
      await clear(client, place, model);
      return;
    default:
      kind satisfies never;
  }
}

/** Returns the names of the accounts of a place by uid. Expects that several methods return the same accounts. */
async function listNames(client: AuthClient, place: Place): Promise<Json> {
  const queried = (await admin(client, place, 'accounts:query', {})).json['userInfo'];
  const users = Array.from(queried as readonly Json[]);
  for (const user of users) {
    expect(user['tenantId']).toBe(place.tenantId);
    const found = await admin(client, place, 'accounts:lookup', { email: [user['email']] });
    expect(found.json['users']).toEqual([user]);
  }
  return Object.fromEntries(users.map(({ localId, displayName }) => [localId, displayName]));
}
