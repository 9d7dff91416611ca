import { once } from 'node:events';
import { flood, forEachOf, pause } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import { headText, openRaw } from '../network/raw.ts';
import { RealtimeClient } from '../network/realtime.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered, answeredAny, floodMessages } from './floods.ts';
import { type Attack, type AttackCounts, ENDS_AT_ONCE, type Scenario, type Tally } from './scenario.ts';
import { requireNoDenials, requireUnstoredDenials } from './stored-denials.ts';
import {
  WITHOUT_CONNECTION_LIMIT,
  WITHOUT_DENIAL_LIMITS,
  WITHOUT_HASH_STEPS,
  WITHOUT_MESSAGE_LIMIT,
  WITHOUT_OWNER_CHECK,
  WITHOUT_READ_STEPS,
} from './without.ts';

const MIB = 2 ** 20;

/** Stores 8 MiB at `/open/large`. */
async function storeLargeValue(hearth: Hearth): Promise<void> {
  const rows = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`k${n}`, 'z'.repeat(MIB)]));
  await hearth.administer('PUT', `/open/large.json?ns=${hearth.target.namespace}&print=silent`, rows);
}

/** Returns a check that the attack counted at least this much. */
function counted(name: string, least: number): (counts: AttackCounts) => readonly string[] {
  return (counts) =>
    (counts[name] ?? 0) >= least ? [] : [`The attack counted ${counts[name] ?? 0} ${name}.`];
}

/** Opens WebSockets from four hosts, counts them as opened, and does something with each. */
function openEach(
  count: number,
  use: (client: RealtimeClient, signal: AbortSignal, tally: Tally) => Promise<void>,
): Attack {
  return (target, signal, tally) =>
    forEachOf(count, 10, signal, async (index) => {
      const client = await RealtimeClient.open(target, { side: 'attacker', host: index % 4 });
      if (client === undefined) return;
      tally.add('opened');
      await use(client, signal, tally);
    });
}

/** Attacks with sessions: WebSockets, polls and event streams. */
export const SESSION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'starts of long polling',
    attacker: 'starts 10,000 polling clients from one host, and never polls',
    bound: 'a network has at most half of the places, and clients that do not poll make room',
    isShort: true,
    attackMs: 8_000,
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const client = new HttpClient(target, { side: 'attacker', host: 0 }, 20);
      await forEachOf(10_000, 20, signal, async (index) => {
        const path = `/.lp?start=t&ser=${index}&cb=1&v=5&ns=${target.namespace}`;
        tally.addStatus((await client.ask({ path })).status);
      });
    },
    checkCounts: answered(1_000, 503),
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'MAX_POLLING_CLIENTS = 10_000;',
        to: 'MAX_POLLING_CLIENTS = 1e6;',
      },
    ],
  },
  {
    name: 'abandoned polls',
    attacker: 'starts polling clients, and ends the connection of each poll before its response',
    bound: 'a poll ends with its connection',
    unproven:
      'a forgotten poll would be no more than its client, of which there are only so many (see starts of long polling)',
    attack: async (target, signal, tally) => {
      const client = new HttpClient(target, { side: 'attacker', host: 0 }, 20);
      await flood(signal, 10, async (lane, round) => {
        const { text } = await client.ask({
          path: `/.lp?start=t&ser=${lane}${round}&cb=1&v=5&ns=${target.namespace}`,
        });
        const [, id, password] = /"(\w+)","(\w+)"|,"?(\w+)"?,"?(\w+)"?\)/.exec(text) ?? [];
        tally.add('started');
        await client.ask({
          path: `/.lp?id=${id}&pw=${password}&ser=1&ns=${target.namespace}`,
          timeoutMs: 50,
        });
      });
    },
    checkCounts: counted('started', 50),
  },
  {
    name: 'many event streams',
    attacker: 'opens 1,500 event streams from 3 hosts to a server that may open 1,000 files',
    bound: 'a stream is a connection like others: the network with the most loses one for others',
    entry: 'direct',
    maxFiles: 1_000,
    allows: ENDS_AT_ONCE,
    lastsUntilComplete: true,
    proof: WITHOUT_CONNECTION_LIMIT,
    attack: async (target, signal, tally) => {
      await forEachOf(1_500, 50, signal, async (index) => {
        const peer = { side: 'attacker', host: index % 3 } as const;
        const connection = await openRaw(target, peer);
        if (connection === undefined) return;
        tally.add('opened');
        const line = `GET /open/s.json?ns=${target.namespace}`;
        const head = headText(target, peer, line, ['Accept: text/event-stream']);
        connection.socket.write(`${head}\r\n\r\n`);
        await Promise.race([once(connection.socket, 'data'), once(connection.socket, 'close')]).catch(
          () => undefined,
        );
      });
    },
    checkCounts: counted('opened', 800),
  },
  {
    name: 'large onDisconnect writes',
    attacker: 'sets 15 MB of onDisconnect writes on each of 25 connections of one host, and ends all at once',
    bound: 'onDisconnect writes share 256 MiB, of which a network has half, and are written in parts',
    attackMs: 12_000,
    allows: {
      delayMs: 250,
      diskMiB: 640,
      growthMiB: 192,
      reason: 'writes are stored until they are executed, and then again as data',
    },
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const clients: RealtimeClient[] = [];
      const text = 'd'.repeat(60_000);
      await forEachOf(25, 25, signal, async (index) => {
        const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 });
        if (client === undefined) return;
        clients.push(client);
        for (let part = 0; part < 260 && client.isOpen; part++) {
          const body = { p: `/open/gone/${index}/${part}`, d: text };
          tally.addStatus((await client.request('o', body)).status);
        }
      });
      for (const client of clients) client.close();
      tally.add('ended', clients.length);
    },
    checkCounts: answered(1, 'unavailable', 'closed'),
    proof: [
      {
        file: 'platform/admission.ts',
        from: 'DISCONNECT_WRITES_BYTES = 256',
        to: 'DISCONNECT_WRITES_BYTES = 1e6',
      },
    ],
  },
  {
    name: 'readers over WebSockets that stop reading',
    attacker: 'listens to 8 MiB on each of 40 connections, and reads nothing',
    bound: 'messages that clients have not read share an eighth of the memory; a network has half',
    isShort: true,
    allows: {
      delayMs: 100,
      growthMiB: 224,
      reason:
        'unread messages may take 96 MiB before they are sent; an answer over a WebSocket is read in one step',
    },
    proof: WITHOUT_MESSAGE_LIMIT,
    prepare: storeLargeValue,
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      await forEachOf(40, 5, signal, async () => {
        const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 });
        if (client === undefined) return;
        tally.add('opened');
        client.post('q', { p: '/open/large', h: '' });
        client.socket.pause();
        await pause(50, signal);
      });
    },
    checkCounts: counted('opened', 10),
  },
  {
    name: 'readers over REST that stop reading',
    attacker: 'asks for 8 MiB on each of 100 connections, and reads nothing',
    bound: 'a response is built step by step as it is read',
    allows: {
      growthMiB: 288,
      reason: '64 long responses are in progress at a time, each with the next values of 1 MiB',
    },
    proof: WITHOUT_READ_STEPS,
    prepare: storeLargeValue,
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      const peer = { side: 'attacker', host: 0 } as const;
      const head = headText(target, peer, `GET /open/large.json?ns=${target.namespace}`);
      await forEachOf(100, 10, signal, async () => {
        const connection = await openRaw(target, peer);
        if (connection === undefined) return;
        connection.socket.pause();
        connection.socket.write(`${head}\r\n\r\n`);
        tally.add('opened');
      });
    },
    checkCounts: counted('opened', 50),
  },
  {
    name: 'event streams that stop reading',
    attacker: 'opens 60 event streams on 8 MiB, reads nothing, and writes to them',
    bound:
      'the first value is generated in steps, 16 at a time; what clients have not read shares a part of the memory, of which a network has half',
    allows: {
      growthMiB: 192,
      reason: 'unread messages may take 96 MiB before they are sent',
    },
    proof: WITHOUT_MESSAGE_LIMIT,
    prepare: storeLargeValue,
    attack: async (target, signal, tally) => {
      const peer = { side: 'attacker', host: 0 } as const;
      const head = headText(target, peer, `GET /open/large.json?ns=${target.namespace}`, [
        'Accept: text/event-stream',
      ]);
      await forEachOf(60, 10, signal, async () => {
        const connection = await openRaw(target, peer);
        if (connection === undefined) return;
        connection.socket.pause();
        connection.socket.write(`${head}\r\n\r\n`);
        tally.add('opened');
      });
      const client = new HttpClient(target, peer);
      await flood(signal, 1, async (_lane, round) => {
        const path = `/open/large/k${round % 8}/x.json?ns=${target.namespace}`;
        tally.addStatus((await client.ask({ method: 'PUT', path, body: '1' })).status);
      });
    },
    checkCounts: counted('opened', 30),
  },
  {
    name: 'incomplete messages',
    attacker: 'announces messages of 1,000 frames on 200 connections, and sends 60 frames of 16 KiB of each',
    bound: 'incomplete messages share an eighth of the memory; a network has half',
    lastsUntilComplete: true,
    attack: openEach(200, async ({ socket }, signal) => {
      socket.send('1000');
      for (let frame = 0; frame < 60; frame++) socket.send('f'.repeat(16_384));
      await pause(10, signal);
    }),
    proof: WITHOUT_MESSAGE_LIMIT,
    checkCounts: counted('opened', 100),
  },
  {
    name: 'frames beyond the limit',
    attacker: 'announces frames of 1 GiB on 100 connections, and sends 512 KiB of each',
    bound: 'the length of a frame is checked before its bytes are kept',
    lastsUntilComplete: true,
    attack: openEach(100, async (client, signal, tally) => {
      const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]);
      // The library offers no way to send a part of a frame.
      const { socket } = client as unknown as {
        readonly socket: { readonly _socket: NodeJS.WritableStream };
      };
      socket._socket.write(Buffer.concat([header, Buffer.alloc(512 * 1_024, 0x61)]));
      await Promise.race([once(client.socket, 'close'), pause(2_000, signal)]);
      if (!client.isOpen) tally.add('closed by the server');
    }),
    checkCounts: counted('closed by the server', 50),
    proof: [
      {
        file: 'protocol/websocket-server.ts',
        from: '    maxPayload,\n    WebSocket',
        to: '    maxPayload: 2 ** 31,\n    WebSocket',
      },
    ],
  },
  {
    name: 'pings in a loop',
    attacker: 'sends WebSocket pings of 125 bytes on 10 connections without pause, and reads nothing',
    bound: 'a connection on which 60 pongs wait is closed',
    lastsUntilComplete: true,
    attack: async (target, signal, tally) => {
      await forEachOf(10, 10, signal, async () => {
        const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 });
        if (client === undefined) return;
        client.socket.pause();
        for (let round = 0; round < 250 && client.isOpen && !signal.aborted; round++) {
          for (let count = 0; count < 500; count++) client.socket.ping('p'.repeat(125));
          do await pause(1, signal);
          while (client.socket.bufferedAmount > 100_000 && client.isOpen && !signal.aborted);
        }
        tally.add(client.isOpen ? 'not closed' : 'closed by the server');
      });
    },
    checkCounts: counted('closed by the server', 10),
    proof: [
      {
        file: 'protocol/websocket-server.ts',
        from: 'perMessageDeflate: false,',
        to: 'perMessageDeflate: false, maxPendingAutoPongs: 0,',
      },
    ],
  },
  {
    name: 'transactions with stale hashes',
    attacker: 'writes over 8 MiB with hashes that do not match, on 5 connections',
    bound: 'a large node is hashed in steps, and its hash is cached until it changes',
    prepare: storeLargeValue,
    attack: floodMessages({
      message: (_lane, round) => ['p', { p: '/open/large', d: round, h: 'c3RhbGU=' }],
    }),
    checkCounts: answered(100, 'datastale'),
    proof: WITHOUT_HASH_STEPS,
  },
  {
    name: 'many priorities',
    attacker: 'writes values with another priority each time, 1,000 at once on each of 10 connections',
    bound: 'a write with a priority is one entry of the store, and a transaction ends after 20 ms',
    proof: [
      {
        file: 'transaction/scheduler.ts',
        from: 'const MAX_TRANSACTION_MS = 20;',
        to: 'const MAX_TRANSACTION_MS = 1e9;',
      },
    ],
    attack: floodMessages({
      lanes: 10,
      atOnce: 1_000,
      message: (lane, round) => [
        'p',
        { p: `/open/priorities/k${lane}-${round % 500}`, d: { '.value': round, '.priority': `p${round}` } },
      ],
    }),
    checkCounts: answered(500, 'ok'),
  },
  {
    name: 'denied listens in a loop',
    attacker: 'listens at paths that the rules deny, on 5 connections',
    bound: 'during a flood, some denials are explained and stored, and the others counted',
    attack: floodMessages({ message: (lane, round) => ['q', { p: `/secret/${lane}/${round}`, h: '' }] }),
    proof: WITHOUT_DENIAL_LIMITS,
    checkServer: requireUnstoredDenials,
    checkCounts: answered(500, 'permission_denied'),
  },
  {
    name: 'sessions of databases that do not exist',
    attacker: 'opens WebSockets to databases that do not exist, and listens there',
    bound: 'nothing is kept of a database that no project owns',
    proof: WITHOUT_OWNER_CHECK,
    checkServer: requireNoDenials('none-0-0'),
    attack: async (target, signal, tally) => {
      await flood(signal, 10, async (lane, round) => {
        const namespace = `none-${lane}-${round}-default-rtdb`;
        const client = await RealtimeClient.open(target, { side: 'attacker', host: 0 }, { namespace });
        if (client === undefined) tally.add('not connected');
        else tally.addStatus((await client.request('q', { p: '/', h: '' })).status);
        client?.close();
      });
    },
    checkCounts: answeredAny,
  },
  {
    name: 'long values over WebSockets',
    attacker: 'writes values of 40,000 children and 1 MB, on 3 connections',
    bound: 'a long value is stored in steps, in turns of the networks',
    proof: [
      { file: 'wire/long-message.ts', from: 'LONG_MESSAGE_UNITS = 65_536;', to: 'LONG_MESSAGE_UNITS = 1e9;' },
    ],
    attack: floodMessages({
      lanes: 3,
      atOnce: 1,
      message: (lane) => [
        'p',
        {
          p: `/open/long/${lane}`,
          d: Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`child${n}`, { n }])),
        },
      ],
    }),
    checkCounts: answered(3, 'ok'),
  },
  {
    name: 'updates of many paths',
    attacker: 'writes 5,000 paths in one update, on 3 connections',
    bound: 'an update has at most 50,000 paths, and a transaction ends after 20 ms',
    attack: floodMessages({
      lanes: 3,
      atOnce: 1,
      message: (lane) => [
        'm',
        {
          p: `/open/paths/${lane}`,
          d: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`a${n}/b`, n])),
        },
      ],
    }),
    weakness: 'an update is decided and stored in one step: 5,000 paths take 100 ms, and 50,000 are allowed',
    checkCounts: answered(3, 'ok'),
  },
];
