import { expect, test } from 'vitest';
import { error, OWNER, type Row, UNAUTHORIZED } from '../app/exchange.fixture.ts';
import { readRequest, roomRules, writeRequest } from '../rules/denials/authorization-request.fixture.ts';
import { expectAnswersAfter, type RuleDecision } from './denials-test-bed.fixture.ts';

const DENIALS = '/api/databases/d/denials';
const RULES = '/api/databases/d/rules';
const SOURCE = roomRules({ '.read': "data.child('owner').val() == auth.uid", '.write': 'auth != null' });
const DATA = '{"rooms":{"r1":{"owner":"alice"}}}';

const DECISIONS: readonly RuleDecision[] = [
  { request: readRequest(SOURCE, '/rooms/r1', DATA), isAllowed: false },
  { request: writeRequest(SOURCE, { '/rooms/r2/title': '"x"' }, DATA, null), isAllowed: false },
  { request: writeRequest(SOURCE, { '/rooms/r1/title': '"x"' }, DATA), isAllowed: true },
];

function json(value: unknown): string {
  return JSON.stringify(value);
}

const SETTINGS = { isOn: true, keep: 10_000, days: 7, keepValues: false };

test.each<readonly [string, readonly Row[]]>([
  [
    '[H260] denials are listed without their traces, most recent first',
    [
      [
        'GET',
        DENIALS,
        undefined,
        200,
        /^\{"denials":\[\{.*"operation":"put".*"operation":"get".*\],"sampledOut":0\}$/,
        OWNER,
      ],
      [
        'GET',
        `${DENIALS}?limit=1`,
        undefined,
        200,
        /^\{"denials":\[\{[^[]*"paths":\["\/rooms\/r2\/title"\],"pathCount":1,"identity":\{"kind":"guest"\},[^[]*"rule":\{"kind":"write","location":"\/rooms\/\$id",[^[]*"text":"auth != null","holds":false\},"reason":\{"condition":"auth != null","outcome":"false","error":null,"values":\[[^[]*\]\},"hasValues":false\}\],"sampledOut":0\}$/,
        OWNER,
      ],
      [
        'GET',
        `${DENIALS}?before=2`,
        undefined,
        200,
        /^\{"denials":\[\{[^[]*"paths":\["\/rooms\/r1"\][^[]*"values":\[[^[]*\],"sampledOut":0\}$/,
        OWNER,
      ],
      [
        'GET',
        `${DENIALS}?path=rooms/r2/`,
        undefined,
        200,
        /^\{"denials":\[\{[^[]*\["\/rooms\/r2\/title"\][^[]*"values":\[/,
        OWNER,
      ],
      ['GET', `${DENIALS}?rule=/rooms`, undefined, 200, '{"denials":[],"sampledOut":0}', OWNER],
      ['GET', '/api/databases/other/denials', undefined, 200, '{"denials":[],"sampledOut":0}', OWNER],
    ],
  ],
  [
    '[H640] denials are counted by rule or by user, with the filters of the list',
    [
      [
        'GET',
        `${DENIALS}/groups`,
        undefined,
        200,
        /^\{"groups":\[\{"count":1,.*"rules":\[\{"rule":\{"kind":"write","location":"\/rooms\/\$id"\},"count":1\}\],"ruleCount":1,"users":\[\{"user":null,"count":1\}\],.*"kind":"read".*\],"otherCount":0,"sinceMs":1699913600000,"untilMs":1700000000000,"isComplete":true\}$/,
        OWNER,
      ],
      [
        'GET',
        `${DENIALS}/groups?by=user&uid=u1`,
        undefined,
        200,
        /^\{"groups":\[\{"count":1,[^{]*"rules":\[\{"rule":\{"kind":"read"/,
        OWNER,
      ],
      ['GET', `${DENIALS}/groups?uid=nobody`, undefined, 200, /^\{"groups":\[\],"otherCount":0,/, OWNER],
      [
        'GET',
        `${DENIALS}/groups?path=/rooms/r1&period=1000`,
        undefined,
        200,
        /"sinceMs":1699999999000,/,
        OWNER,
      ],
      ['GET', `${DENIALS}/groups?by=path`, undefined, 400, /must be one of rule, user/, OWNER],
      ['GET', `${DENIALS}/groups?period=0`, undefined, 400, /number of milliseconds/, OWNER],
      ['GET', `${DENIALS}/groups?limit=1`, undefined, 400, /limit/, OWNER],
      ['GET', `${DENIALS}/groups`, undefined, 401, UNAUTHORIZED],
      [
        'GET',
        `${DENIALS}?uid=u1`,
        undefined,
        200,
        /^\{"denials":\[\{"timeMs[^[]*"paths":\["\/rooms\/r1"\]/,
        OWNER,
      ],
      [
        'GET',
        `${DENIALS}?uid=`,
        undefined,
        200,
        /^\{"denials":\[\{"timeMs[^[]*"paths":\["\/rooms\/r2\/title"\]/,
        OWNER,
      ],
    ],
  ],
  [
    '[H261] a denial is returned with the trace of its rules, without data values',
    [
      [
        'GET',
        `${DENIALS}/1`,
        undefined,
        200,
        /"deciding":0,"rules":\[\{"kind":"read".*"value":\{"kind":"redacted","of":"string","length":5\}.*"values":null,"id":1\}$/,
        OWNER,
      ],
      ['GET', `${DENIALS}/3`, undefined, 404, /The denial is not in the log/, OWNER],
      ['GET', `${DENIALS}/x`, undefined, 400, /the id of a denial/, OWNER],
    ],
  ],
  [
    '[H334] an unsupported method gets 405, and an unknown address 404',
    [
      [
        'DELETE',
        `${DENIALS}/1`,
        undefined,
        405,
        error('This URL supports GET, not DELETE.', 'http/method'),
        OWNER,
      ],
      [
        'POST',
        `${DENIALS}/settings`,
        '{}',
        405,
        error('This URL supports GET, PUT, not POST.', 'http/method'),
        OWNER,
      ],
      [
        'GET',
        `${RULES}/replay`,
        undefined,
        405,
        error('This URL supports POST, not GET.', 'http/method'),
        OWNER,
      ],
      ['OPTIONS', DENIALS, undefined, 405, /This URL supports GET, not OPTIONS/, OWNER],
      ['DELETE', '/api/databases/d/nothing', undefined, 404, /./, OWNER],
    ],
  ],
  [
    '[H262] a denial is evaluated again; other rules need its stored values',
    [
      [
        'POST',
        `${DENIALS}/1/evaluate`,
        '{}',
        200,
        /^\{"isAllowed":false,"rules":\[.*"basis":"outcomes","missing":\[\]\}$/,
        OWNER,
      ],
      ['POST', `${DENIALS}/1/evaluate`, json({ source: SOURCE }), 409, /Set keepValues/, OWNER],
      ['POST', `${DENIALS}/1/evaluate`, json({ source: '{}' }), 400, /Expected 'rules' property/, OWNER],
      ['POST', `${DENIALS}/3/evaluate`, '{}', 404, /The denial is not in the log/, OWNER],
    ],
  ],
  [
    '[H950] for a denial, the response proposes a change of the rules with its effect, or says why there is no proposal',
    [
      [
        'POST',
        `${DENIALS}/1/proposal`,
        json({ source: '{"rules":{"rooms":{}}}' }),
        200,
        json({ kind: 'none', reason: 'unlinked' }),
        OWNER,
      ],
      [
        'POST',
        `${DENIALS}/1/proposal`,
        json({ source: '{"rules":{".read":true}}' }),
        200,
        json({ kind: 'none', reason: 'allowed' }),
        OWNER,
      ],
      [
        'POST',
        `${DENIALS}/2/proposal`,
        json({ source: SOURCE }),
        200,
        json({ kind: 'none', reason: 'guest' }),
        OWNER,
      ],
      ['POST', `${DENIALS}/1/proposal`, json({ source: '{}' }), 400, /Expected 'rules' property/, OWNER],
      ['POST', `${DENIALS}/9/proposal`, json({ source: SOURCE }), 404, /The denial is not in the log/, OWNER],
      ['POST', `${DENIALS}/1/proposal`, json({ source: SOURCE }), 401, UNAUTHORIZED],
    ],
  ],
  [
    '[H263] the denial log of a database has settings',
    [
      ['GET', `${DENIALS}/settings`, undefined, 200, json(SETTINGS), OWNER],
      [
        'PUT',
        `${DENIALS}/settings`,
        '{"keep":1,"keepValues":true}',
        200,
        json({ ...SETTINGS, keep: 1, keepValues: true }),
        OWNER,
      ],
      ['GET', `${DENIALS}/settings`, undefined, 200, json({ ...SETTINGS, keep: 1, keepValues: true }), OWNER],
      [
        'GET',
        DENIALS,
        undefined,
        200,
        /^\{"denials":\[\{[^[]*\["\/rooms\/r2\/title"\][^[]*"values":\[/,
        OWNER,
      ],
      ['PUT', `${DENIALS}/settings`, '{"keep":0}', 400, /from 1 to 100000/, OWNER],
      ['PUT', `${DENIALS}/settings`, '{"size":0}', 400, /no fields other than/, OWNER],
    ],
  ],
  [
    '[H264] draft rules are replayed on recorded operations',
    [
      [
        'POST',
        `${RULES}/replay`,
        json({ source: '{"rules":{".write":true}}' }),
        200,
        /^\{"operations":3,"notRecorded":0,"sampledOut":0,"allowedToDenied":\[\],"deniedToAllowed":\[\{"rule":\{"kind":"write","location":"\/","text":"true"\},"count":1,"examples":\[\{"as":null,"write":"\/rooms\/r2\/title","value":"x","now":[0-9]+,"expect":"deny"\}\]\}\]\}$/,
        OWNER,
      ],
      ['POST', `${RULES}/replay`, json({ source: '{}' }), 400, /Expected 'rules' property/, OWNER],
      ['POST', `${RULES}/replay`, '{}', 400, /must be a string/, OWNER],
    ],
  ],
  [
    '[H265] recording can be turned on and off, and can record a share of the operations',
    [
      ['GET', `${RULES}/recording`, undefined, 200, '{"isOn":true,"share":1}', OWNER],
      ['PUT', `${RULES}/recording`, '{"share":0.5}', 200, '{"isOn":true,"share":0.5}', OWNER],
      ['PUT', `${RULES}/recording`, '{"isOn":false}', 200, '{"isOn":false,"share":0.5}', OWNER],
      ['GET', `${RULES}/recording`, undefined, 200, '{"isOn":false,"share":0.5}', OWNER],
      ['POST', `${RULES}/replay`, json({ source: SOURCE }), 200, /^\{"operations":0,/, OWNER],
      ['PUT', `${RULES}/recording`, '{"share":2}', 400, /from 0 to 1/, OWNER],
    ],
  ],
  [
    '[H266] denials and recordings are only for administrators, and unknown parameters are rejected',
    [
      ['GET', DENIALS, undefined, 401, UNAUTHORIZED],
      ['GET', `${DENIALS}/1`, undefined, 401, UNAUTHORIZED],
      ['POST', `${DENIALS}/1/evaluate`, '{}', 401, UNAUTHORIZED],
      ['GET', `${DENIALS}/settings`, undefined, 401, UNAUTHORIZED],
      ['PUT', `${DENIALS}/settings`, '{}', 401, UNAUTHORIZED],
      ['POST', `${RULES}/replay`, json({ source: SOURCE }), 401, UNAUTHORIZED],
      ['GET', `${RULES}/recording`, undefined, 401, UNAUTHORIZED],
      ['PUT', `${RULES}/recording`, '{}', 401, UNAUTHORIZED],
      ['GET', `${DENIALS}?since=1`, undefined, 400, /before, limit, path, rule/, OWNER],
      ['GET', `${DENIALS}?limit=201`, undefined, 400, /from 1 to 200/, OWNER],
      ['GET', `${DENIALS}?before=0`, undefined, 400, /the id of a denial/, OWNER],
      ['GET', `${DENIALS}?path=a.b`, undefined, 400, /Invalid path/, OWNER],
      ['GET', '/api/databases/a_b/denials', undefined, 400, /A database name/, OWNER],
    ],
  ],
])('%s', async (_name, rows) => {
  await expectAnswersAfter(DECISIONS, rows);
  expect(rows.length).toBeGreaterThan(0);
});

test('[H950] a proposal extends the rules, and counts what else it would have allowed', async () => {
  const denied = (data: string, uid: string): RuleDecision => ({
    request: readRequest(SOURCE, '/rooms/r1', data, { uid }),
    isAllowed: false,
  });
  const write = writeRequest(SOURCE, { '/rooms/r1/title': '"x"' }, '{"rooms":{"r1":{"editor":"u1"}}}');
  const rows: readonly Row[] = [
    [
      'POST',
      `${DENIALS}/1/proposal`,
      json({ source: '{"rules":{"rooms":{"$id":{".read":false}}}}' }),
      200,
      /^\{"kind":"draft","source":"\{.*\.read.*data\.child\('editor'\)\.val\(\) === auth\.uid.*","changes":\[\{"kind":"read","location":"\/rooms\/\$id","condition":"data\.child\('editor'\)\.val\(\) === auth\.uid"\}\],"isValueKnown":true,"effect":\{"report":\{"operations":3,.*"ofUser":1,"ofOthers":0\}\}$/,
      OWNER,
    ],
  ];
  const data = '{"rooms":{"r1":{"editor":"u1"}}}';
  await expectAnswersAfter(
    [denied(data, 'u1'), denied(data, 'u2'), { request: write, isAllowed: true }],
    rows,
  );
  expect(rows).toHaveLength(1);
});
