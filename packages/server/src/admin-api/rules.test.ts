import { expect, test } from 'vitest';
import { expectAnswers, OWNER, type Row, UNAUTHORIZED } from '../app/exchange.fixture.ts';
import { NOW_MS } from '../app/memory-server.fixture.ts';

const RULES = '/api/databases/d/rules';
const OPEN = '{"rules":{".read":true,".write":true}}';
const LOCKED = '{"rules":{}}';
const WRONG = '{"rules":{\n".read":5,"a.b":{}}}';
const SETTINGS = '/.settings/rules.json?ns=d';

function json(value: unknown): string {
  return JSON.stringify(value);
}

function version(id: number, source: string, fields: Readonly<Record<string, unknown>> = {}) {
  const plain = { id, timeMs: NOW_MS, author: { kind: 'admin' }, bytes: source.length };
  return { ...plain, message: null, rolledBackTo: null, ...fields };
}

const DIFFERENCE = [
  '--- version 1',
  '+++ version 2',
  '@@ -1,1 +1,1 @@',
  `-${OPEN}`,
  '\\ No newline at end of file',
  `+${LOCKED}`,
  '\\ No newline at end of file',
  '',
].join('\n');

test.each<readonly [string, readonly Row[]]>([
  [
    '[H240][H241][H242] versions are listed and read',
    [
      ['GET', `${RULES}/versions`, undefined, 200, json({ versions: [], next: null }), OWNER],
      ['PUT', SETTINGS, OPEN, 200, '{"status":"ok"}', OWNER],
      ['POST', `${RULES}/publish`, json({ source: LOCKED, message: 'closing' }), 200, '{"id":2}', OWNER],
      [
        'GET',
        `${RULES}/versions`,
        undefined,
        200,
        json({ versions: [version(2, LOCKED, { message: 'closing' }), version(1, OPEN)], next: null }),
        OWNER,
      ],
      [
        'GET',
        `${RULES}/versions?limit=1`,
        undefined,
        200,
        json({ versions: [version(2, LOCKED, { message: 'closing' })], next: 2 }),
        OWNER,
      ],
      [
        'GET',
        `${RULES}/versions?limit=1&before=2`,
        undefined,
        200,
        json({ versions: [version(1, OPEN)], next: null }),
        OWNER,
      ],
      [
        'GET',
        `${RULES}/versions/1`,
        undefined,
        200,
        json({ ...version(1, OPEN), source: OPEN, difference: null }),
        OWNER,
      ],
      [
        'GET',
        `${RULES}/versions/2`,
        undefined,
        200,
        json({ ...version(2, LOCKED, { message: 'closing' }), source: LOCKED, difference: DIFFERENCE }),
        OWNER,
      ],
      ['GET', `${RULES}/versions/3`, undefined, 404, /version of the rules does not exist/, OWNER],
    ],
  ],
  [
    '[H243][H331] rules are published unless they are invalid or another version took effect first',
    [
      ['POST', `${RULES}/publish`, json({ source: OPEN, expected: 0 }), 200, '{"id":1}', OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN }), 200, '{"id":1}', OWNER],
      ['GET', SETTINGS, undefined, 200, OPEN, OWNER],
      ['POST', `${RULES}/publish`, json({ source: `\ufeff${OPEN}` }), 200, '{"id":1}', OWNER],
      ['PUT', SETTINGS, `\ufeff${OPEN}`, 200, '{"status":"ok"}', OWNER],
      ['GET', SETTINGS, undefined, 200, OPEN, OWNER],
      [
        'POST',
        `${RULES}/publish`,
        json({ source: LOCKED, expected: 0 }),
        409,
        /expected no version, found version 1\./,
        OWNER,
      ],
      [
        'POST',
        `${RULES}/publish`,
        json({ source: WRONG }),
        400,
        /^\{"error":"2:9: .*\\n2:11: .*","problems":\[\{"line":2,"column":9,"message":".+"\},\{"line":2,"column":11,/,
        OWNER,
      ],
      ['GET', SETTINGS, undefined, 200, OPEN, OWNER],
    ],
  ],
  [
    '[H244] an earlier version can be published again',
    [
      ['PUT', SETTINGS, OPEN, 200, '{"status":"ok"}', OWNER],
      ['PUT', SETTINGS, LOCKED, 200, '{"status":"ok"}', OWNER],
      [
        'POST',
        `${RULES}/rollback`,
        json({ to: 1, expected: 1 }),
        409,
        /expected version 1, found version 2\./,
        OWNER,
      ],
      [
        'POST',
        `${RULES}/rollback`,
        json({ to: 1, expected: 2, message: 'too strict' }),
        200,
        '{"id":3}',
        OWNER,
      ],
      ['GET', SETTINGS, undefined, 200, OPEN, OWNER],
      ['GET', `${RULES}/versions/3`, undefined, 200, /"message":"too strict","rolledBackTo":1/, OWNER],
      ['POST', `${RULES}/rollback`, json({ to: 4 }), 404, /version of the rules does not exist/, OWNER],
    ],
  ],
  [
    '[H245] rules are checked without being published',
    [
      ['POST', `${RULES}/check`, json({ source: OPEN }), 200, '{"problems":[]}', OWNER],
      [
        'POST',
        `${RULES}/check`,
        json({ source: WRONG }),
        200,
        /^\{"problems":\[\{"line":2,"column":9,"message":".+"\},\{"line":2,"column":11,"message":".+"\}\]\}$/,
        OWNER,
      ],
      [
        'POST',
        `${RULES}/check`,
        json({ source: '{"rules":{},"x\u2028y":0}' }),
        200,
        /^\{"problems":\[\{"line":1,"column":13,"message":".*x\u2028y.*"\}\]\}$/s,
        OWNER,
      ],
      ['POST', `${RULES}/check`, json({ source: '{' }), 200, /^\{"problems":\[\{"line":1,"column":2,/, OWNER],
      ['GET', `${RULES}/versions`, undefined, 200, json({ versions: [], next: null }), OWNER],
    ],
  ],
  [
    '[H246] invalid requests are rejected',
    [
      ['POST', `${RULES}/publish`, json({ source: OPEN, expect: 1 }), 400, /no fields other than/, OWNER],
      ['POST', `${RULES}/publish`, json([OPEN]), 400, /no fields other than/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: { rules: {} } }), 400, /must be a string/, OWNER],
      ['POST', `${RULES}/publish`, '{"source":"{\\"rules\\":{}}//\\ud800"}', 400, /lone surrogates/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN, message: 5 }), 400, /message/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN, message: 'x'.repeat(1001) }), 400, /1000/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN, message: 'x'.repeat(1000) }), 200, /1/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN, expected: -1 }), 400, /expected/, OWNER],
      ['POST', `${RULES}/publish`, json({ source: OPEN, expected: '1' }), 400, /expected/, OWNER],
      [
        'POST',
        `${RULES}/publish?dryRun=true`,
        json({ source: OPEN }),
        400,
        /Unknown query parameter \\"dryRun\\"\./,
        OWNER,
      ],
      ['POST', `${RULES}/publish`, ' '.repeat(2_097_153), 413, /larger than/, OWNER],
      ['POST', `${RULES}/publish`, '', 400, /No data/, OWNER],
      ['POST', `${RULES}/rollback`, '{}', 400, /"to\\"/, OWNER],
      ['POST', `${RULES}/rollback`, json({ to: 1.5 }), 400, /the id of a version/, OWNER],
      ['POST', `${RULES}/check`, '{}', 400, /must be a string/, OWNER],
      ['GET', `${RULES}/versions?before=x`, undefined, 400, /before/, OWNER],
      ['GET', `${RULES}/versions?limit=101`, undefined, 400, /from 1 to 100/, OWNER],
      ['GET', `${RULES}/versions/0`, undefined, 400, /the id of a version/, OWNER],
      ['GET', `${RULES}/versions/latest`, undefined, 400, /the id of a version/, OWNER],
      ['GET', `${RULES}/versions/1?limit=1`, undefined, 400, /Unknown query parameter/, OWNER],
      ['GET', '/api/databases/a_b/rules/versions', undefined, 400, /A database name/, OWNER],
    ],
  ],
  [
    '[H247] versions are only for administrators',
    [
      ['GET', `${RULES}/versions`, undefined, 401, UNAUTHORIZED],
      ['GET', `${RULES}/versions/1`, undefined, 401, UNAUTHORIZED],
      ['POST', `${RULES}/publish`, json({ source: OPEN }), 401, UNAUTHORIZED],
      ['POST', `${RULES}/rollback`, json({ to: 1 }), 401, UNAUTHORIZED],
      ['POST', `${RULES}/check`, json({ source: OPEN }), 401, UNAUTHORIZED],
    ],
  ],
  [
    '[H71] a dry run checks rules and creates no version',
    [
      ['PUT', `${SETTINGS}&dryRun=true`, OPEN, 200, '{"status":"ok"}', OWNER],
      ['PUT', `${SETTINGS}&dryRun=false`, LOCKED, 200, '{"status":"ok"}', OWNER],
      ['PUT', `${SETTINGS}&dryRun=true`, OPEN, 200, '{"status":"ok"}', OWNER],
      ['PUT', `${SETTINGS}&dryRun=true`, WRONG, 400, /^\{"error":"2:9: .*\\n2:11: /, OWNER],
      ['PUT', `${SETTINGS}&dryRun=yes`, OPEN, 400, /true or false/, OWNER],
      ['GET', SETTINGS, undefined, 200, LOCKED, OWNER],
      ['GET', `${RULES}/versions`, undefined, 200, /^\{"versions":\[\{"id":1,[^[]*\],"next":null\}$/, OWNER],
    ],
  ],
])('%s', async (_name, rows) => {
  await expectAnswers(rows);
  expect(rows.length).toBeGreaterThan(0);
});
