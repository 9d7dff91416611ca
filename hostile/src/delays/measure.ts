import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../network/http.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import { Hearth } from '../server/hearth.ts';
import { LONG_ACTIONS, type LongAction } from './actions.ts';
import { DELAY_RULES, LONG_REQUESTS, type LongRequest } from './requests.ts';

/** Time without requests before and after each request, so that its delays are its own. */
const PAUSE_MS = 300;

/** Number of times that each request is sent. The first one also writes to an empty place. */
const ROUNDS = 2;

/** The longest delay of the event loop for each request. */
export interface MeasuredDelay {
  readonly name: string;
  readonly longestMs: readonly number[];
  /** The status of the last response. */
  readonly status: string;
}

/** Measures how long each of the requests and actions keeps the server from answering others. */
export async function* measureDelays(words: readonly string[]): AsyncGenerator<MeasuredDelay> {
  const isChosen = ({ name }: { readonly name: string }): boolean =>
    words.length === 0 || words.some((word) => name.includes(word));
  yield* measureRequests(LONG_REQUESTS.filter(isChosen));
  for (const action of LONG_ACTIONS.filter(isChosen)) yield await measureAction(action);
}

async function* measureRequests(requests: readonly LongRequest[]): AsyncGenerator<MeasuredDelay> {
  if (requests.length === 0) return;
  await using hearth = await Hearth.start({ entry: 'proxied', addressGroup: 9, memoryMiB: 512 });
  const { target } = hearth;
  await hearth.administer('PUT', `/.settings/rules.json?ns=${target.namespace}`, DELAY_RULES);
  for (const request of requests) {
    const longestMs: number[] = [];
    let status = '';
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(PAUSE_MS);
      hearth.takeDelays();
      status = await send(target, request);
      await sleep(PAUSE_MS);
      longestMs.push(Math.max(0, ...hearth.takeDelays()));
    }
    yield { name: request.name, longestMs, status };
  }
}

/** Enough for as many listens as four connections may have. */
const MEMORY_OF_LISTENS_MIB = 4_096;

/** Time after an action: this process reads the delays only after the messages that the clients receive. */
const SETTLE_MS = 3_000;

/** Measures an action once, on a server of its own. What the clients do before does not count. */
async function measureAction({ name, prepare }: LongAction): Promise<MeasuredDelay> {
  await using hearth = await Hearth.start({
    entry: 'proxied',
    addressGroup: 9,
    memoryMiB: MEMORY_OF_LISTENS_MIB,
  });
  await hearth.administer('PUT', `/.settings/rules.json?ns=${hearth.target.namespace}`, DELAY_RULES);
  const act = await prepare(hearth);
  await sleep(PAUSE_MS);
  hearth.takeDelays();
  const status = await act();
  await sleep(SETTLE_MS);
  return { name, longestMs: [Math.max(0, ...hearth.takeDelays())], status };
}

/** Sends a request, and resolves with the status of the response. */
async function send(target: Target, request: LongRequest): Promise<string> {
  const { path, data } = request;
  switch (request.send) {
    case 'PUT':
    case 'PATCH': {
      using client = new HttpClient(target, { side: 'attacker', host: 0 });
      const { status } = await client.ask({
        method: request.send,
        path: `/${path}.json?ns=${target.namespace}&print=silent`,
        body: JSON.stringify(data()),
        timeoutMs: 60_000,
      });
      return String(status);
    }
    case 'p':
    case 'm':
    case 'echo': {
      const client = await RealtimeClient.open(target, { side: 'attacker', host: 1 });
      if (client === undefined) return 'no connection';
      const { status } = await client.request(request.send, { p: `/${path}`, d: data() });
      client.close();
      return status;
    }
    default:
      return request.send satisfies never;
  }
}
