import { test } from 'vitest';
import { error, expectAnswers, type Row } from '../../app/exchange.fixture.ts';

const MAX_BODY_BYTES = 2 ** 22;
const PADDING = 'x'.repeat(70_000);
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
      ['PUT', '/v.json', `{"a":"${PADDING}","a":2}`, 200, '{"a":2}', { 'if-match': 'null_etag' }],
      ['PUT', '/v.json', `"${PADDING}"`, 412, '{"a":2}', { 'if-match': 'null_etag' }],
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
