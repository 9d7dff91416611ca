import { flood, forEachOf, pause, Tally, untilEnded } from '../attack/tools.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Attack, AttackCounts, Scenario } from './scenario.ts';

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
  return async (target, signal) => {
    const tally = new Tally();
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
    await untilEnded(signal);
    for (const client of clients) client.close();
    return tally.counts();
  };
}

const CHILDREN = 100_000;

/** Fills `/open/list` with children that no index orders. */
async function fillList(hearth: Hearth): Promise<Readonly<Record<string, string>>> {
  const part = 20_000;
  for (let start = 0; start < CHILDREN; start += part) {
    const children = Array.from({ length: part }, (_, index) => [
      `k${String(start + index).padStart(6, '0')}`,
      { score: ((start + index) * 7_919) % CHILDREN, name: `n${index}` },
    ]);
    const path = `/open/list.json?ns=${hearth.target.namespace}&print=silent`;
    await hearth.administer('PATCH', path, Object.fromEntries(children));
  }
  return {};
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
    attack: listenDeep(7),
    checkCounts: (counts) =>
      (counts['answered ok'] ?? 0) >= 2_000 && (counts['answered unavailable'] ?? 0) > 0
        ? []
        : ['The attack did not reach the limit of listens.'],
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'const LISTENS_SHARE = 1 / 8;',
        to: 'const LISTENS_SHARE = 1_000;',
      },
    ],
  },
  {
    name: 'unindexed listens on a long list',
    attacker:
      'listens from 10 sessions of one host to a query without index on 100,000 children, again and again',
    bound: 'a query without index goes in steps above 10,000 children',
    attackMs: 8_000,
    prepare: fillList,
    attack: async (target, signal) => {
      const tally = new Tally();
      const clients = await openClients(target, signal, { count: 10, hosts: 1 });
      await flood(signal, clients.length, async (lane, round) => {
        const client = clients[lane];
        if (client === undefined || !client.isOpen) return pause(200, signal);
        const body = { p: '/open/list', q: { ...UNINDEXED, l: 10 + (round % 5) }, t: round + 1, h: '' };
        tally.addStatus((await client.request('q', body)).status);
        await client.request('n', { p: '/open/list', q: body.q });
        return undefined;
      });
      for (const client of clients) client.close();
      return tally.counts();
    },
    checkCounts: answeredSome,
    proof: [
      {
        file: 'database/read.ts',
        from: 'const MAX_CHILDREN_AT_ONCE = 10_000;',
        to: 'const MAX_CHILDREN_AT_ONCE = 10_000_000;',
      },
    ],
  },
  {
    name: 'windows that are refilled after deletes',
    attacker:
      'holds 20 windows without index on 100,000 children, and deletes their first children one by one',
    bound: 'a window is refilled in steps',
    prepare: fillList,
    attack: async (target, signal) => {
      const tally = new Tally();
      const clients = await openClients(target, signal, { count: 10, hosts: 1 });
      for (const client of clients)
        for (const [tag, limit] of [10, 1_000].entries())
          void client.request('q', { p: '/open/list', q: { ...UNINDEXED, l: limit }, t: tag + 1, h: '' });
      const [writer] = clients;
      // The scores are a permutation, so these keys come first in the order of the query.
      for (let score = 0; writer?.isOpen === true && !signal.aborted; score++) {
        const index = findIndexOf(score);
        const path = `/open/list/k${String(index).padStart(6, '0')}`;
        tally.addStatus((await writer.request('p', { p: path, d: null })).status);
      }
      await untilEnded(signal);
      for (const client of clients) client.close();
      return tally.counts();
    },
    checkCounts: answeredSome,
  },
  {
    name: 'many growing windows',
    attacker:
      'listens with 5,000 different windows of a list on each of 4 connections, and then fills the list',
    bound: 'listens are charged for what they hold, and broadcasts go in steps',
    attack: async (target, signal) => {
      const tally = new Tally();
      const clients = await openClients(target, signal, { count: 4, hosts: 1 });
      await Promise.all(
        clients.map(async (client) => {
          for (let limit = 1; limit <= 5_000 && client.isOpen && !signal.aborted; limit += 100) {
            const answers = Array.from({ length: 100 }, (_, each) =>
              client.request('q', {
                p: '/open/grow',
                q: { l: limit + each, vf: 'r' },
                t: limit + each,
                h: '',
              }),
            );
            for (const { status } of await Promise.all(answers)) tally.addStatus(status);
          }
        }),
      );
      const writer = clients.find((client) => client.isOpen);
      for (let key = 0; writer?.isOpen === true && !signal.aborted; key++)
        tally.addStatus((await writer.request('p', { p: `/open/grow/k${key}`, d: 'x'.repeat(50) })).status);
      await untilEnded(signal);
      for (const client of clients) client.close();
      return tally.counts();
    },
    checkCounts: answeredSome,
  },
];

/** Returns the child that `fillList` gave this score. 7,919 has an inverse, because it is prime to the number of children. */
function findIndexOf(score: number): number {
  return (score * INVERSE) % CHILDREN;
}

/** 7,919 times this is 1 more than a multiple of 100,000. */
const INVERSE = 17_679;
