import { argon2Sync, createHmac } from 'node:crypto';
import { AuthClient } from '../client/http.ts';
import { isRecord, type JsonRecord } from '../client/json.ts';
import { PASSWORD } from '../load/accounts.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { readMainThreadUs } from '../measure/process.ts';
import { median } from '../measure/time.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions, Target } from './scenario.ts';

const TARGET: Target = { kind: 'ratioAtMost', bound: 1.3 };

/** One user, who has an account for each method. */
interface User {
  readonly name: string;
  readonly phoneNumber: string;
  /** The secret of the authenticator app, in Base32. */
  readonly totpSecret: string;
  readonly email: string;
  /** The account with the second factor. */
  readonly totpEmail: string;
  readonly enrollmentId: string;
}

/** The last request of a sign-in, without what happened before it. */
interface Method {
  readonly name: string;
  /** Whether a password is hashed before the request, outside the server. */
  readonly isAfterHash: boolean;
  /** Makes the earlier requests, and returns the last one. */
  readonly prepare: (client: AuthClient, user: User, round: number) => Promise<() => Promise<JsonRecord>>;
}

/** Its hash is computed by another thread, which is not measured. */
const PASSWORD_SIGN_IN: Method = {
  name: 'a password',
  isAfterHash: false,
  prepare: async (client, { email }) => {
    const body = { email, password: PASSWORD, returnSecureToken: true };
    return () => client.app('signInWithPassword', body);
  },
};

/** Verifies nothing, because custom tokens are not signed in development mode: the least that a sign-in costs. */
const CUSTOM_TOKEN: Method = {
  name: 'a custom token',
  isAfterHash: true,
  prepare: async (client, { name }) => {
    const body = { token: JSON.stringify({ uid: `custom-${name}` }), returnSecureToken: true };
    return () => client.app('signInWithCustomToken', body);
  },
};

const WARM_CUSTOM_TOKEN: Method = {
  ...CUSTOM_TOKEN,
  name: 'a custom token that immediately follows another one',
  isAfterHash: false,
};

const METHODS: readonly Method[] = [
  CUSTOM_TOKEN,
  {
    name: 'a code of an authenticator app',
    isAfterHash: true,
    prepare: async (client, user, round) => {
      const { mfaPendingCredential } = await client.app('signInWithPassword', {
        email: user.totpEmail,
        password: PASSWORD,
      });
      const body = {
        mfaPendingCredential,
        mfaEnrollmentId: user.enrollmentId,
        // A code is valid once, so each round uses that of a later time.
        totpVerificationInfo: { verificationCode: totpCode(user.totpSecret, round + 1) },
      };
      return () => client.call('/v2/accounts/mfaSignIn:finalize', body);
    },
  },
  {
    name: 'a code in a text message',
    isAfterHash: true,
    prepare: async (client, { phoneNumber }) => {
      const { sessionInfo } = await client.app('sendVerificationCode', { phoneNumber });
      const body = { sessionInfo, code: FICTIONAL_CODE };
      return () => client.app('signInWithPhoneNumber', body);
    },
  },
  {
    name: 'another provider',
    isAfterHash: true,
    prepare: async (client, { name }) => {
      const claims = { sub: name, email: `${name}@provider.example`, email_verified: true, name };
      const postBody = new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(claims) });
      const body = { requestUri: 'http://localhost', postBody: postBody.toString(), returnSecureToken: true };
      return () => client.app('signInWithIdp', body);
    },
  },
];

const USERS = 60;
/** The server accepts the codes of five later times, and each once. */
const ROUNDS = 5;

const FICTIONAL_CODE = '123456';
const FICTIONAL_NUMBERS = Array.from({ length: 10 }, (_, index) => `+1650555010${index}`);

/**
 * Compares the processor time of the last request of a sign-in by several methods with that of a sign-in with a password,
 * without its hash. After its wait for the hash, the thread that answers requests continues with cold processor caches, which
 * costs more than the code of any method. So a hash also precedes the requests of the other methods. Also measures a custom
 * token without one, to show this.
 */
export async function measureSignInMethods({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  using directory = new TemporaryDirectory();
  await using server = await ServerProcess.start(subject, directory.path);
  const client = new AuthClient(server.port);
  await client.configure('signIn.phoneNumber.testPhoneNumbers', {
    signIn: {
      phoneNumber: {
        testPhoneNumbers: Object.fromEntries(FICTIONAL_NUMBERS.map((number) => [number, FICTIONAL_CODE])),
      },
    },
  });
  const users: User[] = [];
  while (users.length < (quick ? 2 : USERS)) users.push(await createUser(client, users.length));
  const costs = new Map<Method, number[]>(
    [PASSWORD_SIGN_IN, ...METHODS, WARM_CUSTOM_TOKEN].map((method) => [method, []]),
  );
  for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1)
    for (const [method, measured] of costs) {
      const us = await measureMethod(client, server.pid, method, users, round);
      // The first round creates accounts, and compiles the code of the server.
      if (quick || round > 0) measured.push(us);
      progress(`sign-in: ${method.name} costs ${us.toFixed(0)} µs`);
    }
  const passwordUs = median(costs.get(PASSWORD_SIGN_IN) ?? []);
  return [...METHODS, WARM_CUSTOM_TOKEN].map((method) => ({
    name: `processor time for a sign-in with ${method.name}, compared with a password without its hash`,
    unit: 'µs',
    value: median(costs.get(method) ?? []),
    compared: passwordUs,
    target: method === CUSTOM_TOKEN || method === WARM_CUSTOM_TOKEN ? { kind: 'none' } : TARGET,
  }));
}

/** Takes as long as the server's hash of a password, and displaces the same caches of the processor. */
function hashAPassword(): void {
  argon2Sync('argon2id', {
    message: PASSWORD,
    nonce: Buffer.alloc(16, 1),
    // The cost in development mode.
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
}

/** Returns the mean processor time of the last request of a sign-in, in µs. */
async function measureMethod(
  client: AuthClient,
  pid: number,
  { prepare, isAfterHash }: Method,
  users: readonly User[],
  round: number,
): Promise<number> {
  const prepared: (() => Promise<JsonRecord>)[] = [];
  for (const user of users) prepared.push(await prepare(client, user, round));
  const beforeUs = readMainThreadUs(pid);
  for (const signIn of prepared) {
    if (isAfterHash) hashAPassword();
    const { idToken } = await signIn();
    if (typeof idToken !== 'string') throw new Error('a sign-in returned no token');
  }
  return (readMainThreadUs(pid) - beforeUs) / prepared.length;
}

/** Creates the accounts of a user. That of the second factor has an authenticator app. */
async function createUser(client: AuthClient, index: number): Promise<User> {
  const name = `user${index}`;
  const [email, totpEmail] = [`${name}@example.com`, `${name}@totp.example`];
  await client.app('signUp', { email, password: PASSWORD });
  const { localId } = await client.app('signUp', { email: totpEmail, password: PASSWORD });
  await client.admin('update', { localId, emailVerified: true });
  const { idToken } = await client.app('signInWithPassword', { email: totpEmail, password: PASSWORD });
  const started = await client.call('/v2/accounts/mfaEnrollment:start', { idToken, totpEnrollmentInfo: {} });
  const session = started['totpSessionInfo'];
  if (!isRecord(session)) throw new Error(`no authenticator app was started: ${JSON.stringify(started)}`);
  const totpSecret = String(session['sharedSecretKey']);
  await client.call('/v2/accounts/mfaEnrollment:finalize', {
    idToken,
    totpVerificationInfo: {
      sessionInfo: session['sessionInfo'],
      verificationCode: totpCode(totpSecret, -1),
    },
  });
  const { users } = await client.admin('lookup', { localId: [localId] });
  const [account] = Array.isArray(users) ? users : [];
  const enrollmentId = String(account?.mfaInfo?.[0]?.mfaEnrollmentId);
  const phoneNumber = FICTIONAL_NUMBERS[index % FICTIONAL_NUMBERS.length] ?? '';
  return { name, phoneNumber, totpSecret, email, totpEmail, enrollmentId };
}

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code of RFC 6238 that is valid `steps` times 30 s from now. */
function totpCode(secret: string, steps: number): string {
  const bits = [...secret].map((char) => BASE32.indexOf(char).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}
