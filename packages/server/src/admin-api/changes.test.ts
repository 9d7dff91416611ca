import { expect, test } from 'vitest';
import { expectAnswers, OWNER, type Row } from '../app/exchange.fixture.ts';

const URL = '/api/databases/d/changes';
const LAST = (path: string): string => `/api/databases/d/last-write?path=${path}`;
/** Hash of the number 1. */
const ETAG_OF_1 = 'YPVfR2bXt/lcDjiQZ8pOkAd3qkQ=';
const CHANGES = '"changes":{"/x":1,"/a":null}';
const TOO_MANY = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`/${index}`, 'x']));

test.each<readonly [string, readonly Row[]]>([
  [
    '[H471] changes apply together, and only if the expected values match',
    [
      ['PUT', '/.json?ns=d', '{"a":1,"b":{"c":2}}', 200, '{"a":1,"b":{"c":2}}', OWNER],
      ['POST', URL, `{${CHANGES},"expected":{"/a":"other"}}`, 412, /hash/, OWNER],
      ['GET', '/.json?ns=d', undefined, 200, '{"a":1,"b":{"c":2}}'],
      ['POST', URL, `{${CHANGES},"expected":{"/a":"${ETAG_OF_1}","/x":"null_etag"}}`, 200, '{}', OWNER],
      ['GET', '/.json?ns=d', undefined, 200, '{"b":{"c":2},"x":1}'],
    ],
  ],
  [
    '[H499] a mismatch reports the current ETag of each path that differs',
    [
      ['PUT', '/.json?ns=d', '{"a":1,"b":2}', 200, '{"a":1,"b":2}', OWNER],
      [
        'POST',
        URL,
        `{${CHANGES},"expected":{"/a":"${ETAG_OF_1}","/x":"${ETAG_OF_1}","b":"null_etag"}}`,
        412,
        /^\{"error":"Transaction hash[^"]*","code":"write\/stale","stale":\{"\/x":"null_etag","\/b":"[^"]{28}"\}\}$/,
        OWNER,
      ],
      ['POST', URL, `{"changes":{},"expected":{"/a":"${ETAG_OF_1}"}}`, 200, '{}', OWNER],
    ],
  ],
  [
    '[H500] with keepsValues, a change below a value is rejected',
    [
      ['PUT', '/.json?ns=d', '{"a":1,"b":{"c":2}}', 200, '{"a":1,"b":{"c":2}}', OWNER],
      ['POST', URL, '{"changes":{"/n":1,"/a/x/y":1},"keepsValues":true}', 409, /write\/below-value/, OWNER],
      ['POST', URL, '{"changes":{"/b/c/x":1},"keepsValues":true}', 409, /write\/below-value/, OWNER],
      ['GET', '/.json?ns=d', undefined, 200, '{"a":1,"b":{"c":2}}'],
      ['POST', URL, '{"changes":{"/a/x":null,"/b/x/y":1,"/a":3},"keepsValues":true}', 400, /error/, OWNER],
      ['POST', URL, '{"changes":{"/a/x":null,"/b/x/y":1},"keepsValues":true}', 200, '{}', OWNER],
      ['GET', '/.json?ns=d', undefined, 200, '{"a":1,"b":{"c":2,"x":{"y":1}}}'],
      ['POST', URL, '{"changes":{"/a/x":5}}', 200, '{}', OWNER],
      ['POST', URL, '{"changes":{"/":7},"keepsValues":true}', 200, '{}', OWNER],
    ],
  ],
  [
    '[H644] the last write of a node may be at, above or below its path',
    [
      [
        'GET',
        LAST('/a'),
        undefined,
        200,
        '{"kind":"never","kept":{"commits":20000,"bytes":67108864}}',
        OWNER,
      ],
      ['PUT', '/.json?ns=d', '{"a":{"b":2}}', 200, '{"a":{"b":2}}', OWNER],
      ['GET', LAST('/a/b'), undefined, 200, /^\{"kind":"write","timeMs":\d+,.*"path":"\/","paths":1/, OWNER],
      ['GET', LAST('/a'), undefined, 401, /error/],
      ['GET', `${LAST('/a')}&as=null`, undefined, 400, /as/, OWNER],
    ],
  ],
  [
    '[H472] bodies of another shape are rejected',
    [
      ['POST', URL, '[]', 400, /must be/, OWNER],
      ['POST', URL, '{"changes":1}', 400, /error/, OWNER],
      ['POST', URL, '{"changes":{},"keepsValues":1}', 400, /must be/, OWNER],
      ['POST', URL, '{"changes":{},"isUndoable":1}', 400, /must be/, OWNER],
      ['POST', URL, '{"changes":{},"etagOf":1}', 400, /must be/, OWNER],
      ['POST', URL, '{"changes":{"/a":1},"expected":{"/a":1}}', 400, /must be an ETag/, OWNER],
      ['POST', URL, JSON.stringify({ changes: {}, expected: TOO_MANY }), 400, /At most 1000/, OWNER],
    ],
  ],
  [
    '[H570][H571][H572][H574] an undoable write is listed, undone and forgotten',
    [
      ['PUT', '/.json?ns=d', '{"a":{"x":1},"b":2}', 200, '{"a":{"x":1},"b":2}', OWNER],
      ['POST', URL, '{"changes":{"/a":null},"isUndoable":true}', 200, '{"change":1}', OWNER],
      [
        'POST',
        URL,
        '{"changes":{"/b":1},"isUndoable":true,"etagOf":"/b"}',
        200,
        `{"change":2,"etag":"${ETAG_OF_1}"}`,
        OWNER,
      ],
      [
        'POST',
        URL,
        '{"changes":{"/none":null},"isUndoable":true,"etagOf":"/none"}',
        200,
        '{"change":null,"etag":"null_etag"}',
        OWNER,
      ],
      [
        'GET',
        `${URL}?limit=1`,
        undefined,
        200,
        /^\{"changes":\[\{"id":2,"kind":"write",.*"canUndo":true.*"next":2,"limits"/,
        OWNER,
      ],
      [
        'GET',
        `${URL}?before=2`,
        undefined,
        200,
        /^\{"changes":\[\{"id":1,"kind":"removal",.*"paths":\["\/a"\],"count":1.*"next":null/,
        OWNER,
      ],
      ['GET', `${URL}/1/later`, undefined, 200, '{"seq":3,"isComplete":true,"count":0,"writes":[]}', OWNER],
      ['POST', URL, '{"changes":{"/a/y":5}}', 200, '{}', OWNER],
      [
        'GET',
        `${URL}/1/later`,
        undefined,
        200,
        /"seq":4,.*"count":1,"writes":\[\{"path":"\/a\/y".*"json":"5"/,
        OWNER,
      ],
      ['POST', `${URL}/1/undo`, undefined, 409, /"code":"change\/conflict","later":\{"seq":4,/, OWNER],
      ['POST', `${URL}/1/undo?confirmed=4`, undefined, 200, '{"change":3}', OWNER],
      ['GET', '/.json?ns=d', undefined, 200, '{"a":{"x":1},"b":1}'],
      ['POST', `${URL}/1/undo`, undefined, 409, /change\/final/, OWNER],
      ['DELETE', `${URL}/2`, undefined, 200, /ok/, OWNER],
      ['POST', `${URL}/2/undo`, undefined, 409, /change\/final/, OWNER],
      ['POST', `${URL}/77/undo`, undefined, 404, /change\/unknown/, OWNER],
      ['POST', `${URL}/0/undo`, undefined, 400, /id of a change/, OWNER],
      ['POST', `${URL}/1/undo?confirmed=x`, undefined, 400, /confirmed/, OWNER],
    ],
  ],
  [
    '[H572][H573] with `as`, an undo succeeds only if the rules allow it',
    [
      ['PUT', '/.settings/rules.json?ns=d', '{"rules":{"a":{".write":true}}}', 200, /ok/, OWNER],
      ['POST', URL, '{"changes":{"/a":1},"isUndoable":true}', 200, '{"change":1}', OWNER],
      ['POST', URL, '{"changes":{"/b":1},"isUndoable":true}', 200, '{"change":2}', OWNER],
      ['POST', `${URL}/2/undo?as=null`, undefined, 401, /denied/, OWNER],
      ['POST', `${URL}/1/undo?as=null`, undefined, 200, '{"change":3}', OWNER],
      ['POST', `${URL}/2/undo`, undefined, 200, '{"change":4}', OWNER],
    ],
  ],
])('%s', async (_name, rows) => {
  await expectAnswers(rows, 65_536);
  expect(rows.length).toBeGreaterThan(0);
});
