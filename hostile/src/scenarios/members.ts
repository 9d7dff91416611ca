import { sign } from 'node:crypto';
import { flood, forEachOf } from '../attack/tools.ts';
import { PASSWORD } from '../crowd/crowd.ts';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import { headText, openRaw } from '../network/raw.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered } from './floods.ts';
import { type Attack, type AttackCounts, ENDS_AT_ONCE, type Scenario } from './scenario.ts';

/** Where a scenario leaves the token of the attacker, because the attacker is another process. */
const TOKEN_PATH = '/open/token.json';

/** Creates a service account with a role, and stores an access token of it. */
async function createReader(hearth: Hearth, role = 'database.viewer'): Promise<void> {
  const { target } = hearth;
  const path = `/api/projects/${target.projectId}/service-accounts/reader/keys`;
  const key = parseObject(await hearth.administer('POST', path, { roles: [role] }));
  const nowSec = Math.floor(Date.now() / 1_000);
  const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const claims = { iss: key['client_email'], aud: key['token_uri'], iat: nowSec, exp: nowSec + 300 };
  const text = `${encode({ alg: 'RS256', kid: key['private_key_id'] })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), String(key['private_key']));
  using client = new HttpClient(target, { side: 'crowd', host: 247 });
  const granted = await client.post('/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${text}.${signature.toString('base64url')}`,
  });
  const token = parseObject(granted.text)['access_token'];
  if (typeof token !== 'string') throw new Error(`The reader got no token: ${granted.text}`);
  const stored = `${TOKEN_PATH}?ns=${target.namespace}&print=silent`;
  await hearth.administer('PUT', stored, JSON.stringify(token));
}

/** Does the same as `createReader`, and stores a list of 20,000 children. */
async function createReaderAndList(hearth: Hearth): Promise<void> {
  await createReader(hearth);
  const children = Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 'v'.repeat(400)]);
  const path = `/open/list.json?ns=${hearth.target.namespace}&print=silent`;
  await hearth.administer('PUT', path, Object.fromEntries(children));
}

/** Number of accounts that a filtered page reads. */
const ACCOUNTS = 5_000;
const ACCOUNTS_OF_REQUEST = 1_000;

/** Creates a service account that may read the accounts, and accounts that no filter of the attack selects. */
async function createAccountReader(hearth: Hearth): Promise<void> {
  await createReader(hearth, 'identity.viewer');
  const path = `/v1/projects/${hearth.target.projectId}/accounts:batchCreate`;
  for (let first = 0; first < ACCOUNTS; first += ACCOUNTS_OF_REQUEST) {
    const users = Array.from({ length: ACCOUNTS_OF_REQUEST }, (_, n) => ({
      localId: `listed${first + n}`,
      email: `listed${first + n}@example.com`,
      customAttributes: '{"role":"reader"}',
    }));
    await hearth.administer('POST', path, { users });
  }
}

/** Number of paths of the rules that the attack sends. Reading them takes some milliseconds. */
const RULED_PATHS = 300;

/** Rules that take long to read, and deny what the user of the denial asked for. */
const LONG_RULES = JSON.stringify({
  rules: Object.fromEntries(
    Array.from({ length: RULED_PATHS }, (_, n) => [
      `p${n}`,
      { $id: { '.read': `auth.uid === 'u${n}' && now > ${n}` } },
    ]),
  ),
});

/** Creates a service account that may read the database, and lets a user of the crowd be denied. */
async function createReaderAndDenial(hearth: Hearth): Promise<void> {
  await createReader(hearth);
  const { target } = hearth;
  const email = 'denied@crowd.example';
  await hearth.administer('POST', `/v1/projects/${target.projectId}/accounts`, { email, password: PASSWORD });
  using client = new HttpClient(target, { side: 'crowd', host: 247 });
  const signIn = { email, password: PASSWORD, returnSecureToken: true };
  const { text } = await client.post(`/v1/accounts:signInWithPassword?key=${target.apiKey}`, signIn);
  const token = String(parseObject(text)['idToken']);
  await client.ask({ path: `/denied.json?ns=${target.namespace}&auth=${token}` });
}

async function readToken(target: Target): Promise<string> {
  using client = new HttpClient(target, { side: 'attacker', host: 0 });
  const { text } = await client.ask({ path: `${TOKEN_PATH}?ns=${target.namespace}` });
  return String(JSON.parse(text));
}

interface Requests {
  readonly line: (target: Target) => string;
  readonly headers?: readonly string[];
  readonly count: number;
  readonly hosts: number;
}

/** Sends requests as the reader, counts their statuses, and reads only the beginning of each response. */
async function stopReading(
  { line, headers = [], count, hosts }: Requests,
  ...[target, signal, tally]: Parameters<Attack>
): Promise<void> {
  const token = await readToken(target);
  await forEachOf(count, 10, signal, async (index) => {
    const peer = { side: 'attacker', host: index % hosts } as const;
    const connection = await openRaw(target, peer);
    if (connection === undefined) return;
    const { socket } = connection;
    socket.write(
      `${headText(target, peer, line(target), [`Authorization: Bearer ${token}`, ...headers])}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    socket.pause();
    tally.addStatus(/^HTTP\/1\.1 (\d+)/.exec(connection.received())?.[1] ?? 0);
  });
}

/** Returns a check that of many requests some were accepted, at most `most`, and the others were rejected. */
function acceptedAtMost(most: number): (counts: AttackCounts) => readonly string[] {
  return (counts) => {
    const { 'answered 200': accepted = 0, 'answered 503': rejected = 0 } = counts;
    if (accepted > most) return [`The server accepted ${accepted} requests of one service account.`];
    return accepted > 0 && rejected > 0 ? [] : ['The attack did not reach the limit.'];
  };
}

/** Attacks by a member or a backend of the project, with a credential that may only read. */
export const MEMBER_SCENARIOS: readonly Scenario[] = [
  {
    name: 'live pages of the console that stop reading',
    attacker:
      'opens 200 live pages of a list from 10 hosts with the key of one service account that may read, reads nothing, and lets a client write to the list',
    bound:
      'a member or a service account has 20 streams, and a stream generates an event when its reader has taken the previous one',
    attackMs: 10_000,
    prepare: createReaderAndList,
    attack: async (target, signal, tally) => {
      const pages: Requests = {
        line: ({ namespace }) => `GET /api/databases/${namespace}/children?path=%2Fopen%2Flist&limit=500`,
        headers: ['Accept: text/event-stream'],
        count: 200,
        hosts: 10,
      };
      await stopReading(pages, target, signal, tally);
      const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 });
      for (let round = 0; client?.isOpen === true && !signal.aborted; round++) {
        const body = { p: `/open/list/k${round % 500}`, d: `${round}`.padEnd(400, 'w') };
        tally.add(`written ${(await client.request('p', body)).status}`);
      }
    },
    checkCounts: acceptedAtMost(20),
    allows: ENDS_AT_ONCE,
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'MAX_LIVE_FEEDS_OF_IDENTITY = 20;',
        to: 'MAX_LIVE_FEEDS_OF_IDENTITY = 1e6;',
      },
    ],
  },
  {
    name: 'exports that stop reading',
    attacker:
      'exports 8 MB on each of 100 connections from 10 hosts with the key of one service account that may read, and reads nothing',
    bound: 'a member or a service account has half of the 64 places of long responses',
    attackMs: 8_000,
    lastsUntilComplete: true,
    prepare: createReaderAndList,
    attack: (...given) => {
      const line = ({ namespace }: Target): string =>
        `GET /open/list.json?ns=${namespace}&format=export&download=list.json`;
      return stopReading({ line, count: 100, hosts: 10 }, ...given);
    },
    checkCounts: acceptedAtMost(32),
    allows: {
      growthMiB: 192,
      reason: '32 long responses are in progress, each with the next values of 1 MiB',
    },
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'LONG_READS_OF_IDENTITY_SHARE = 1 / 2;',
        to: 'LONG_READS_OF_IDENTITY_SHARE = 1e6;',
      },
    ],
  },
  {
    name: 'filtered lists of accounts',
    attacker:
      'asks on 30 connections from 10 hosts for pages of a list of 5,000 accounts of which none matches, with the key of one service account that may read them',
    bound:
      'a page reads at most 5,000 accounts, in steps of 200, and of all lists one step runs between other requests',
    attackMs: 8_000,
    prepare: createAccountReader,
    attack: async (target, signal, tally) => {
      const headers = { authorization: `Bearer ${await readToken(target)}` };
      const path = `/api/projects/${target.projectId}/accounts?by=uid&limit=200&claim=role%3Dnone`;
      await flood(signal, 30, async (lane) => {
        using client = new HttpClient(target, { side: 'attacker', host: lane % 10 });
        tally.addStatus((await client.ask({ path, headers })).status);
      });
    },
    checkCounts: answered(5, 200),
    proof: [
      {
        file: 'accounts/filtered-list.ts',
        from: 'this.#lastStep = this.#lastStep.then(() => setImmediate());',
        to: 'this.#lastStep = setImmediate();',
      },
    ],
  },
  {
    name: 'proposals of fixes for denials',
    attacker:
      'asks on 40 connections from 10 hosts for a change of long rules that would allow a denied read, with the key of one service account that may read the denials',
    bound:
      'a member or a service account has one of the two places for tests of rules, and takes it before its rules are read',
    attackMs: 8_000,
    prepare: createReaderAndDenial,
    attack: async (target, signal, tally) => {
      const headers = {
        authorization: `Bearer ${await readToken(target)}`,
        'content-type': 'application/json',
      };
      const denials = `/api/databases/${target.namespace}/denials`;
      using client = new HttpClient(target, { side: 'attacker', host: 0 });
      const listed = parseObject((await client.ask({ path: denials, headers })).text)['denials'];
      const id = Array.isArray(listed)
        ? listed.find(({ identity }) => identity?.kind === 'user')?.id
        : undefined;
      const body = JSON.stringify({ source: LONG_RULES });
      await flood(signal, 40, async (lane) => {
        using sender = new HttpClient(target, { side: 'attacker', host: lane % 10 });
        const path = `${denials}/${id}/proposal`;
        tally.addStatus((await sender.ask({ method: 'POST', path, headers, body })).status);
      });
    },
    checkCounts: (counts) => [...answered(1, 200)(counts), ...answered(20, 503)(counts)],
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'MAX_REPLAYS_OF_IDENTITY = 1;',
        to: 'MAX_REPLAYS_OF_IDENTITY = 1e6;',
      },
      { file: 'platform/admission.ts', from: 'MAX_REPLAYS = 2;', to: 'MAX_REPLAYS = 1e6;' },
    ],
  },
];
