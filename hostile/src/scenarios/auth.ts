import { forEachOf } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import { answered, floodMessages, floodRequests } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';
import { WITHOUT_FAIR_HASHING, WITHOUT_REQUEST_BUDGET } from './without.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const PASSWORD = 'an attacker has passwords, too';

interface AuthFlood {
  readonly lanes?: number;
  readonly hosts?: number;
  readonly method: string;
  readonly body: (lane: number, round: number) => unknown;
}

/** Sends requests of the Auth API without pause. */
function floodAuth({ lanes = 10, hosts = 1, method, body }: AuthFlood): Attack {
  return floodRequests({
    lanes,
    hosts,
    request: ({ apiKey }, lane, round) => ({
      method: 'POST',
      path: `/v1/${method}?key=${apiKey}`,
      headers: JSON_TYPE,
      body: JSON.stringify(body(lane, round)),
    }),
  });
}

interface AuthRequests extends Omit<AuthFlood, 'lanes' | 'hosts' | 'body'> {
  readonly count: number;
  readonly body: (index: number) => unknown;
}

/** Sends a number of requests of the Auth API from one host. */
function sendAuth({ count, method, body }: AuthRequests): Attack {
  return async (target, signal, tally) => {
    const client = new HttpClient(target, { side: 'attacker', host: 0 }, 10);
    await forEachOf(count, 10, signal, async (index) => {
      const { status } = await client.post(`/v1/${method}?key=${target.apiKey}`, body(index));
      tally.addStatus(status);
    });
  };
}

const answeredAny = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) >= 20
    ? []
    : ['Too few requests were answered.'];

/** Attacks with sign-ins, accounts and tokens. */
export const AUTH_SCENARIOS: readonly Scenario[] = [
  {
    name: 'sign-ins with correct passwords',
    attacker:
      'signs 40 accounts in again and again from one host, with correct passwords, on 130 connections',
    bound: 'passwords are hashed in turns of the networks, and a network has half of the places to wait',
    proof: WITHOUT_FAIR_HASHING,
    isShort: true,
    prepare: async (hearth) => {
      for (let index = 0; index < 40; index++)
        await hearth.administer('POST', `/v1/projects/${hearth.target.projectId}/accounts`, {
          email: `attacker${index}@example.com`,
          password: PASSWORD,
        });
    },
    attack: floodAuth({
      lanes: 130,
      method: 'accounts:signInWithPassword',
      body: (lane) => ({
        email: `attacker${lane % 40}@example.com`,
        password: PASSWORD,
        returnSecureToken: true,
      }),
    }),
    checkCounts: answered(20, 200),
  },
  {
    name: 'sign-ins with wrong passwords from many hosts',
    attacker: 'guesses passwords of unknown accounts from 30 hosts',
    bound: 'guesses are limited by network and account, and hashed in turns of /24 networks',
    proof: [
      ...WITHOUT_FAIR_HASHING,
      {
        file: 'throttling/limits.ts',
        from: 'host: { burst: 60, perHour: 60 },\n    site: { burst: 300, perHour: 300 },',
        to: 'host: { burst: 1e6, perHour: 60 },\n    site: { burst: 1e6, perHour: 300 },',
      },
    ],
    attack: floodAuth({
      lanes: 150,
      hosts: 30,
      method: 'accounts:signInWithPassword',
      body: (lane, round) => ({ email: `guess${lane}-${round}@example.com`, password: `wrong ${round}` }),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'sign-ins of the accounts of others',
    proof: [
      {
        file: 'throttling/guesses.ts',
        from: 'function pairOf(account: string, { network }: AddressLayers): string {',
        to: "function pairOf(account: string, _layers: AddressLayers): string {\n  const network = '';",
      },
    ],
    attacker: 'guesses passwords of the accounts of the crowd from one host',
    bound: 'a lock counts for a network, so that the user of the account is not locked out',
    attack: floodAuth({
      method: 'accounts:signInWithPassword',
      body: (lane, round) => ({ email: `user${lane % 4}@crowd.example`, password: `wrong ${round}` }),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'sign-ups in a loop',
    attacker: 'creates 130 accounts from one host',
    bound: 'a host creates at most 100 accounts in an hour',
    lastsUntilComplete: true,
    attack: sendAuth({
      count: 130,
      method: 'accounts:signUp',
      body: (index) => ({ email: `new${index}@example.com`, password: PASSWORD }),
    }),
    checkCounts: answered(20, 400),
    proof: [
      {
        file: 'throttling/limits.ts',
        from: 'signUps: { host: { burst: 100, perHour: 100 }',
        to: 'signUps: { host: { burst: 1e6, perHour: 1e6 }',
      },
    ],
  },
  {
    name: 'refreshes with garbage',
    attacker: 'sends refresh tokens that no server has issued',
    bound:
      'a token is found by its hash, or not; a host makes 5,000 requests without a pause, then 500 a second',
    attackMs: 10_000,
    attack: floodAuth({
      lanes: 20,
      method: 'token',
      body: (lane, round) => ({ grantType: 'refresh_token', refreshToken: `garbage-${lane}-${round}` }),
    }),
    checkCounts: answered(20, 503),
    proof: WITHOUT_REQUEST_BUDGET,
  },
  {
    name: 'emails in a loop',
    attacker: 'asks for 150 emails that reset passwords, for known and unknown accounts',
    bound: 'a host asks for at most 100 emails in an hour',
    lastsUntilComplete: true,
    attack: sendAuth({
      count: 150,
      method: 'accounts:sendOobCode',
      body: (index) => ({
        requestType: 'PASSWORD_RESET',
        email: index % 2 === 0 ? `user${index % 4}@crowd.example` : `none${index}@example.com`,
      }),
    }),
    checkCounts: answered(20, 400),
    proof: [
      {
        file: 'throttling/limits.ts',
        from: 'mails: { host: { burst: 100, perHour: 100 }',
        to: 'mails: { host: { burst: 1e6, perHour: 1e6 }',
      },
    ],
  },
  {
    name: 'codes that do not exist',
    attacker: 'tries codes of emails',
    bound: 'a code is found by its hash, or not',
    unproven: 'no limit is involved: a lookup costs as much as that of any other request',
    attack: floodAuth({
      method: 'accounts:resetPassword',
      body: (lane, round) => ({ oobCode: `code-${lane}-${round}`, newPassword: PASSWORD }),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'long fields of the Auth API',
    attacker: 'signs in with an email of 50,000 characters and a password of as many',
    bound: 'fields have limits that are checked before any work',
    unproven:
      'the limits of guesses and the turns of hashing stand behind these (see sign-ins with wrong passwords from many hosts)',
    attack: floodAuth({
      method: 'accounts:signInWithPassword',
      body: () => ({ email: `${'a'.repeat(50_000)}@example.com`, password: 'p'.repeat(50_000) }),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'unknown API keys',
    attacker: 'signs in with another API key each time',
    bound: 'a key is found by its hash, or not, and nothing is kept for it',
    unproven: 'no limit is involved: the request ends at the lookup',
    attack: floodRequests({
      request: (_target, lane, round) => ({
        method: 'POST',
        path: `/v1/accounts:signInWithPassword?key=AIza-${lane}-${round}`,
        headers: JSON_TYPE,
        body: '{"email":"a@example.com","password":"password"}',
      }),
    }),
    checkCounts: answered(200, 400, 429),
  },
  {
    name: 'garbage tokens over WebSockets',
    attacker: 'sends messages with tokens that are not valid, on 5 connections',
    bound: 'a token is rejected before its signature is verified, if its form is wrong',
    unproven: 'to verify a signature takes 0.05 ms, which would change nothing',
    attack: floodMessages({
      message: (lane, round) => ['auth', { cred: `${'e'.repeat(800)}.${lane}.${round}` }],
    }),
    checkCounts: (counts) => ((counts['connected'] ?? 0) > 0 ? [] : ['The attack did not connect.']),
  },
  {
    name: 'tokens in addresses',
    attacker: 'reads over REST with tokens that look like ID tokens of unknown keys',
    bound: 'a token of an unknown key is rejected without a signature check',
    unproven: 'to verify a signature takes 0.05 ms, which would change nothing',
    attack: floodRequests({
      request: ({ namespace }, _lane, round) => ({
        path: `/open/none.json?ns=${namespace}&auth=${tokenOf(round)}`,
      }),
    }),
    checkCounts: answered(200, 401),
  },
];

/** Returns a token of three parts whose key no server has. */
function tokenOf(round: number): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = {
    sub: `u${round}`,
    aud: 'hostile',
    iss: 'https://securetoken.google.com/hostile',
    exp: 2e9,
  };
  return `${encode({ alg: 'RS256', kid: `k${round}` })}.${encode(payload)}.${'A'.repeat(342)}`;
}
