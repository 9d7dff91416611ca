import { PASSWORD } from '../crowd/crowd.ts';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Hearth } from '../server/hearth.ts';
import { DELAY_RULES } from './requests.ts';

/** An action whose delay depends on what clients have done before. */
export interface LongAction {
  readonly name: string;
  /** Returns a function that does the action, and resolves with the status of the response. */
  readonly prepare: (hearth: Hearth) => Promise<() => Promise<string>>;
}

/** Requests that a client sends before it waits for the responses. */
const BATCH = 500;

/** Opens a connection of a host, and sends requests until all are answered. */
async function openClient(
  { target }: Hearth,
  host: number,
  count: number,
  bodyOf: (n: number) => object,
): Promise<RealtimeClient> {
  const client = await RealtimeClient.open(target, { side: 'attacker', host });
  if (client === undefined) throw new Error('The server accepts no connection.');
  await listen(client, count, bodyOf);
  return client;
}

async function listen(client: RealtimeClient, count: number, bodyOf: (n: number) => object): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    const answers = Array.from({ length }, (_, each) => client.request('q', bodyOf(first + each)));
    const failed = (await Promise.all(answers)).find(({ status }) => status !== 'ok');
    if (failed !== undefined) throw new Error(`A listen was answered with ${failed.status}.`);
  }
}

/** Number of connections that listen, each of another host. */
const CLIENTS = 4;

/** The most that one connection may have. */
const LISTENS = 50_000;

/** Opens connections that together listen to 200,000 paths below `open/listened`. */
async function openListeners(hearth: Hearth): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, host) =>
      openClient(hearth, host, LISTENS, (n) => ({ p: `/open/listened/${host}-${n}`, h: '' })),
    ),
  );
}

/** Number of queries of one connection. */
const QUERIES = 4_000;

/** Opens connections that together listen to 16,000 ranges of `open/orders`. */
async function openQueries(hearth: Hearth): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, host) =>
      openClient(hearth, host, QUERIES, (n) => {
        const user = `u${host * QUERIES + n}`;
        return { p: '/open/orders', q: { i: 'user', sp: user, ep: user }, t: n + 1, h: '' };
      }),
    ),
  );
}

function put({ target }: Hearth, path: string, dataOf: () => unknown): () => Promise<string> {
  return async () => {
    const writer = await RealtimeClient.open(target, { side: 'attacker', host: CLIENTS });
    const outcome = await writer?.request('p', { p: path, d: dataOf() });
    writer?.close();
    return outcome?.status ?? 'no connection';
  };
}

/** Returns a function that signs a connection in, lets it listen, and signs it out. */
async function openUser(hearth: Hearth): Promise<() => Promise<string>> {
  const { target } = hearth;
  const email = 'delays@crowd.example';
  await hearth.administer('POST', `/v1/projects/${target.projectId}/accounts`, { email, password: PASSWORD });
  using http = new HttpClient(target, { side: 'attacker', host: 0 });
  const { text } = await http.post(`/v1/accounts:signInWithPassword?key=${target.apiKey}`, {
    email,
    password: PASSWORD,
    returnSecureToken: true,
  });
  const cred = parseObject(text)['idToken'];
  const client = await openClient(hearth, 0, 0, () => ({}));
  await client.request('auth', { cred });
  await listen(client, LISTENS, (n) => ({ p: `/users/${n}`, h: '' }));
  return async () => (await client.request('unauth', {})).status;
}

/** The actions whose delays are measured. */
export const LONG_ACTIONS: readonly LongAction[] = [
  {
    name: 'write over 200,000 listens',
    prepare: async (hearth) => {
      await openListeners(hearth);
      return put(hearth, '/open/listened', () => ({ x: performance.now() }));
    },
  },
  {
    name: 'publication with 200,000 listens',
    prepare: async (hearth) => {
      await openListeners(hearth);
      const path = `/.settings/rules.json?ns=${hearth.target.namespace}`;
      return async () => {
        await hearth.administer('PUT', path, DELAY_RULES);
        return '200';
      };
    },
  },
  { name: 'sign-out with 50,000 listens', prepare: openUser },
  {
    name: 'write of a list with 16,000 queries',
    prepare: async (hearth) => {
      await openQueries(hearth);
      const orders = (): object =>
        Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`o${n}`, { user: `u${n * 30}`, n }]));
      return put(hearth, '/open/orders', orders);
    },
  },
];
