import { flood, forEachOf, pause } from '../attack/tools.ts';
import { PASSWORD } from '../crowd/crowd.ts';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Attack, AttackCounts, Scenario, Tally } from './scenario.ts';
import { WITHOUT_LISTEN_LIMIT } from './without.ts';

/** Opens `count` connections of attackers from `hosts` hosts. */
async function openClients(
  target: Target,
  signal: AbortSignal,
  { count, hosts }: { readonly count: number; readonly hosts: number },
): Promise<readonly RealtimeClient[]> {
  const clients: RealtimeClient[] = [];
  await forEachOf(count, 10, signal, async (index) => {
    const client = await RealtimeClient.open(target, { side: 'attacker', host: index % hosts });
    if (client !== undefined) clients.push(client);
  });
  return clients;
}

const LEVELS = 31;

/** Sends listens at deep paths until the connection ends, with at most `PENDING` unanswered. */
function listenDeep(clientCount: number): Attack {
  return async (target, signal, tally) => {
    const clients = await openClients(target, signal, { count: clientCount, hosts: 1 });
    await Promise.all(
      clients.map(async (client, index) => {
        for (let batch = 0; batch < 500 && client.isOpen && !signal.aborted; batch++) {
          const answers = Array.from({ length: 100 }, (_, each) => {
            const path = `/open/${index}/${batch}/${each}/${'l/'.repeat(LEVELS - 4)}k`;
            return client.request('q', { p: path, h: '' });
          });
          for (const { status } of await Promise.all(answers)) tally.addStatus(status);
        }
      }),
    );
  };
}

/** Prime to the number of children, so that the scores are a permutation. */
const STEP = 7_919;

/** Fills `/open/list` with children that no index orders. */
async function fillList(hearth: Hearth, count: number): Promise<void> {
  const part = 20_000;
  for (let start = 0; start < count; start += part) {
    const children = Array.from({ length: Math.min(part, count - start) }, (_, index) => [
      keyOf(start + index),
      { score: ((start + index) * STEP) % count, name: `n${index}` },
    ]);
    const path = `/open/list.json?ns=${hearth.target.namespace}&print=silent`;
    await hearth.administer('PATCH', path, Object.fromEntries(children));
  }
}

function keyOf(index: number): string {
  return `k${String(index).padStart(6, '0')}`;
}

/** Returns the keys of the children that `fillList` has made, in the order of their scores. */
function keysByScore(count: number): readonly string[] {
  const keys: string[] = [];
  for (let index = 0; index < count; index++) keys[(index * STEP) % count] = keyOf(index);
  return keys;
}

/** Number of ranges to which a client of `listenToRanges` listens. */
const RANGES = 4_000;

/** Listens to ranges of a list. No other client listens to the same ranges. */
async function listenToRanges(client: RealtimeClient, index: number, tally: Tally): Promise<void> {
  for (let first = 1; first <= RANGES && client.isOpen; first += 100) {
    const answers = Array.from({ length: 100 }, (_, each) => {
      const user = `u${index * RANGES + first + each}`;
      const query = { i: 'user', sp: user, ep: user };
      return client.request('q', { p: '/open/orders', q: query, t: first + each, h: '' });
    });
    for (const { status } of await Promise.all(answers)) tally.addStatus(status);
  }
}

/** Number of windows to which a client of `listenToWindows` listens. */
const WINDOWS = 4_000;

/** Listens to windows of a list, each of another size. */
async function listenToWindows(client: RealtimeClient, tally: Tally): Promise<void> {
  for (let limit = 1; limit <= WINDOWS && client.isOpen; limit += 100) {
    const answers = Array.from({ length: 100 }, (_, each) => {
      const query = { l: limit + each, vf: 'r' };
      return client.request('q', { p: '/open/grow', q: query, t: limit + each, h: '' });
    });
    for (const { status } of await Promise.all(answers)) tally.addStatus(status);
  }
}

/** Number of listens that a client of `signInAndOut` loses when it signs out. */
const LISTENS_OF_USER = 10_000;

/** Signs in on a connection, listens to what only users may read, and signs out, twice. */
async function signInAndOut(
  target: Target,
  client: RealtimeClient,
  signal: AbortSignal,
  tally: Tally,
): Promise<void> {
  using http = new HttpClient(target, { side: 'attacker', host: 0 });
  const user = { email: 'user0@crowd.example', password: PASSWORD, returnSecureToken: true };
  const { text } = await http.post(`/v1/accounts:signInWithPassword?key=${target.apiKey}`, user);
  const cred = parseObject(text)['idToken'];
  for (let round = 0; round < 2 && !signal.aborted && client.isOpen; round++) {
    await client.request('auth', { cred });
    for (let first = 0; first < LISTENS_OF_USER && client.isOpen; first += 100) {
      const answers = Array.from({ length: 100 }, (_, each) =>
        client.request('q', { p: `/users/k${first + each}`, h: '' }),
      );
      for (const { status } of await Promise.all(answers)) tally.addStatus(status);
    }
    const { status } = await client.request('unauth', {});
    tally.add(`signed out ${status}`);
  }
}

const UNINDEXED = { i: 'score', l: 10, vf: 'l' };

const answeredSome = (counts: AttackCounts): readonly string[] =>
  Object.keys(counts).some((name) => name.startsWith('answered')) ? [] : ['No request was answered.'];

/** Attacks with listens and queries. */
export const LISTEN_SCENARIOS: readonly Scenario[] = [
  {
    name: 'many deep listens',
    attacker: 'listens at up to 50,000 paths of 32 levels on each of 7 connections of one host',
    bound:
      'listens take at most an eighth of the memory; the network with the most loses its largest connection',
    isShort: true,
    attackMs: 10_000,
    lastsUntilComplete: true,
    attack: listenDeep(7),
    checkCounts: (counts) =>
      (counts['answered ok'] ?? 0) >= 2_000 && (counts['answered unavailable'] ?? 0) > 0
        ? []
        : ['The attack did not reach the limit of listens.'],
    proof: WITHOUT_LISTEN_LIMIT,
  },
  {
    name: 'unindexed listens on a long list',
    attacker:
      'listens from 10 sessions of one host to a query without index on 100,000 children, again and again',
    bound: 'a query without index goes in steps above 2,000 children',
    attackMs: 8_000,
    prepare: (hearth) => fillList(hearth, 100_000),
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 10, hosts: 1 });
      await flood(signal, clients.length, async (lane, round) => {
        const client = clients[lane];
        if (client === undefined || !client.isOpen) return pause(200, signal);
        const body = { p: '/open/list', q: { ...UNINDEXED, l: 10 + (round % 5) }, t: round + 1, h: '' };
        tally.addStatus((await client.request('q', body)).status);
        await client.request('n', { p: '/open/list', q: body.q });
        return undefined;
      });
    },
    checkCounts: answeredSome,
    proof: [
      {
        file: 'database/read.ts',
        from: 'const MAX_CHILDREN_AT_ONCE = 2_000;',
        to: 'const MAX_CHILDREN_AT_ONCE = 10_000_000;',
      },
    ],
  },
  {
    name: 'windows that are refilled after deletes',
    attacker:
      'holds 20 windows without index on each of 5 connections to 1,500 children, and deletes the first children one by one',
    bound: 'all windows that a write changes are refilled within the bound of one query, and then in steps',
    attackMs: 8_000,
    prepare: (hearth) => fillList(hearth, 1_500),
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 5, hosts: 1 });
      await Promise.all(
        clients.map(async (client, index) => {
          for (let tag = 1; tag <= 20; tag++) {
            const query = { ...UNINDEXED, l: 100 * index + tag };
            tally.addStatus((await client.request('q', { p: '/open/list', q: query, t: tag, h: '' })).status);
          }
        }),
      );
      const [writer] = clients;
      for (const key of keysByScore(1_500)) {
        if (writer?.isOpen !== true || signal.aborted) break;
        const { status } = await writer.request('p', { p: `/open/list/${key}`, d: null });
        tally.add(`deleted ${status}`);
      }
    },
    checkCounts: (counts) => ((counts['deleted ok'] ?? 0) > 0 ? [] : ['The attack deleted nothing.']),
    proof: [
      {
        file: 'database/broadcast.ts',
        from: 'view.readQuery(path, query, this.#scanned)',
        to: 'view.readQuery(path, query)',
      },
    ],
  },
  {
    name: 'many growing windows',
    attacker:
      'listens with 4,000 different windows of a list on each of 4 connections of one host, and then fills the list',
    bound:
      'a window is charged for each child that it holds; the network with the most loses its largest connection',
    lastsUntilComplete: true,
    proof: WITHOUT_LISTEN_LIMIT,
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 4, hosts: 1 });
      await Promise.all(clients.map((client) => listenToWindows(client, tally)));
      const writer = await RealtimeClient.open(target, { side: 'attacker', host: 1 });
      for (let key = 0; key < 600 && writer?.isOpen === true && !signal.aborted; key++) {
        const { status } = await writer.request('p', { p: `/open/grow/k${key}`, d: 'x'.repeat(50) });
        tally.add(`written ${status}`);
      }
      tally.add('closed by the server', clients.filter(({ isOpen }) => !isOpen).length);
    },
    checkCounts: (counts) =>
      (counts['closed by the server'] ?? 0) > 0 ? [] : ['The attack did not reach the limit of listens.'],
  },
  {
    name: 'many different queries of one list',
    attacker:
      'listens with 4,000 different ranges of a list on connections of each of 4 hosts, and then writes to the list',
    bound: 'a write reads each child once for all queries with the same index, however many there are',
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 4, hosts: 4 });
      await Promise.all(clients.map((client, index) => listenToRanges(client, index, tally)));
      const [writer] = clients;
      for (let key = 0; key < 40 && writer?.isOpen === true; key++) {
        const { status } = await writer.request('p', { p: `/open/orders/k${key}`, d: { user: 'u1' } });
        tally.add(`written ${status}`);
      }
    },
    checkCounts: (counts) =>
      (counts['answered ok'] ?? 0) >= 4 * RANGES && (counts['written ok'] ?? 0) >= 40
        ? []
        : ['The attack did not have its listens, or wrote nothing.'],
    proof: [
      {
        file: 'database/broadcast.ts',
        from: 'if (changes === undefined) {',
        to: '{',
      },
      {
        file: 'database/broadcast.ts',
        from: 'if (!this.#before.has(name))',
        to: '',
      },
    ],
  },
  {
    name: 'writes over a list with many queries',
    attacker:
      'listens with 4,000 different ranges of a list on connections of each of 4 hosts, and then replaces the whole list',
    bound: 'one write reads children for at most 100 queries; the others are evaluated in steps',
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 4, hosts: 4 });
      await Promise.all(clients.map((client, index) => listenToRanges(client, index, tally)));
      const [writer] = clients;
      for (let round = 0; round < 10 && writer?.isOpen === true; round++) {
        const orders = Object.fromEntries(
          Array.from({ length: 100 }, (_, n) => [`k${n}`, { user: `u${round}` }]),
        );
        const { status } = await writer.request('p', { p: '/open/orders', d: orders });
        tally.add(`written ${status}`);
      }
    },
    checkCounts: (counts) =>
      (counts['answered ok'] ?? 0) >= 4 * RANGES && (counts['written ok'] ?? 0) >= 10
        ? []
        : ['The attack did not have its listens, or wrote nothing.'],
    proof: [
      {
        file: 'database/query-results.ts',
        from: 'const MAX_QUERIES_AT_ONCE = 100;',
        to: 'const MAX_QUERIES_AT_ONCE = 1e9;',
      },
      {
        file: 'database/query-results.ts',
        from: 'if (scanned.queries >= MAX_QUERIES_AT_ONCE || (scanned.queries > 0 && scanned.children > scanned.max)) {',
        to: 'if (scanned.queries < 0) {',
      },
    ],
  },
  {
    name: 'sign-outs with many listens',
    attacker:
      'signs in on connections of 3 hosts, listens to 10,000 paths that only users may read, and signs out, twice',
    bound: 'when a principal changes, 200 listens are authorized again at once, and the others in steps',
    rules: { users: { '.read': 'auth !== null' } },
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const clients = await openClients(target, signal, { count: 3, hosts: 3 });
      await Promise.all(clients.map((client) => signInAndOut(target, client, signal, tally)));
    },
    checkCounts: (counts) =>
      (counts['signed out ok'] ?? 0) >= 6 ? [] : ['The attack signed out too rarely.'],
    proof: [
      {
        file: 'database/read-checks.ts',
        from: 'const MAX_CHECKED_AT_ONCE = 200;',
        to: 'const MAX_CHECKED_AT_ONCE = 1e9;',
      },
    ],
  },
];
