import { flood } from '../attack/tools.ts';
import { HttpClient, type HttpRequest } from '../network/http.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Target } from '../network/target.ts';
import type { Attack, AttackCounts } from './scenario.ts';

export interface RequestFlood {
  /** Number of connections, each with one request in progress; 10 unless given. */
  readonly lanes?: number;
  /** Number of hosts; 1 unless given. */
  readonly hosts?: number;
  readonly request: (target: Target, lane: number, round: number) => HttpRequest;
}

/** Sends requests without pause, and counts the statuses of the responses. */
export function floodRequests({ lanes = 10, hosts = 1, request }: RequestFlood): Attack {
  return async (target, signal, tally) => {
    const clients = Array.from(
      { length: lanes },
      (_, lane) => new HttpClient(target, { side: 'attacker', host: lane % hosts }),
    );
    await flood(signal, lanes, async (lane, round) => {
      const answer = await clients[lane]?.ask(request(target, lane, round));
      if (answer !== undefined) tally.addStatus(answer.status);
    });
  };
}

export interface MessageFlood {
  /** Number of connections; 5 unless given. */
  readonly lanes?: number;
  /** Number of requests that each connection sends before it waits for their responses; 20 unless given. */
  readonly atOnce?: number;
  readonly namespace?: string;
  readonly message: (lane: number, round: number) => readonly [action: string, body: unknown];
}

/** Sends requests over WebSockets without pause, and counts the statuses of the responses. */
export function floodMessages({ lanes = 5, atOnce = 20, namespace, message }: MessageFlood): Attack {
  return async (target, signal, tally) => {
    const options = namespace === undefined ? {} : { namespace };
    await flood(signal, lanes, async (lane) => {
      const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 }, options);
      tally.add(client === undefined ? 'not connected' : 'connected');
      for (let round = 0; client?.isOpen === true && !signal.aborted; round++) {
        const answers = Array.from({ length: atOnce }, (_, each) =>
          client.request(...message(lane, round * atOnce + each)),
        );
        for (const { status } of await Promise.all(answers)) tally.addStatus(status);
      }
    });
  };
}

/** Returns a check that at least `count` responses had one of these statuses. */
export function answered(
  count: number,
  ...statuses: readonly (number | string)[]
): (counts: AttackCounts) => readonly string[] {
  return (counts) => {
    const found = statuses.reduce<number>((sum, status) => sum + (counts[`answered ${status}`] ?? 0), 0);
    return found >= count ? [] : [`Only ${found} responses were ${statuses.join(' or ')}.`];
  };
}

/** Checks that the attack counted at least one response. */
export function answeredAny(counts: AttackCounts): readonly string[] {
  return Object.keys(counts).length > 0 ? [] : ['No request was answered.'];
}
