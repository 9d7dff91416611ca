import { expect, test } from 'vitest';
import { expectAnswers, OWNER, type Row, UNAUTHORIZED } from '../app/exchange.fixture.ts';

const EXPLAIN = '/api/databases/d/rules/explain';
const RULES = `{"rules": {
  "rooms": {"$id": {
    ".read": "data.child('owner').val() == auth.uid || query.limitToFirst == 5",
    ".write": "newData.child('at').val() == now",
    "n": {".validate": "newData.val() == data.val() + 1"}
  }}
}}`;
const SETUP: readonly Row[] = [
  ['PUT', '/.settings/rules.json?ns=d', RULES, 200, '{"status":"ok"}', OWNER],
  ['PUT', '/rooms/r1.json?ns=d', '{"owner":"u1","n":1}', 200, /./, OWNER],
];

function explain(question: Readonly<Record<string, unknown>>, answer: RegExp, status = 200): Row {
  return ['POST', EXPLAIN, JSON.stringify(question), status, answer, OWNER];
}

const TIMESTAMP = { '.sv': 'timestamp' };

test.each<readonly [string, readonly Row[]]>([
  [
    '[R240][H304] a read is explained on the current data',
    [
      explain(
        { operation: 'read', path: '/rooms/r1' },
        /^\{"isAllowed":false,"deniedPath":"\/rooms\/r1","rules":\[\{"kind":"read"/,
      ),
      explain(
        { auth: { uid: 'u1' }, operation: 'read', path: '/rooms/r1' },
        /^\{"isAllowed":true,"deniedPath":null/,
      ),
      explain({ operation: 'read', path: 'rooms/r1', query: { limitToFirst: 5 } }, /^\{"isAllowed":true/),
      explain({ operation: 'read', path: '/none' }, /"rules":\[\],"deciding":null,"source":/),
    ],
  ],
  [
    '[R240][H304] a write is explained with its placeholders resolved, and nothing is written',
    [
      explain(
        { operation: 'write', path: '/rooms/r1', value: { at: TIMESTAMP, n: 2 } },
        /^\{"isAllowed":true/,
      ),
      explain(
        { operation: 'update', path: '/rooms/r1', value: { at: TIMESTAMP, n: { '.sv': { increment: 2 } } } },
        /^\{"isAllowed":false,"deniedPath":"\/rooms\/r1\/n".*"deciding":\{"kind":"validate","location":"\/rooms\/\$id\/n","place":"\/rooms\/r1\/n"/,
      ),
      ['GET', '/rooms/r1.json?ns=d', undefined, 200, '{"n":1,"owner":"u1"}', OWNER],
    ],
  ],
  [
    '[R241][H304] the response contains the evaluated rules: a draft, if the request has one',
    [
      explain({ operation: 'read', path: '/x' }, /"source":"\{\\"rules\\": \{\\n/),
      explain(
        { operation: 'read', path: '/x', source: '{"rules":{".read":true}}' },
        /^\{"isAllowed":true.*"source":"\{\\"rules\\":\{\\"\.read\\":true\}\}"\}$/,
      ),
      explain(
        { operation: 'read', path: '/x', source: '{"rules":{".read":5}}' },
        /Invalid rule expression/,
        400,
      ),
    ],
  ],
  [
    '[R242] long values are truncated',
    [
      explain(
        { operation: 'read', path: '/rooms/r1', auth: { uid: 'u'.repeat(1_001) } },
        /"value":\{"kind":"cut","of":"string","start":"u{1000}","length":1001\}/,
      ),
      explain(
        { operation: 'read', path: '/rooms/r1', auth: { uid: 'u'.repeat(1_001) } },
        /"value":\{"kind":"cut","of":"json","start":"\{\\"uid\\":\\"u{992}","length":1011\}/,
      ),
    ],
  ],
  [
    '[R243] numbers that are not finite are shown',
    [
      explain(
        { operation: 'read', path: '/x', source: '{"rules":{".read":"1 / 0 > 2"}}' },
        /"value":\{"kind":"not-finite","text":"NaN"\}/,
      ),
    ],
  ],
  [
    '[H305] an invalid request is rejected with all of its problems',
    [
      explain(
        { operation: 'reed', path: '/x' },
        /\\"operation\\" must be \\"read\\", \\"write\\" or \\"update\\"/,
        400,
      ),
      explain({ operation: 'read' }, /Missing \\"path\\"/, 400),
      explain(
        { operation: 'write', path: '/x', quary: 1 },
        /no field \\"quary\\".*A write needs a \\"value\\"/,
        400,
      ),
      explain({ operation: 'read', path: '/x', auth: 'alice' }, /auth must be an object/, 400),
      explain({ operation: 'read', path: '/x', source: 1 }, /\\"source\\" must be a string/, 400),
      ['POST', EXPLAIN, '{"operation":', 400, /Parse error/, OWNER],
      ['POST', EXPLAIN, Buffer.alloc(2_097_153, 32), 413, /larger than the server accepts/, OWNER],
      ['POST', EXPLAIN, '{"operation":"read","path":"/x"}', 401, UNAUTHORIZED],
    ],
  ],
])('%s', async (_title, rows) => {
  await expectAnswers([...SETUP, ...rows]);
  expect.hasAssertions();
});
