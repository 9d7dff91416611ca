import { expect, test } from 'vitest';
import { type Method, OWNER, toRequest } from '../app/exchange.fixture.ts';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';

const RULES = '{"rules":{".read":true,".write":true}}';
const API = '/api/databases/d';
/** Longer than a body that one transaction takes. */
const LONG = JSON.stringify({ text: 'x'.repeat(2 ** 20) });

interface Entry {
  readonly event: string;
  readonly actor: string;
  readonly address: string;
  readonly result: string;
  readonly detail: string | null;
  readonly requestId: string;
  readonly count: number;
  readonly subject?: Readonly<Record<string, unknown>>;
}

async function openBed() {
  const { server, serve } = await createMemoryServer({}, 2 ** 22);
  serve();
  const client = await openLoopbackClient(server);
  const send = (method: Method, url: string, body?: string, headers = OWNER) =>
    client.send(toRequest([method, url, body, 200, '', headers]));
  const audit = async (query = ''): Promise<readonly Entry[]> => {
    const { status, body } = await send('GET', `/api/projects/demo/audit?limit=500${query}`);
    expect(status, body).toBe(200);
    return JSON.parse(body).entries;
  };
  return { send, audit };
}

type Step = readonly [method: Method, url: string, body?: string];

/** For each action, its steps and the entries that its last step adds to the audit log. */
const ACTIONS: readonly (readonly [
  string,
  readonly Step[],
  readonly (readonly [string, unknown, string?])[],
])[] = [
  [
    'a write in the console',
    [['POST', `${API}/changes`, '{"changes":{"/a/x":1,"/a/y":2},"isUndoable":true}']],
    [['data_changed', { database: 'd', path: '/a', count: 2, change: 1 }]],
  ],
  [
    'a deletion in the console',
    [
      ['PUT', '/a/x.json?ns=d', '1'],
      ['POST', `${API}/changes`, '{"changes":{"/a/x":null}}'],
    ],
    [['data_deleted', { database: 'd', path: '/a/x', count: 1 }]],
  ],
  [
    'an erasure in the console',
    [
      ['PUT', '/a.json?ns=d', '1'],
      ['POST', `${API}/changes`, '{"changes":{"/":null}}'],
    ],
    [['data_erased', { database: 'd', path: '/', count: 1 }]],
  ],
  [
    'DELETE',
    [
      ['PUT', '/a/b.json?ns=d', '1'],
      ['DELETE', '/a/b.json?ns=d'],
    ],
    [['data_deleted', { database: 'd', path: '/a/b', count: 1 }]],
  ],
  [
    'a PUT of null',
    [
      ['PUT', '/a/b.json?ns=d', '1'],
      ['PUT', '/a/b.json?ns=d', 'null'],
    ],
    [['data_deleted', { database: 'd', path: '/a/b', count: 1 }]],
  ],
  [
    'a PATCH of nulls',
    [
      ['PUT', '/a.json?ns=d', '{"b":1,"c":2,"d":3}'],
      ['PATCH', '/a.json?ns=d', '{"b":null,"c":null}'],
    ],
    [['data_deleted', { database: 'd', path: '/a', count: 2 }]],
  ],
  [
    'a PUT of all data',
    [['PUT', '/.json?ns=d', '{"a":1}']],
    [['data_imported', { database: 'd', path: '/', count: 1, bytes: 7 }, 'replace']],
  ],
  [
    'a long PUT',
    [['PUT', '/a.json?ns=d', LONG]],
    [['data_imported', { database: 'd', path: '/a', bytes: LONG.length }, 'replace']],
  ],
  [
    'a long PATCH',
    [['PATCH', '/a.json?ns=d', LONG]],
    [['data_imported', { database: 'd', path: '/a/text', count: 1, bytes: LONG.length }, 'merge']],
  ],
  [
    'an import that replaces',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"replace","isUndoable":true}'],
      ['PATCH', `${API}/imports/import-01?offset=0&final=true`, '{"b":1}'],
    ],
    [['data_imported', { database: 'd', path: '/a', bytes: 7, change: 1 }, 'replace']],
  ],
  [
    'an import that merges and is finished twice',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"merge"}'],
      ['PATCH', `${API}/imports/import-01?offset=0`, '{"b":1,"c":2}'],
      ['POST', `${API}/imports/import-01/finish`],
      ['POST', `${API}/imports/import-01/finish`],
    ],
    [['data_imported', { database: 'd', path: '/a', bytes: 13, count: 2 }, 'merge']],
  ],
  [
    'a merge that fails after a part',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"merge"}'],
      ['PATCH', `${API}/imports/import-01?offset=0&final=true`, '{"b":1,"c":2,'],
    ],
    [['data_imported', { database: 'd', path: '/a', bytes: 13, count: 2 }, 'failed']],
  ],
  [
    'a merge that is canceled after a part',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"merge"}'],
      ['PATCH', `${API}/imports/import-01?offset=0`, '{"b":1,"c":2,"d":'],
      ['DELETE', `${API}/imports/import-01`],
    ],
    [['data_imported', { database: 'd', path: '/a', bytes: 17, count: 2 }, 'canceled']],
  ],
  [
    'an export',
    [
      ['PATCH', '/a.json?ns=d', '{"b":1}'],
      ['GET', '/a.json?ns=d&format=export'],
    ],
    [['data_exported', { database: 'd', path: '/a', bytes: 7 }]],
  ],
  [
    'a download',
    [
      ['PATCH', '/a.json?ns=d', '{"b":1}'],
      ['GET', '/a.json?ns=d&download=a.json'],
    ],
    [['data_exported', { database: 'd', path: '/a', bytes: 7 }]],
  ],
  [
    'a read of all data',
    [['GET', '/.json?ns=d']],
    [['data_exported', { database: 'd', path: '/', bytes: 4 }]],
  ],
  [
    'an undo',
    [
      ['POST', `${API}/changes`, '{"changes":{"/a":1},"isUndoable":true}'],
      ['POST', `${API}/changes/1/undo`],
    ],
    [
      ['change_undone', { database: 'd', change: 2, ofChange: 1 }],
      ['data_changed', { database: 'd', path: '/a', count: 1, change: 1 }],
    ],
  ],
  [
    'a forgotten change',
    [
      ['POST', `${API}/changes`, '{"changes":{"/a":1},"isUndoable":true}'],
      ['DELETE', `${API}/changes/1`],
    ],
    [
      ['change_forgotten', { database: 'd', ofChange: 1 }],
      ['data_changed', { database: 'd', path: '/a', count: 1, change: 1 }],
    ],
  ],
  [
    'published rules',
    [['POST', `${API}/rules/publish`, JSON.stringify({ source: RULES })]],
    [['rules_published', { database: 'd', rulesVersion: 1 }]],
  ],
  [
    'rules of the official tools',
    [['PUT', '/.settings/rules.json?ns=d', RULES]],
    [['rules_published', { database: 'd', rulesVersion: 1 }]],
  ],
  [
    'a rollback',
    [
      ['PUT', '/.settings/rules.json?ns=d', RULES],
      ['PUT', '/.settings/rules.json?ns=d', '{"rules":{}}'],
      ['POST', `${API}/rules/rollback`, '{"to":1}'],
    ],
    [
      ['rules_rolled_back', { database: 'd', rulesVersion: 3, ofRulesVersion: 1 }],
      ['rules_published', { database: 'd', rulesVersion: 2 }],
      ['rules_published', { database: 'd', rulesVersion: 1 }],
    ],
  ],
  [
    'the size limit of writes',
    [['PUT', '/.settings/defaultWriteSizeLimit.json?ns=d', '"small"']],
    [['database_settings_changed', { database: 'd' }, 'defaultWriteSizeLimit']],
  ],
  [
    'the validation of triggers',
    [['PUT', '/.settings/strictTriggerValidation.json?ns=d', 'true']],
    [['database_settings_changed', { database: 'd' }, 'strictTriggerValidation']],
  ],
  [
    'the settings of recording',
    [['PUT', `${API}/rules/recording`, '{"isOn":false}']],
    [['database_settings_changed', { database: 'd' }, 'recording']],
  ],
  [
    'the settings of the denial log',
    [['PUT', `${API}/denials/settings`, '{"isOn":false}']],
    [['database_settings_changed', { database: 'd' }, 'denials']],
  ],
];

test.each(ACTIONS)(
  '[I1560][I1561][I1562] %s is recorded with what it concerns',
  async (_name, steps, entries) => {
    const { send, audit } = await openBed();
    for (const [method, url, body] of steps) await send(method, url, body);
    const found = await audit();
    expect(found.map(({ event, subject, detail }) => [event, subject, detail])).toEqual(
      entries.map(([event, subject, detail]) => [event, subject, detail ?? null]),
    );
    for (const { actor, address, result } of found)
      expect([actor, address, result]).toEqual(['owner', '127.0.0.1', 'ok']);
  },
);

test.each<readonly [string, readonly Step[]]>([
  ['a small write over REST', [['PUT', '/a.json?ns=d', '1']]],
  ['a push', [['POST', '/a.json?ns=d', '1']]],
  ['a read', [['GET', '/a.json?ns=d']]],
  ['a query of all data', [['GET', '/.json?ns=d&orderBy="$key"&limitToFirst=1']]],
  ['keys', [['GET', '/.json?ns=d&shallow=true']]],
  ['a deletion of nothing', [['DELETE', '/a.json?ns=d']]],
  ['a write of nothing', [['POST', `${API}/changes`, '{"changes":{"/a":null}}']]],
  ['rejected rules', [['POST', `${API}/rules/publish`, '{"source":"{"}']]],
  ['a check of rules', [['PUT', '/.settings/rules.json?ns=d&dryRun=true', RULES]]],
  [
    'a comparison',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"compare"}'],
      ['PATCH', `${API}/imports/import-01?offset=0&final=true`, '{"b":1}'],
    ],
  ],
  [
    'a canceled replacement',
    [
      ['PUT', `${API}/imports/import-01`, '{"path":"/a","mode":"replace"}'],
      ['PATCH', `${API}/imports/import-01?offset=0`, '{"b":1,"c":'],
      ['DELETE', `${API}/imports/import-01`],
    ],
  ],
])('[I1562] %s is not recorded', async (_name, steps) => {
  const { send, audit } = await openBed();
  for (const [method, url, body] of steps) await send(method, url, body);
  expect(await audit()).toEqual([]);
});

test('[I1560] actions of a caller without an administrator’s credential are not recorded', async () => {
  const { send, audit } = await openBed();
  await send('PUT', '/.json?ns=d', '{"a":1}', {});
  await send('GET', '/.json?ns=d&format=export', undefined, {});
  expect((await send('DELETE', '/a.json?ns=d', undefined, {})).status).toBe(200);
  expect(await audit()).toEqual([]);
});

test('[I1564] a search selects events, a database and a series', async () => {
  const { send, audit } = await openBed();
  await send('PUT', '/.json?ns=d', '{"a":1}');
  await send('DELETE', '/a.json?ns=d');
  await send('PUT', '/.json?ns=e', '{"a":1}');
  const events = async (query: string) => (await audit(query)).map(({ event }) => event);
  expect(await events('&event=data_deleted')).toEqual(['data_deleted']);
  expect(await events('&event=data_deleted,data_imported')).toEqual([
    'data_imported',
    'data_deleted',
    'data_imported',
  ]);
  expect(await events('&database=e')).toEqual(['data_imported']);
  expect(await events('&series=administration&database=d')).toEqual(['data_deleted', 'data_imported']);
  expect(await events('&series=users')).toEqual([]);
  expect((await send('GET', '/api/projects/demo/audit?series=all')).status).toBe(400);
  const names = Array.from({ length: 201 }, (_, index) => `e${index}`).join(',');
  expect((await send('GET', `/api/projects/demo/audit?event=${names}`)).status).toBe(400);
});

test('[I644] a data request in the audit log has its request ID in the response', async () => {
  const { send, audit } = await openBed();
  const put = await send('PUT', '/.json?ns=d', '{"a":1}');
  const exported = await send('GET', '/.json?ns=d');
  expect((await audit()).map(({ requestId }) => requestId)).toEqual([
    exported.headers['x-request-id'],
    put.headers['x-request-id'],
  ]);
  expect((await send('GET', '/a.json?ns=d')).headers['x-request-id']).toBeUndefined();
});
