import { createHash } from 'node:crypto';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { test } from 'vitest';
import { error, expectAnswers, type Row } from '../../app/exchange.fixture.ts';

const MAX_BODY_BYTES = 2 ** 22;
const PADDING = 'x'.repeat(70_000);
/** A value that is stored in parts, with more text than is hashed at once. */
const LONG_VALUE = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, n) => [`k${n + 1_000}`, `${n}${'x'.repeat(30)}`]),
);
const LONG = JSON.stringify(LONG_VALUE);
const LONG_HASH = hashOf(LONG_VALUE);

function hashOf(json: unknown): string {
  const { node } = parseDraft(json, 0);
  const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');
  return hashNode(node as Parameters<typeof hashNode>[0], sha1);
}

const NOT_AN_OBJECT = error(
  "Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key names?",
);

const ROWS: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    'a long update is answered as it was sent, without the space around it',
    [
      ['PATCH', '/u.json', `\ufeff \n{"a/x":1, "b":"${PADDING}"} \t`, 200, `{"a/x":1, "b":"${PADDING}"}`],
      ['GET', '/u/a.json', undefined, 200, '{"x":1}'],
    ],
  ],
  [
    'a long update with too many paths is rejected where they are too many',
    [
      [
        'PATCH',
        '/u.json',
        `{${Array.from({ length: 50_001 }, (_, n) => `"k${n}/a":1`).join()},no JSON`,
        400,
        /exceeds the maximum size/,
      ],
    ],
  ],
  [
    'a long update that is not JSON, not UTF-8 or no object is rejected like a short one',
    [
      ['PATCH', '/u.json', `{"a":"${PADDING}",}`, 400, NOT_AN_OBJECT],
      ['PATCH', '/u.json', Buffer.from(`{"a":"\xff${PADDING}"}`, 'latin1'), 400, NOT_AN_OBJECT],
      ['PATCH', '/u.json', `["${PADDING}"]`, 400, NOT_AN_OBJECT],
      ['PATCH', '/u.json', '{"a":1,}', 400, NOT_AN_OBJECT],
    ],
  ],
  [
    'a long conditional value is written',
    [
      ['PUT', '/v.json', LONG, 200, LONG, { 'if-match': 'null_etag' }, { etag: undefined }],
      ['PUT', '/v.json', `"${PADDING}"`, 412, LONG, { 'if-match': 'null_etag' }, { etag: LONG_HASH }],
      ['PUT', '/v.json', `"${PADDING}"`, 200, `"${PADDING}"`, { 'if-match': LONG_HASH }],
      ['PUT', '/v.json', LONG, 412, `"${PADDING}"`, { 'if-match': LONG_HASH }],
    ],
  ],
  [
    'a long value is answered with its ETag',
    [
      ['PUT', '/v.json', LONG, 200, LONG, { 'x-firebase-etag': 'true' }, { etag: LONG_HASH }],
      ['POST', '/p.json', LONG, 200, /^\{"name":/, { 'x-firebase-etag': 'true' }, { etag: LONG_HASH }],
      ['GET', '/v.json', undefined, 200, LONG, { 'x-firebase-etag': 'true' }, { etag: LONG_HASH }],
      ['PUT', '/s.json', `"${PADDING}"`, 200, `"${PADDING}"`, { 'x-firebase-etag': 'true' }],
    ],
  ],
  [
    'a long conditional value is rejected for what it contains like another one',
    [
      ['PUT', '/v.json', `{"a":"${PADDING}",}`, 400, /name of a member/, { 'if-match': 'null_etag' }],
      ['PUT', '/v/.priority.json', `"${PADDING}"`, 400, /path/i, { 'if-match': 'null_etag' }],
      ['PUT', '/v.json?print=silent', LONG, 400, /if-match cannot be combined/, { 'if-match': 'null_etag' }],
      ['GET', '/v.json', undefined, 200, 'null'],
    ],
  ],
  [
    'a long body without JSON is rejected',
    [
      ['PATCH', '/u.json', ' '.repeat(70_000), 400, error('Error: No data supplied.')],
      ['PUT', '/v.json', '['.repeat(70_000), 400, /more than 32 levels/, { 'if-match': 'null_etag' }],
    ],
  ],
];

test.each(ROWS)('[H575] %s', (_title, rows) => expectAnswers(rows, MAX_BODY_BYTES));
