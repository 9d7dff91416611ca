import { forEachOf, untilEnded } from '../attack/tools.ts';
import { headText, openRaw, type RawConnection } from '../network/raw.ts';
import type { Target } from '../network/target.ts';
import { type Attack, type AttackCounts, ENDS_AT_ONCE, type Scenario } from './scenario.ts';
import { WITHOUT_ADMIN_GATE, WITHOUT_BODY_LIMIT, WITHOUT_SMALL_BODIES } from './without.ts';

interface BodyAttack {
  readonly count: number;
  readonly hosts: number;
  readonly line: (target: Target, index: number) => string;
  /** `null` for a body in chunks, which announces no length. */
  readonly length: number | null;
  /** The part of the request that arrives immediately. */
  readonly beginning: string;
  /** The part that arrives every `everyMs` after that. */
  readonly trickle?: { readonly text: string; readonly everyMs: number };
}

/** Sends requests whose bodies never arrive completely. */
function sendUnfinished({ count, hosts, line, length, beginning, trickle }: BodyAttack): Attack {
  return async (target, signal, tally) => {
    const open: RawConnection[] = [];
    await forEachOf(count, 50, signal, async (index) => {
      const peer = { side: 'attacker', host: index % hosts } as const;
      const connection = await openRaw(target, peer);
      if (connection === undefined) return;
      open.push(connection);
      tally.add('sent');
      const size = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
      const own = ['Content-Type: application/json', size];
      connection.socket.write(`${headText(target, peer, line(target, index), own)}\r\n\r\n${beginning}`);
      if (trickle !== undefined) setInterval(() => connection.socket.write(trickle.text), trickle.everyMs);
    });
    void untilEnded(signal).then(() => {
      for (const connection of open) {
        const status = /^HTTP\/1\.1 (\d+)/.exec(connection.received())?.[1];
        tally.add(status !== undefined ? `answered ${status}` : connection.isClosed() ? 'closed' : 'waiting');
      }
    });
  };
}

/** Returns a check that at least this many requests were sent. */
function sentAtLeast(count: number): (counts: AttackCounts) => readonly string[] {
  return (counts) => ((counts['sent'] ?? 0) >= count ? [] : ['The attack sent too few requests.']);
}

/** Returns a check that at least `count` requests were sent, and that the server still waits for nearly all of them. */
function waitingAtLeast(count: number): (counts: AttackCounts) => readonly string[] {
  return (counts) => [
    ...sentAtLeast(count)(counts),
    ...((counts['waiting'] ?? 0) >= 0.95 * count ? [] : ['The server had no room for small bodies.']),
  ];
}

const answeredOverload = (counts: AttackCounts): readonly string[] =>
  (counts['answered 503'] ?? 0) > 0 ? [] : ['The attack did not reach the limit.'];

/** The Auth API closes the connection of a body for which there is no room. */
const endedSome = (counts: AttackCounts): readonly string[] =>
  (counts['closed'] ?? 0) > 0 ? [] : ['The attack did not reach the limit.'];

const BODY = '{"email":"a@b.example","password":"';
/** Length of the longest body that the Auth API accepts from clients. */
const LONGEST_BODY = 2 ** 18;
const MIB = 2 ** 20;

/** Attacks with bodies that never arrive completely. */
export const BODY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'sign-ins that stop before the last byte',
    attacker: 'sends 1,000 sign-ins from 4 hosts whose bodies lack their last byte',
    bound:
      'unfinished bodies share a limit of bytes, and not of requests: small bodies of many clients have room',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 1_000,
      hosts: 4,
      line: ({ apiKey }) => `POST /v1/accounts:signInWithPassword?key=${apiKey}`,
      length: BODY.length + 1,
      beginning: BODY,
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: waitingAtLeast(1_000),
    proof: WITHOUT_SMALL_BODIES,
  },
  {
    name: 'sign-ins with long bodies that stop',
    attacker: 'sends 800 sign-ins from 2 hosts, of 256 KiB each, and stops shortly before the end',
    bound: 'the bytes of unfinished bodies are limited in total and by network',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 800,
      hosts: 2,
      line: ({ apiKey }) => `POST /v1/accounts:signInWithPassword?key=${apiKey}`,
      length: LONGEST_BODY,
      beginning: `${BODY}${'x'.repeat(LONGEST_BODY * 0.9)}`,
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: (counts) => [...sentAtLeast(800)(counts), ...endedSome(counts)],
    proof: WITHOUT_BODY_LIMIT,
  },
  {
    name: 'refreshes that stop before the last byte',
    attacker: 'sends 1,000 refreshes from 4 hosts whose bodies lack their last byte',
    bound: 'like sign-ins',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 1_000,
      hosts: 4,
      line: ({ apiKey }) => `POST /v1/token?key=${apiKey}`,
      length: BODY.length + 1,
      beginning: BODY,
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: waitingAtLeast(1_000),
    proof: WITHOUT_SMALL_BODIES,
  },
  {
    name: 'writes that stop before the last byte',
    attacker: 'sends 1,000 writes over REST from 4 hosts whose bodies lack their last byte',
    bound: 'like sign-ins',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 1_000,
      hosts: 4,
      line: ({ namespace }, index) => `PUT /open/w${index}.json?ns=${namespace}`,
      length: BODY.length + 1,
      beginning: BODY,
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: waitingAtLeast(1_000),
    proof: WITHOUT_SMALL_BODIES,
  },
  {
    name: 'requests of the admin API that stop before the last byte',
    attacker: 'sends 1,000 requests of the admin API without a credential whose bodies lack their last byte',
    bound: 'the credential is checked before the body is read, and administrators have a reserve',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 1_000,
      hosts: 4,
      line: () => 'POST /api/projects',
      length: BODY.length + 1,
      beginning: BODY,
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: (counts) =>
      (counts['answered 401'] ?? 0) + (counts['answered 403'] ?? 0) >= 900
        ? []
        : ['Requests without a credential were not answered immediately.'],
    proof: WITHOUT_ADMIN_GATE,
  },
  {
    name: 'trickled large writes',
    attacker:
      'begins 300 writes of 900 KiB over REST from 2 hosts, each with 700 KiB and then 1 byte every 200 ms, at a server with `--max-body-bytes 33554432`',
    bound: 'a body that arrives whole is never rejected for unfinished ones; the network with the most loses',
    isShort: true,
    args: ['--max-body-bytes', String(32 * MIB)],
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 300,
      hosts: 2,
      line: ({ namespace }, index) => `PUT /open/t${index}.json?ns=${namespace}`,
      length: 900 * 1_024,
      beginning: `"${'x'.repeat(700 * 1_024)}`,
      trickle: { text: 'x', everyMs: 200 },
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: answeredOverload,
    proof: WITHOUT_BODY_LIMIT,
  },
  {
    name: 'trickled uploads',
    attacker:
      'begins 80 writes of 200 MiB from 4 hosts that are stored as they arrive, each 64 KiB every 100 ms',
    bound: 'a network has at most half of the 32 places for such writes, and idle ones make room',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 80,
      hosts: 4,
      line: ({ namespace }, index) => `PUT /open/u${index}.json?ns=${namespace}`,
      length: 200 * MIB,
      beginning: `{"a":"${'x'.repeat(1_100 * 1_024)}","b":"`,
      trickle: { text: 'x'.repeat(16 * 1_024), everyMs: 200 },
    }),
    checkCounts: answeredOverload,
    proof: [
      { file: 'platform/admission.ts', from: 'MAX_STREAMED_WRITES = 32;', to: 'MAX_STREAMED_WRITES = 1e5;' },
    ],
  },
  {
    name: 'chunked bodies without end',
    attacker:
      'begins 800 sign-ins with chunked bodies from 2 hosts, each with 200 KiB and then 8 KiB every second',
    bound: 'the bytes of unfinished bodies count as they arrive, whatever the client announces',
    lastsUntilComplete: true,
    attack: sendUnfinished({
      count: 800,
      hosts: 2,
      line: ({ apiKey }) => `POST /v1/accounts:signInWithPassword?key=${apiKey}`,
      length: null,
      beginning: chunkOf(`${BODY}${'x'.repeat(200 * 1_024)}`),
      trickle: { text: chunkOf('x'.repeat(8 * 1_024)), everyMs: 1_000 },
    }),
    allows: ENDS_AT_ONCE,
    checkCounts: (counts) => [...sentAtLeast(800)(counts), ...endedSome(counts)],
    proof: WITHOUT_BODY_LIMIT,
  },
];

function chunkOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
