import { flood, forEachOf, pause, untilEnded } from '../attack/tools.ts';
import { headText, openRaw, type RawConnection } from '../network/raw.ts';
import type { Target } from '../network/target.ts';
import { connectsAtMost, holdsAtMost } from './held.ts';
import { type Attack, type AttackCounts, ENDS_AT_ONCE, type Scenario } from './scenario.ts';
import { WITHOUT_CONNECTION_LIMIT, WITHOUT_PIPELINE_LIMITS } from './without.ts';

const MAX_FILES = 1_000;

/** More connections than the crowd has. */
const CONNECTIONS_OF_CROWD = 100;

/** Opens connections from several hosts, does something with each, and counts those that the server has closed. */
function occupy(
  { count, hosts }: { readonly count: number; readonly hosts: number },
  use: (connection: RawConnection, index: number, target: Target) => void,
): Attack {
  return async (target, signal, tally) => {
    const open: RawConnection[] = [];
    await forEachOf(count, 50, signal, async (index) => {
      const connection = await openRaw(target, { side: 'attacker', host: index % hosts });
      tally.add(connection === undefined ? 'not connected' : 'connected');
      if (connection === undefined) return;
      open.push(connection);
      use(connection, index, target);
    });
    void untilEnded(signal).then(() => {
      for (const connection of open) if (connection.isClosed()) tally.add('closed by the server');
    });
  };
}

/** Opens connections and closes them as fast as the server accepts them. */
function churn(use: (connection: RawConnection, target: Target) => Promise<void>): Attack {
  return async (target, signal, tally) => {
    await flood(signal, 20, async (lane) => {
      const connection = await openRaw(target, { side: 'attacker', host: lane });
      tally.add(connection === undefined ? 'not connected' : 'connected');
      if (connection === undefined) return;
      await use(connection, target);
      connection.socket.destroy();
    });
  };
}

/** Sends a request on each of many connections, and ends its side. */
const openHalfClosed = occupy({ count: 1_200, hosts: 3 }, ({ socket }, index, target) => {
  const peer = { side: 'attacker', host: index } as const;
  socket.end(`${headText(target, peer, `GET /open.json?ns=${target.namespace}`)}\r\n\r\n`);
});

const closedSome = (counts: AttackCounts): readonly string[] =>
  (counts['closed by the server'] ?? 0) + (counts['not connected'] ?? 0) > 0
    ? []
    : ['The attack never reached the limit of connections.'];

const connectedMany = (counts: AttackCounts): readonly string[] =>
  (counts['connected'] ?? 0) >= 100 ? [] : ['The attack opened too few connections.'];

/** The common part of attacks that open more connections than the server may open files. */
const REACHES_FILE_LIMIT = {
  entry: 'direct',
  maxFiles: MAX_FILES,
  lastsUntilComplete: true,
  allows: ENDS_AT_ONCE,
  checkCounts: closedSome,
} as const satisfies Partial<Scenario>;

/** Attacks with TCP connections. Their clients have addresses of their own. */
export const CONNECTION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'idle connections up to the file limit',
    attacker:
      'opens 1,500 TCP connections from 3 hosts to a server that may open 1,000 files, and sends nothing',
    bound:
      'a network has at most half of the connections, and the network with the most loses one for others',
    isShort: true,
    ...REACHES_FILE_LIMIT,
    attack: occupy({ count: 1_500, hosts: 3 }, () => undefined),
    proof: WITHOUT_CONNECTION_LIMIT,
  },
  {
    name: 'idle connections from many hosts',
    proof: WITHOUT_CONNECTION_LIMIT,
    attacker: 'opens 1,500 TCP connections from 150 hosts to a server that may open 1,000 files',
    bound: 'the network with the most connections loses one for others',
    ...REACHES_FILE_LIMIT,
    attack: occupy({ count: 1_500, hosts: 150 }, () => undefined),
  },
  {
    name: 'heads that stop before the end',
    proof: WITHOUT_CONNECTION_LIMIT,
    attacker:
      'opens 1,200 connections from 3 hosts, and sends all but the last byte of the head of a request',
    bound: 'incomplete heads are connections like others, and are closed after 20 s',
    ...REACHES_FILE_LIMIT,
    attack: occupy({ count: 1_200, hosts: 3 }, ({ socket }, index, target) =>
      socket.write(`${headText(target, { side: 'attacker', host: index }, 'GET /.json')}\r\n`),
    ),
  },
  {
    name: 'trickled heads',
    proof: WITHOUT_CONNECTION_LIMIT,
    attacker: 'opens 1,200 connections from 5 hosts, and sends one byte of a head on each every 250 ms',
    bound: 'a head must arrive within 20 s, and a network has at most half of the connections',
    ...REACHES_FILE_LIMIT,
    attack: occupy({ count: 1_200, hosts: 5 }, ({ socket }, index, target) => {
      const peer = { side: 'attacker', host: index } as const;
      const head = `${headText(target, peer, 'GET /.json')}\r\nX: ${'a'.repeat(500)}`;
      let at = 0;
      setInterval(() => socket.write(head.slice(at, ++at)), 250);
    }),
  },
  {
    name: 'connections without requests in a loop',
    attacker: 'opens and closes TCP connections in 20 lanes without pause',
    bound: 'accepting a connection costs little, and closed ones are forgotten',
    entry: 'direct',
    attack: churn(() => Promise.resolve()),
    checkCounts: connectedMany,
    checkServer: holdsAtMost('connections', CONNECTIONS_OF_CROWD),
    proof: [
      {
        file: 'http/connections.ts',
        from: 'this.#open.delete(socket);\n      lease.release();',
        to: 'this.#open.delete(socket);',
      },
    ],
  },
  {
    name: 'WebSocket handshakes in a loop',
    attacker: 'opens WebSockets in 20 lanes, and closes each after the handshake',
    bound: 'a session costs little, and ends with its connection',
    attack: churn(async ({ socket }, target) => {
      const key = 'dGhlIHNhbXBsZSBub25jZQ==';
      const line = `GET /.ws?v=5&ns=${target.namespace}`;
      const headers = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`];
      const peer = { side: 'attacker', host: 0 } as const;
      socket.write(`${headText(target, peer, line, [...headers, 'Sec-WebSocket-Version: 13'])}\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    }),
    checkCounts: connectedMany,
    checkServer: connectsAtMost(CONNECTIONS_OF_CROWD),
    proof: [
      {
        file: 'protocol/websocket-connection.ts',
        from: 'this.#unfinished.hold(0);\n    this.#receiver?.end();',
        to: 'this.#unfinished.hold(0);',
      },
    ],
  },
  {
    name: 'half-closed connections',
    attacker: 'opens 1,200 connections from 3 hosts, sends a request, and ends its side without reading',
    bound: 'the server ends its side after the response',
    ...REACHES_FILE_LIMIT,
    checkCounts: (counts) =>
      (counts['closed by the server'] ?? 0) >= 1_000 ? [] : ['The server left connections half-closed.'],
    proof: [
      {
        file: 'http/server.ts',
        from: 'server.maxHeadersCount = MAX_HEADERS;',
        to: "server.maxHeadersCount = MAX_HEADERS;\n    server.on('connection', (socket) => (socket.end = () => socket));",
      },
    ],
    attack: async (...given) => {
      await openHalfClosed(...given);
      // The last responses need a moment.
      await pause(10_000, given[1]);
    },
  },
  {
    name: 'pipelined requests',
    attacker: 'sends 1,000 requests at once on each of 20 connections, again and again, and reads nothing',
    bound:
      'a connection has at most 8 requests in progress, one read starts at most 64, and several sockets accept new clients',
    isShort: true,
    attack: async (target, signal, tally) => {
      const peer = { side: 'attacker', host: 0 } as const;
      const request = `${headText(target, peer, `GET /open.json?ns=${target.namespace}`)}\r\n\r\n`;
      await flood(signal, 20, async () => {
        const connection = await openRaw(target, peer);
        if (connection === undefined) return;
        connection.socket.pause();
        connection.socket.write(request.repeat(1_000));
        tally.add('connected');
        await pause(500, signal);
        connection.socket.destroy();
      });
    },
    proof: WITHOUT_PIPELINE_LIMITS,
    checkCounts: (counts) =>
      (counts['connected'] ?? 0) >= 40 ? [] : ['The attack opened too few connections.'],
  },
];
