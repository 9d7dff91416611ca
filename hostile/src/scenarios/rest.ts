import { gzipSync } from 'node:zlib';
import { answered, answeredAny, floodRequests } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';
import { requireNoDenials, requireUnstoredDenials } from './stored-denials.ts';
import {
  WITHOUT_ADMIN_GATE,
  WITHOUT_DENIAL_LIMITS,
  WITHOUT_HASH_STEPS,
  WITHOUT_OWNER_CHECK,
  WITHOUT_READ_STEPS,
} from './without.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const LONG_TEXT = 'x'.repeat(100_000);

interface WriteFlood {
  /** Beginning of the key that each connection writes. */
  readonly name: string;
  /** Number of connections, as in `floodRequests`. */
  readonly lanes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (round: number) => string | Buffer;
}

/** Writes over REST without pause. */
function floodWrites({ name, lanes, headers = {}, body }: WriteFlood): Attack {
  return floodRequests({
    ...(lanes === undefined ? {} : { lanes }),
    request: ({ namespace }, lane, round) => ({
      method: 'PUT',
      path: `/open/${name}${lane}.json?ns=${namespace}`,
      headers: { ...JSON_TYPE, ...headers },
      body: body(round),
    }),
  });
}

/** Attacks with complete requests over REST. */
export const REST_SCENARIOS: readonly Scenario[] = [
  {
    name: 'databases that do not exist',
    attacker: 'reads from another database on each request, of which none exists',
    bound: 'no denial is stored of a database that no project owns, and nothing is kept for it',
    isShort: true,
    attack: floodRequests({
      request: (_target, lane, round) => ({ path: `/secret.json?ns=none-${lane}-${round}-default-rtdb` }),
    }),
    allows: { diskMiB: 8, reason: 'nothing is stored, so this bound is lower than the common one' },
    checkCounts: answered(200, 401, 404),
    checkServer: requireNoDenials('none-0-0'),
    proof: WITHOUT_OWNER_CHECK,
  },
  {
    name: 'denied reads in a loop',
    attacker: 'reads paths that the rules deny',
    bound: 'during a flood, some denials are explained and stored, and the others counted',
    proof: WITHOUT_DENIAL_LIMITS,
    checkServer: requireUnstoredDenials,
    attack: floodRequests({
      request: ({ namespace }, lane, round) => ({ path: `/secret/${lane}/${round}.json?ns=${namespace}` }),
    }),
    checkCounts: answered(200, 401),
  },
  {
    name: 'variations of reads',
    attacker: 'reads 6 MB with every combination of print, shallow, ETag, timeout and format',
    bound: 'a response is read and hashed in steps, and hashes are cached',
    proof: WITHOUT_READ_STEPS,
    prepare: async (hearth) => {
      const rows = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 'y'.repeat(90)]));
      await hearth.administer('PUT', `/open/rows.json?ns=${hearth.target.namespace}&print=silent`, rows);
    },
    attack: floodRequests({
      lanes: 4,
      request: ({ namespace }, lane, round) => {
        const variations = [
          'print=pretty',
          'shallow=true',
          'timeout=60s',
          'format=export',
          'download=a.json',
        ];
        return {
          path: `/open/rows.json?ns=${namespace}&${variations[(lane + round) % variations.length]}`,
          headers: round % 2 === 0 ? { 'x-firebase-etag': 'true' } : {},
        };
      },
    }),
    checkCounts: answered(3, 200),
  },
  {
    name: 'conditional writes with wrong ETags',
    attacker: 'writes over 8 MiB with an ETag that does not match',
    bound: 'a large node is hashed in steps, and its hash is cached until it changes',
    prepare: async (hearth) => {
      const rows = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`k${n}`, 'z'.repeat(2 ** 20)]));
      await hearth.administer('PUT', `/open/etag.json?ns=${hearth.target.namespace}&print=silent`, rows);
    },
    attack: floodRequests({
      lanes: 5,
      request: ({ namespace }) => ({
        method: 'PUT',
        path: `/open/etag.json?ns=${namespace}`,
        headers: { ...JSON_TYPE, 'if-match': 'wrong' },
        body: '1',
      }),
    }),
    checkCounts: answered(50, 412),
    proof: WITHOUT_HASH_STEPS,
  },
  {
    name: 'many headers',
    attacker: 'sends 60 KB of headers with each request',
    bound: 'address and headers have a limit of 64 KiB, and at most 100 headers are kept',
    unproven: 'within 64 KiB, headers of any number cost little (see headers beyond the limit)',
    attack: floodRequests({
      request: ({ namespace }) => ({
        path: `/open/none.json?ns=${namespace}`,
        headers: Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`x-h${n}`, 'v'.repeat(600)])),
      }),
    }),
    checkCounts: answered(100, 200),
  },
  {
    name: 'headers beyond the limit',
    attacker: 'sends 100 KB of headers with each request',
    bound: 'the request is answered with 431, and its connection ends',
    attack: floodRequests({
      request: ({ namespace }) => ({
        path: `/open/none.json?ns=${namespace}`,
        headers: { 'x-long': LONG_TEXT },
      }),
    }),
    proof: [
      { file: 'http/server.ts', from: 'MAX_HEADER_BYTES = 65_536;', to: 'MAX_HEADER_BYTES = 2 ** 20;' },
    ],
    checkCounts: (counts) =>
      (counts['answered 431'] ?? 0) + (counts['answered 0'] ?? 0) > 50 ? [] : ['Too few were rejected.'],
  },
  {
    name: 'many host names',
    attacker: 'names another host in each request',
    bound: 'a host is compared with a list, and nothing is kept for it',
    proof: [
      {
        file: 'http/guards.ts',
        from: 'if (rejection !== undefined || isLocalHost(host, options.allowedHosts)) return rejection;',
        to: 'if (options !== undefined) return rejection;',
      },
    ],
    attack: floodRequests({
      request: (_target, lane, round) => ({
        path: '/a.json',
        headers: { host: `h${lane}-${round}.example` },
      }),
    }),
    checkCounts: answered(200, 403),
  },
  {
    name: 'scripts with callbacks',
    attacker: 'reads with another JSONP callback each time',
    bound: 'a callback has at most 128 characters, and nothing is kept for it',
    attack: floodRequests({
      request: ({ namespace }, lane, round) => ({
        path: `/open/none.json?ns=${namespace}&callback=f${lane}_${round}${'a'.repeat(500)}`,
      }),
    }),
    checkCounts: answered(50, 400),
    proof: [{ file: 'rest/parameters.ts', from: '[A-Za-z0-9_$.]{0,127}$/', to: '[A-Za-z0-9_$.]*$/' }],
  },
  {
    name: 'compressed bodies',
    attacker: 'sends bodies in gzip that expand to 10 MB',
    bound: 'a body is never expanded: compressed bytes are no JSON',
    unproven: 'the server has nothing that expands bodies',
    attack: floodWrites({
      name: 'gzip',
      lanes: 5,
      headers: { 'content-encoding': 'gzip' },
      body: () => BOMB,
    }),
    checkCounts: answered(20, 400),
  },
  {
    name: 'deep JSON',
    isShort: true,
    attacker: 'writes JSON of 100,000 levels',
    bound: 'a tree has at most 32 levels, and bodies of more than 64 KiB are parsed in steps',
    attack: floodWrites({ name: 'deep', body: () => DEEP }),
    checkCounts: answered(40, 400),
    proof: [
      { file: 'tree/path.ts', from: 'export const MAX_DEPTH = 32;', to: 'export const MAX_DEPTH = 1e9;' },
      { file: 'tree/json-scanner.ts', from: 'MAX_NESTING = 64;', to: 'MAX_NESTING = 1e9;' },
    ],
  },
  {
    name: 'duplicate and long keys',
    attacker: 'writes objects with 20,000 equal keys, and keys of 10,000 bytes',
    bound: 'a key has at most 768 bytes, and the last of equal keys wins',
    attack: floodWrites({
      name: 'keys',
      lanes: 5,
      body: (round) => (round % 2 === 0 ? DUPLICATES : `{"${'k'.repeat(10_000)}":1}`),
    }),
    checkCounts: answered(20, 200, 400),
    proof: [{ file: 'tree/key.ts', from: 'MAX_KEY_BYTES = 768;', to: 'MAX_KEY_BYTES = 1e6;' }],
  },
  {
    name: 'numbers with many digits',
    attacker: 'writes numbers of 100,000 digits',
    bound: 'a number beyond the range of a double is rejected',
    unproven: 'digits are read in linear time, with and without a limit',
    attack: floodWrites({ name: 'digits', body: () => '9'.repeat(100_000) }),
    checkCounts: answered(100, 400),
  },
  {
    name: 'invalid UTF-8',
    attacker: 'writes strings of 100,000 bytes that are not UTF-8',
    bound: 'the body is rejected, or stored with replacement characters, in linear time',
    unproven: 'bytes are decoded in linear time',
    attack: floodWrites({
      name: 'utf',
      lanes: 5,
      body: () => Buffer.concat([Buffer.from('"'), Buffer.alloc(100_000, 0xff), Buffer.from('"')]),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'admin API without credential',
    proof: WITHOUT_ADMIN_GATE,
    attacker: 'asks for pages, activity and searches of the admin API without a credential',
    bound: 'the credential is checked first',
    attack: floodRequests({
      request: ({ namespace, projectId }, _lane, round) => {
        const paths = [
          '/api/projects',
          `/api/databases/${namespace}/activity`,
          `/api/databases/${namespace}/denials`,
          `/api/projects/${projectId}/audit`,
          '/api/audit',
        ];
        return { path: paths[round % paths.length] ?? '', headers: { authorization: `Bearer x${round}` } };
      },
    }),
    checkCounts: answered(200, 401, 403),
  },
  {
    name: 'feeds without credential',
    proof: WITHOUT_ADMIN_GATE,
    attacker: 'opens the feeds of the profiler and of live pages without a credential',
    bound: 'the credential is checked before a feed takes a place',
    attack: floodRequests({
      request: ({ namespace }, _lane, round) => ({
        path:
          round % 2 === 0
            ? `/.settings/profile.json?ns=${namespace}`
            : `/api/databases/${namespace}/activity`,
        headers: { accept: 'text/event-stream' },
      }),
    }),
    checkCounts: answered(200, 401, 403, 404),
  },
  {
    name: 'pages of the console',
    attacker: 'loads the page of the console and files that do not exist, again and again',
    bound: 'pages are files in memory',
    unproven: 'no limit is involved: a page is sent as it is',
    attack: floodRequests({
      request: (_target, _lane, round) => ({
        path: round % 2 === 0 ? '/console' : `/console/none${round}.js`,
      }),
    }),
    checkCounts: answeredAny,
  },
  {
    name: 'metrics in a loop',
    proof: [
      {
        file: 'admin-api/areas.ts',
        from: '!transport.mayBeProxied && isLocalRequest(request)',
        to: 'isLocalRequest(request) || transport.mayBeProxied',
      },
    ],
    attacker: 'asks for the metrics without a credential',
    bound: 'metrics are for local programs and administrators',
    attack: floodRequests({ request: () => ({ path: '/metrics' }) }),
    checkCounts: answered(200, 401, 403, 404),
  },
];

const BOMB = gzipSync(Buffer.from(`"${'x'.repeat(10_000_000)}"`));
const DEEP = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const DUPLICATES = `{${Array.from({ length: 20_000 }, (_, n) => `"k":${n}`).join(',')}}`;
