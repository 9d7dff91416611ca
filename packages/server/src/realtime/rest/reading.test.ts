import { test } from 'vitest';
import {
  error,
  expectAnswers,
  type Method,
  OWNER,
  type RequestHeaders,
  type Row,
} from '../../app/exchange.fixture.ts';

const CHAT = JSON.stringify({
  a: { text: 'x', at: 3 },
  b: { text: 'y', at: 1 },
  c: { text: 'z', at: 2, '.priority': 5 },
});
const SET_CHAT: Row = ['PUT', '/chat.json?print=silent', CHAT, 204, ''];
const INDEXED: Row = [
  'PUT',
  '/.settings/rules.json',
  '{"rules":{".read":true,".write":true,"chat":{".indexOn":["at","text"]},"n":{".indexOn":".value"}}}',
  200,
  /ok/,
  OWNER,
];

/** The origin and the purpose of a request as a browser reports them, and the status of the response. */
const SCRIPTS: readonly (readonly [site: string, dest: string | null, status: number])[] = [
  ['same-origin', 'script', 400],
  ['same-origin', 'serviceworker', 400],
  ['same-origin', 'worker', 400],
  ['same-origin', null, 400],
  ['same-origin', 'empty', 200],
  ['same-origin', 'document', 200],
  ['same-site', 'script', 200],
  ['none', 'document', 200],
];

test.each<readonly [string, readonly Row[]]>([
  [
    '[H100] format=export shows priorities',
    [
      ['PUT', '/a.json', '{"l":[1,{".value":2,".priority":"p"}],".priority":3}', 200, '{"l":[1,2]}'],
      [
        'GET',
        '/a.json?format=export',
        undefined,
        200,
        '{"l":{"0":1,"1":{".value":2,".priority":"p"}},".priority":3}',
      ],
      ['GET', '/a.json?format=other', undefined, 400, /format must be export/],
    ],
  ],
  [
    '[H101] shallow=true returns keys',
    [
      SET_CHAT,
      ['GET', '/chat.json?shallow=true', undefined, 200, '{"a":true,"b":true,"c":true}'],
      ['GET', '/chat/a/at.json?shallow=true', undefined, 200, '3'],
      ['GET', '/none.json?shallow=true', undefined, 200, 'null'],
      ['GET', '/chat.json?shallow=false', undefined, 200, /"text":"x"/],
      ['GET', '/chat.json?shallow=1', undefined, 400, /shallow must be true or false/],
    ],
  ],
  [
    '[H102] shallow=true pages through keys',
    [
      SET_CHAT,
      ['GET', '/chat.json?shallow=true&limitToFirst=2', undefined, 200, '{"a":true,"b":true}'],
      ['GET', '/chat.json?shallow=true&limitToFirst=2&startAfter=b', undefined, 200, '{"c":true}'],
      [
        'GET',
        '/chat.json?shallow=true&startAfter=%22a%22&timeout=5000ms',
        undefined,
        200,
        '{"b":true,"c":true}',
      ],
      ['GET', '/chat.json?shallow=true&startAfter=c', undefined, 200, /^(?:null|\{\})$/],
      ['GET', '/chat.json?shallow=true&orderBy=%22$key%22', undefined, 400, /shallow can be combined only/],
      ['GET', '/chat.json?shallow=true&format=export', undefined, 400, /shallow can be combined only/],
      [
        'GET',
        '/chat.json?shallow=true&limitToFirst=x',
        undefined,
        400,
        error('limitToFirst must be an integer'),
      ],
      ['GET', '/chat/.priority.json?shallow=true', undefined, 400, /priority/],
    ],
  ],
  [
    '[H103] callback returns a script',
    [
      ['PUT', '/a.json', '5', 200, '5'],
      [
        'GET',
        '/a.json?callback=cb',
        undefined,
        200,
        'cb(5);',
        {},
        { 'content-type': 'application/javascript; charset=utf-8' },
      ],
      ['GET', '/a.json?callback=my.$f_1', undefined, 200, 'my.$f_1(5);'],
      ['GET', '/a.json?callback=alert(1)//', undefined, 400, /callback must be the name/],
      ['GET', '/a.json?callback=', undefined, 400, /callback must be the name/],
      ['PUT', '/a.json?callback=cb', '5', 400, /callback does not apply/],
    ],
  ],
  [
    '[H568] a page of the server itself cannot load a script',
    [
      ['PUT', '/a.json', '5', 200, '5'],
      ...SCRIPTS.map(
        ([site, dest, status]): Row => [
          'GET',
          '/a.json?callback=cb',
          undefined,
          status,
          status === 200 ? 'cb(5);' : /pages of other origins/,
          { 'sec-fetch-site': site, ...(dest === null ? {} : { 'sec-fetch-dest': dest }) },
        ],
      ),
    ],
  ],
  [
    '[H104] download sets a file name',
    [
      [
        'GET',
        '/a.json?download=a.json',
        undefined,
        200,
        'null',
        {},
        { 'content-disposition': 'attachment; filename="a.json"; filename*=UTF-8\'\'a.json' },
      ],
      [
        'GET',
        '/a.json?download=%22%0d%0aX:%C3%A9',
        undefined,
        200,
        'null',
        {},
        { 'content-disposition': 'attachment; filename="___X:_"; filename*=UTF-8\'\'%22%0D%0AX%3A%C3%A9' },
      ],
    ],
  ],
  [
    '[H105] timeout is a duration of at most 15 minutes',
    [
      ['GET', '/a.json?timeout=3ms', undefined, 200, 'null'],
      ['GET', '/a.json?timeout=15min', undefined, 200, 'null'],
      ['GET', '/a.json?timeout=16min', undefined, 400, /at most 15min/],
      ['GET', '/a.json?timeout=3', undefined, 400, /timeout must be a time such as/],
      ['GET', '/a.json?timeout=0s', undefined, 400, /timeout must be a time such as/],
    ],
  ],
  [
    '[H110][H111][H112][H113] queries return the selected children',
    [
      SET_CHAT,
      INDEXED,
      ['GET', '/chat.json?orderBy=%22at%22&limitToFirst=1', undefined, 200, '{"b":{"at":1,"text":"y"}}'],
      ['GET', '/chat.json?orderBy=%22at%22&limitToLast=1', undefined, 200, '{"a":{"at":3,"text":"x"}}'],
      [
        'GET',
        '/chat.json?orderBy=%22at%22&equalTo=2&format=export',
        undefined,
        200,
        '{"c":{"at":2,"text":"z",".priority":5}}',
      ],
      ['GET', '/chat.json?orderBy=%22at%22&startAt=2&endAt=2', undefined, 200, '{"c":{"at":2,"text":"z"}}'],
      ['GET', '/chat.json?orderBy=%22at%22&startAfter=2', undefined, 200, '{"a":{"at":3,"text":"x"}}'],
      ['GET', '/chat.json?orderBy=%22at%22&endBefore=2', undefined, 200, '{"b":{"at":1,"text":"y"}}'],
      ['GET', '/chat.json?orderBy=%22at%22&startAt=2,%22d%22', undefined, 200, '{"a":{"at":3,"text":"x"}}'],
      ['GET', '/chat.json?orderBy=%22at%22&equalTo=2,%22d%22', undefined, 200, '{}'],
      [
        'GET',
        '/chat.json?orderBy=%22$key%22&startAfter=%22a%22&endAt=%22b%22',
        undefined,
        200,
        '{"b":{"at":1,"text":"y"}}',
      ],
      ['GET', '/chat.json?orderBy=%22$priority%22&startAt=1', undefined, 200, '{"c":{"at":2,"text":"z"}}'],
      [
        'GET',
        '/chat.json?orderBy=%22$priority%22&equalTo=null&limitToLast=1',
        undefined,
        200,
        '{"b":{"at":1,"text":"y"}}',
      ],
      ['GET', '/chat.json?orderBy=%22text%22&startAt=%22zz%22', undefined, 200, '{}'],
      ['GET', '/none.json?orderBy=%22$key%22&startAt=%22zz%22', undefined, 200, 'null'],
      ['PUT', '/n.json', '[1,2,3]', 200, '[1,2,3]'],
      ['GET', '/n.json?orderBy=%22$value%22&endAt=2', undefined, 200, '[1,2]'],
      ['GET', '/n.json?orderBy=%22$value%22&startAt=3', undefined, 200, '{"2":3}'],
    ],
  ],
  [
    '[H114] a query without an index is rejected',
    [
      SET_CHAT,
      [
        'GET',
        '/chat.json?orderBy=%22at%22',
        undefined,
        400,
        error('Index not defined, add ".indexOn": "at", for path "/chat", to the rules'),
      ],
      [
        'GET',
        '/chat.json?orderBy=%22$value%22',
        undefined,
        400,
        error('Index not defined, add ".indexOn": ".value", for path "/chat", to the rules'),
      ],
    ],
  ],
])('%s', (_title, rows) => expectAnswers(rows));

test.each<readonly [string, string]>([
  ['limitToFirst=2', 'orderBy must be defined when other query parameters are defined'],
  ['startAt=2', 'orderBy must be defined when other query parameters are defined'],
  ['orderBy=at', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=1', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=%22a%22,%22b%22', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=%22.value%22', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=%22$other%22', 'orderBy must be a valid JSON encoded path'],
  ['orderBy=%22%22', 'orderBy must be a valid JSON encoded path'],
  [
    'orderBy=%22$key%22&limitToFirst=1&limitToLast=1',
    'Only one of limitToFirst and limitToLast may be specified',
  ],
  ['orderBy=%22$key%22&limitToFirst=x', 'limitToFirst must be an integer'],
  ['orderBy=%22$key%22&limitToFirst=-1', 'limitToFirst must be an integer'],
  ['orderBy=%22$key%22&limitToLast=0', 'limitToLast must be an integer'],
  ['orderBy=%22$key%22&limitToLast=1.5', 'limitToLast must be an integer'],
  [
    'orderBy=%22$priority%22&equalTo=1&startAt=1',
    'equalTo cannot be specified in addition to startAfter, startAt, endAt, or endBefore',
  ],
  ['orderBy=%22$priority%22&startAt=1&startAfter=1', 'Only one of startAt and startAfter may be specified'],
  ['orderBy=%22$priority%22&endAt=1&endBefore=1', 'Only one of endAt and endBefore may be specified'],
  ['orderBy=%22$priority%22&startAt={}', 'Constraint index field must be a JSON primitive'],
  ['orderBy=%22$priority%22&startAt=abc', 'Constraint index field must be a JSON primitive'],
  ['orderBy=%22$priority%22&startAt=', 'Constraint index field must be a JSON primitive'],
  ['orderBy=%22$priority%22&startAt=1e999', 'Constraint index field must be a JSON primitive'],
  ['orderBy=%22$priority%22&startAt=1,%22a%22,2', 'Constraint index field must be a JSON primitive'],
  ['orderBy=%22$priority%22&startAt=1,2', 'Constraint key field must be a valid key name'],
  ['orderBy=%22$priority%22&startAt=1,%22a.b%22', 'Constraint key field must be a valid key name'],
  ['orderBy=%22$key%22&startAt=1', 'Constraint key field must be a valid key name'],
])('[H115][H110][H111][H112] the query %s is rejected', (parameters, text) =>
  expectAnswers([['GET', `/a.json?${parameters}`, undefined, 400, error(text)]]),
);

/** Returns a token without a signature, as the official emulators issue them. */
function tokenOf(uid: string): string {
  const encode = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ sub: uid })}.`;
}

test('[H35] an administrator can impersonate a user or an anonymous caller', () =>
  expectAnswers([
    ['PUT', '/.settings/rules.json', '{"rules":{".read":"auth != null"}}', 200, /ok/, OWNER],
    ['GET', '/a.json', undefined, 200, 'null', OWNER],
    ['GET', '/a.json?auth_variable_override=null', undefined, 401, error('Permission denied'), OWNER],
    ['GET', '/a.json?auth_variable_override={%22uid%22:%22u%22}', undefined, 200, 'null', OWNER],
    [
      'PUT',
      '/a.json?auth_variable_override={%22uid%22:%22u%22}',
      '1',
      401,
      error('Permission denied'),
      OWNER,
    ],
    ['GET', '/a.json?auth_variable_override={%22uid%22:%22u%22}', undefined, 401, error('Permission denied')],
    ['GET', `/a.json?auth=${tokenOf('u')}&auth_variable_override=null`, undefined, 200, 'null'],
    ['GET', '/a.json?auth_variable_override=5', undefined, 400, /JSON object or null/, OWNER],
    ['GET', '/a.json?auth_variable_override={', undefined, 400, /JSON object or null/, OWNER],
  ]));

test.each<readonly [Method, string, RequestHeaders]>([
  ['GET', '/a.json', { 'if-match': 'x' }],
  ['PUT', '/a.json', { 'if-match': '' }],
  ['POST', '/a.json', { 'if-match': 'x' }],
  ['PATCH', '/a.json', { 'if-match': 'x' }],
  ['PATCH', '/a.json', { 'x-firebase-etag': 'true' }],
  ['PUT', '/a.json?print=silent', { 'if-match': 'x' }],
  ['GET', '/a.json?orderBy=%22$key%22', { 'x-firebase-etag': 'true' }],
  ['GET', '/a.json?shallow=true', { 'x-firebase-etag': 'true' }],
  ['GET', '/a/.priority.json', { 'x-firebase-etag': 'true' }],
  ['PUT', '/a/.priority.json', { 'x-firebase-etag': 'true' }],
])('[H124] %s %s with %j is rejected', (method, url, headers) =>
  expectAnswers([[method, url, method === 'GET' ? undefined : '{"b":1}', 400, /error/, headers]]),
);

test('[H120][H121][H122][H123] writes can depend on hashes', async () => {
  const wanted = { 'x-firebase-etag': 'true' };
  // Hashes of the numbers 1 and 2, as the protocol defines them.
  const one = 'YPVfR2bXt/lcDjiQZ8pOkAd3qkQ=';
  const two = 'WtSt2Xo3L0JtPuArzQHofPrZOuU=';
  await expectAnswers([
    ['GET', '/a.json', undefined, 200, 'null', wanted, { etag: 'null_etag' }],
    ['GET', '/a.json', undefined, 200, 'null', {}, { etag: undefined }],
    ['PUT', '/a.json', '1', 412, 'null', { 'if-match': one }, { etag: 'null_etag' }],
    ['PUT', '/a.json', '1', 200, '1', { ...wanted, 'if-match': 'null_etag' }, { etag: one }],
    ['PUT', '/a.json', '1', 412, '1', { 'if-match': 'null_etag' }, { etag: one }],
    ['PUT', '/a.json', '2', 200, '2', { ...wanted, 'if-match': `"${one}"` }, { etag: two }],
    ['DELETE', '/a.json', undefined, 412, '2', { 'if-match': one }, { etag: two }],
    ['DELETE', '/a.json', undefined, 200, 'null', { ...wanted, 'if-match': two }, { etag: 'null_etag' }],
    ['POST', '/list.json', '1', 200, /name/, wanted, { etag: one }],
    ['PUT', '/.settings/rules.json', '{"rules":{".write":true}}', 200, /ok/, OWNER],
    [
      'PUT',
      '/a.json',
      '1',
      412,
      error('Transaction hash does not match'),
      { 'if-match': one },
      { etag: undefined },
    ],
  ]);
});

test('[H106] a write above the limit in its own request is rejected', () => {
  const half = JSON.stringify('x'.repeat(9 * 2 ** 20));
  return expectAnswers(
    [
      [
        'PATCH',
        '/.json?writeSizeLimit=tiny',
        `{"a":${half},"b":${half}}`,
        400,
        /exceeds the maximum size that can be modified with a single request/,
      ],
      ['PUT', '/a.json?writeSizeLimit=huge', '1', 400, /writeSizeLimit must be tiny, small/],
      ['PUT', '/a.json?writeSizeLimit=tiny', '1', 200, '1'],
      ['DELETE', '/.json?writeSizeLimit=tiny', undefined, 200, 'null'],
    ],
    2 ** 30,
  );
});
