import type { Random } from '../../../scripts/random.ts';
import { mutateBytes, mutateFields, mutateText, randomJson } from './mutate.ts';
import { PARSERS, type ParserInput, RULES_TEXT } from './parsers.ts';

/** The target of malformed input: a database that other clients do not use, and valid credentials. */
export interface Subject {
  readonly namespace: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly adminToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
}

/** One malformed input. */
export type MalformedInput =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly path: string;
      readonly body: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** Bytes of a new connection. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** Frames of a WebSocket after its handshake. */
  | { readonly kind: 'frames'; readonly frames: readonly (string | Buffer)[] }
  /** Bytes after the handshake of a WebSocket. */
  | { readonly kind: 'frameBytes'; readonly bytes: Buffer }
  | ParserInput;

/** Creates an input. The same choices of the generator give the same input. */
export type Generator = (random: Random, subject: Subject) => MalformedInput;

const JSON_TYPE = { 'content-type': 'application/json' } as const;

function request(
  method: string,
  path: string,
  body: string | null = null,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
): MalformedInput {
  // An address may hold only characters that Node sends; others are tested as bytes of a connection.
  const encoded = path.replace(/[^!-~]/g, (character) => encodeURIComponent(character.toWellFormed()));
  return { kind: 'request', method, path: encoded, body, headers };
}

const PATHS = ['/a', '/a/b', '/', '/open/list', '/x/.info', '/.info/connected', '/a/b/c/d/e'];
const QUERIES = [
  { i: 'score', l: 2, vf: 'l' },
  { i: '.key', sp: 'a', ep: 'b' },
  { i: '.priority', sp: 1, sn: 'k' },
  {},
];
const ACTIONS = ['q', 'n', 'g', 'p', 'm', 'o', 'om', 'oc', 'auth', 'unauth', 'gauth', 's', 'stats', 'zz'];

function message(random: Random, { idToken }: Subject): string {
  const body = {
    p: random.pick(PATHS),
    d: randomJson(random),
    q: random.pick(QUERIES),
    t: random.below(5),
    h: random.pick(['', 'c3RhbGU=', 'x']),
    cred: random.below(2) === 0 ? idToken : mutateText(random, idToken),
  };
  const d = {
    r: random.below(100),
    a: random.pick(ACTIONS),
    b: random.below(2) === 0 ? body : mutateFields(random, body),
  };
  return JSON.stringify({
    t: random.pick(['d', 'd', 'd', 'c']),
    d: random.below(4) === 0 ? mutateFields(random, d) : d,
  });
}

function frameOf(random: Random): Buffer {
  const payload = mutateBytes(random, Buffer.from('{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}'));
  const length = random.below(3) === 0 ? random.below(126) : Math.min(125, payload.length);
  const first =
    random.below(4) === 0 ? random.below(256) : random.pick([0x81, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8a]);
  const second = random.below(4) === 0 ? random.below(256) : 0x80 | length;
  return Buffer.concat([Buffer.from([first, second, 0, 0, 0, 0]), payload]);
}

const ACCOUNT_METHODS = [
  ...[
    'accounts:signUp',
    'accounts:signInWithPassword',
    'accounts:lookup',
    'accounts:update',
    'accounts:delete',
  ],
  ...['accounts:signInWithCustomToken', 'accounts:createAuthUri', 'accounts:sendOobCode'],
  ...['accounts:resetPassword', 'accounts:signInWithEmailLink', 'token', 'accounts:signInWithIdp', 'unknown'],
];

function accountFields(
  random: Random,
  { idToken, refreshToken }: Subject,
): Readonly<Record<string, unknown>> {
  return {
    email: random.pick(['a@example.com', 'user0@crowd.example', '', 'a@', '@b']),
    password: random.pick(['a decent passphrase', '', 'x']),
    idToken: random.below(3) === 0 ? idToken : mutateText(random, idToken),
    refreshToken: mutateText(random, refreshToken),
    grantType: random.pick(['refresh_token', 'x']),
    oobCode: mutateText(random, 'nX3v0kq2c9QpX8w1'),
    token: mutateText(random, idToken),
    requestType: random.pick(['PASSWORD_RESET', 'VERIFY_EMAIL', 'EMAIL_SIGNIN', 'X']),
    localId: [mutateText(random, 'uid')],
    returnSecureToken: true,
  };
}

/** Returns the name of the database whose rules are malformed inputs. */
export function rulesDatabaseOf(namespace: string): string {
  return namespace.replace('-default-rtdb', '-rules');
}

/** Generators of the inputs for a server, by the kind of input. */
const SENT: Readonly<Record<string, Generator>> = {
  frames: (random, subject) => ({
    kind: 'frames',
    frames: Array.from({ length: 1 + random.below(8) }, () => {
      const text = message(random, subject);
      if (random.below(8) === 0) return String(random.below(12_000));
      if (random.below(8) === 0) return mutateBytes(random, Buffer.from(text));
      return random.below(2) === 0 ? text : mutateText(random, text);
    }),
  }),
  frameBytes: (random) => ({
    kind: 'frameBytes',
    bytes: Buffer.concat(Array.from({ length: 1 + random.below(4) }, () => frameOf(random))),
  }),
  http: (random, { namespace }) => ({
    kind: 'bytes',
    bytes: Buffer.from(
      mutateText(
        random,
        `${random.pick(['GET', 'PUT', 'POST', 'OPTIONS', 'PATCH'])} /a.json?ns=${namespace} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${random.pick(['Content-Length: 3\r\n', 'Transfer-Encoding: chunked\r\n', 'Accept: text/event-stream\r\n', 'If-Match: x\r\n'])}\r\n${random.pick(['"a"', '3\r\n"a"\r\n0\r\n\r\n', ''])}`,
      ),
      random.below(2) === 0 ? 'latin1' : 'utf8',
    ),
  }),
  json: (random, { namespace }) => {
    const text = JSON.stringify(randomJson(random, 6)) ?? 'null';
    const body = random.below(2) === 0 ? text : mutateText(random, text);
    const path = mutateText(random, `/open/m${random.below(50)}`).replaceAll('?', '%3F');
    return request(random.pick(['PUT', 'POST', 'PATCH']), `${path}.json?ns=${namespace}`, body);
  },
  queries: (random, { namespace }) => {
    const parts = [
      'orderBy="$key"',
      'orderBy="score"',
      'limitToFirst=2',
      'startAt="a"',
      'endAt=5',
      'equalTo=true',
    ];
    const more = [
      'print=pretty',
      'shallow=true',
      'timeout=1s',
      'format=export',
      'callback=f',
      'writeSizeLimit=tiny',
    ];
    const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick([...parts, ...more]));
    return request('GET', `/open.json?ns=${namespace}&${mutateText(random, chosen.join('&'))}`);
  },
  rules: (random, { adminToken, namespace }) =>
    request(
      'PUT',
      // The database of no other input, because these rules take effect.
      `/.settings/rules.json?ns=${rulesDatabaseOf(namespace)}${random.pick(['', '&dryRun=true'])}`,
      mutateText(random, RULES_TEXT),
      { ...JSON_TYPE, authorization: `Bearer ${adminToken}` },
    ),
  tokens: (random, { namespace, idToken }) =>
    request('GET', `/open/a.json?ns=${namespace}`, null, {
      authorization: `Bearer ${mutateText(random, idToken).replace(/[^!-~]/g, '_')}`,
    }),
  accounts: (random, subject) => {
    const text = JSON.stringify(mutateFields(random, accountFields(random, subject)));
    const body = random.below(3) === 0 ? mutateText(random, text) : text;
    return request('POST', `/v1/${random.pick(ACCOUNT_METHODS)}?key=${subject.apiKey}`, body);
  },
  imports: (random, { adminToken, projectId, namespace }) => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${adminToken}` };
    if (random.below(2) === 0) {
      const users = Array.from({ length: 1 + random.below(3) }, () =>
        mutateFields(random, {
          localId: `u${random.below(1_000)}`,
          email: `i${random.below(1_000)}@example.com`,
          passwordHash: 'aGFzaA',
          salt: 'c2FsdA',
          providerUserInfo: [],
          createdAt: '1',
          mfaInfo: [],
          customAttributes: '{}',
        }),
      );
      const fields = mutateFields(random, {
        users,
        hashAlgorithm: 'HMAC_SHA256',
        signerKey: 'a2V5',
        rounds: 1,
      });
      return request(
        'POST',
        `/v1/projects/${projectId}/accounts:batchCreate`,
        JSON.stringify(fields),
        headers,
      );
    }
    const id = `i${random.below(5)}`;
    const place = `/api/databases/${namespace}/imports/${id}`;
    const fields = mutateFields(random, { path: '/open/imported', mode: 'replace' });
    return random.pick([
      request('PUT', place, JSON.stringify(fields), headers),
      request(
        'PATCH',
        `${place}?offset=${mutateText(random, '0')}&final=true`,
        mutateText(random, '{"a":{"b":1}}'),
        headers,
      ),
      request('POST', `${place}/finish`, JSON.stringify(randomJson(random)), headers),
      request('DELETE', place, null, headers),
    ]);
  },
  polls: (random, { namespace }) => {
    const start = `start=t&ser=1&cb=1&v=5&ns=${namespace}`;
    const poll = `id=${random.below(1e6)}&pw=x&ser=2&seg0=0&ts0=1&d0=eyJ0IjoiZCJ9&ns=${namespace}`;
    return request('GET', `/.lp?${mutateText(random, random.pick([start, poll]))}`);
  },
};

/** Generators by the kind of input. */
export const KINDS: Readonly<Record<string, Generator>> = { ...SENT, ...PARSERS };

/** Number of inputs of each parser for one input of each other kind. They cost much less. */
const PARSED_PER_SENT = 12;

/** The kinds in the order of their inputs. */
export const ALL_KINDS: readonly string[] = [
  ...Object.keys(SENT),
  ...Array.from({ length: PARSED_PER_SENT }, () => Object.keys(PARSERS)).flat(),
];
