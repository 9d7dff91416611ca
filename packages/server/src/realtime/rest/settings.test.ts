import { expect, test } from 'vitest';
import { error, expectAnswers, OWNER, type Row, toRequest } from '../../app/exchange.fixture.ts';
import { createMemoryServer } from '../../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../../http/loopback-client.fixture.ts';

const COMMENTED = '{\n  // All callers.\n  "rules": { ".read": true, "a": { ".indexOn": ["x", "y"] } }\n}\n';
const STRICT = '{"rules":{".read":true,"a":{".indexOn":["x","y"]}}}';
const OPEN = '{"rules":{".read":true,".write":true}}';
const LOCKED = '{"rules":{".read":false,".write":false}}';
const UNAUTHORIZED = error('Unauthorized request.');
const LIMIT = '/.settings/defaultWriteSizeLimit.json';
const VALIDATION = '/.settings/strictTriggerValidation.json';
const RULESETS = '/.settings/rulesets.json';
const TRIGGER = JSON.stringify({
  name: 'projects/p/locations/_/functions/f',
  path: '/a/{b}',
  event: 'providers/google.firebase.database/eventTypes/ref.write',
});
const LABELS = '/.settings/ruleset_labels.json';

test.each<readonly [string, readonly Row[]]>([
  [
    '[H70] format=strict returns rules without comments',
    [
      ['GET', '/.settings/rules.json?format=strict', undefined, 200, OPEN, OWNER],
      ['PUT', '/.settings/rules.json', COMMENTED, 200, '{"status":"ok"}', OWNER],
      ['GET', '/.settings/rules.json?format=strict', undefined, 200, STRICT, OWNER],
      ['GET', '/.settings/rules.json?format=export', undefined, 400, /format must be strict/, OWNER],
    ],
  ],
  [
    '[H71] a dry run checks rules without publishing them',
    [
      ['PUT', '/.settings/rules.json?dryRun=true', LOCKED, 200, '{"status":"ok"}', OWNER],
      ['PUT', '/.settings/rules.json?dryRun=true', '{"rules":1}', 400, /^\{"error":"1:10: /, OWNER],
      ['PUT', '/.settings/rules.json?dryRun=true', LOCKED, 401, UNAUTHORIZED],
      ['GET', '/.settings/rules.json?format=strict', undefined, 200, OPEN, OWNER],
    ],
  ],
  [
    '[H72] a database has a default size limit, for writes that set no limit themselves',
    [
      ['GET', LIMIT, undefined, 200, '"large"', OWNER],
      ['PUT', LIMIT, '"small"', 200, '"small"', OWNER],
      ['GET', LIMIT, undefined, 200, '"small"', OWNER],
      ['GET', `${LIMIT}?ns=other`, undefined, 200, '"large"', OWNER],
      ['PUT', LIMIT, '"tiny"', 400, /must be/, OWNER],
      ['PUT', LIMIT, 'small', 400, /couldn't parse/, OWNER],
      ['PUT', LIMIT, '', 400, error('Error: No data supplied.'), OWNER],
      ['GET', LIMIT, undefined, 200, '"small"', OWNER],
    ],
  ],
  [
    '[H73] the validation of triggers can be turned off',
    [
      ['GET', VALIDATION, undefined, 200, '{"value":true}', OWNER],
      ['PUT', VALIDATION, 'false', 200, '{"value":false}', OWNER],
      ['GET', VALIDATION, undefined, 200, '{"value":false}', OWNER],
      ['PUT', VALIDATION, '"yes"', 400, /true or false/, OWNER],
    ],
  ],
  [
    '[H74] unknown rulesets and invalid labels are rejected',
    [
      ['POST', RULESETS, '{"rules":1}', 400, /^\{"error":"1:10: /, OWNER],
      ['PUT', LABELS, '{"stable":"nothing"}', 400, error('No ruleset has this ID.'), OWNER],
      ['PUT', LABELS, '{"canary":"x"}', 400, error('No ruleset has this ID.'), OWNER],
      ['PUT', LABELS, '{"canary":5}', 400, /Labels must be an object such as/, OWNER],
      ['PUT', LABELS, '[]', 400, /Labels must be an object such as/, OWNER],
      ['GET', '/.settings/rules.json?format=strict', undefined, 200, OPEN, OWNER],
    ],
  ],
  [
    '[H77] all existing databases are listed',
    [
      ['GET', '/.inspect/databases.json?ns=any', undefined, 200, '[]', OWNER],
      ['GET', '/a.json?ns=read-only', undefined, 200, 'null'],
      ['PUT', '/a.json?ns=written', '1', 200, '1'],
      ['DELETE', '/a.json?ns=written', undefined, 200, 'null'],
      ['PUT', '/.settings/rules.json?ns=ruled', LOCKED, 200, '{"status":"ok"}', OWNER],
      ['GET', '/.inspect/databases.json', undefined, 200, '[{"name":"ruled"},{"name":"written"}]', OWNER],
    ],
  ],
  [
    '[H87][H88] only administrators can register functions, and only with a valid registration',
    [
      ['POST', '/.settings/functionTriggers.json', TRIGGER, 200, /^\{"name":"projects\/p/, OWNER],
      ['POST', '/.settings/functionTriggers.json?ns=a', TRIGGER, 401, UNAUTHORIZED],
      ['POST', '/.settings/functionTriggers.json', '{"name":"f"}', 400, /Invalid trigger name/, OWNER],
      ['POST', '/.settings/functionTriggers.json', '', 400, /No data/, OWNER],
    ],
  ],
  [
    '[H81] settings are only for administrators',
    [
      ['GET', LIMIT, undefined, 401, UNAUTHORIZED],
      ['PUT', LIMIT, '"small"', 401, UNAUTHORIZED],
      ['GET', VALIDATION, undefined, 401, UNAUTHORIZED],
      ['PUT', VALIDATION, 'false', 401, UNAUTHORIZED],
      ['POST', RULESETS, OPEN, 401, UNAUTHORIZED],
      ['PUT', LABELS, '{"stable":"x"}', 401, UNAUTHORIZED],
      ['GET', '/.settings/profile.json', undefined, 401, UNAUTHORIZED],
      ['GET', '/.inspect/databases.json', undefined, 401, UNAUTHORIZED],
      ['GET', '/v1beta/projects/p/locations/-/instances', undefined, 401, UNAUTHORIZED],
      ['GET', '/v1beta1/projects/p', undefined, 401, UNAUTHORIZED],
      ['GET', '/namespaces/fake-server/rulesets', undefined, 401, UNAUTHORIZED],
    ],
  ],
])('%s', (_name, rows) => expectAnswers(rows));

/** Starts a server. Returns a function that sends requests to it as its administrator. */
async function openOwnerClient() {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  return async (method: Row[0], url: string, body?: string) => {
    const answer = await client.send(toRequest([method, url, body, 0, '', OWNER]));
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
}

test('[H74][H76] a ruleset takes effect when it gets the label `stable`', async () => {
  const ask = await openOwnerClient();
  const { id } = (await ask('POST', RULESETS, COMMENTED)).body;
  const other = (await ask('POST', RULESETS, LOCKED)).body.id;
  expect((await ask('GET', '/namespaces/fake-server/ruleset_labels')).body).toEqual({});
  expect((await ask('GET', '/.settings/rules.json')).body).toEqual(JSON.parse(OPEN));
  const labels = { stable: id, canary: other };
  expect(await ask('PUT', LABELS, JSON.stringify(labels))).toEqual({ status: 200, body: labels });
  expect((await ask('GET', '/.settings/rules.json?format=strict')).body).toEqual(JSON.parse(STRICT));
  expect((await ask('GET', '/namespaces/fake-server/ruleset_labels')).body).toEqual(labels);
  const createdAt = '2023-11-14T22:13:20.000Z';
  expect((await ask('GET', '/namespaces/fake-server/rulesets')).body).toEqual({
    rulesets: [
      { id, createdAt, source: COMMENTED },
      { id: other, createdAt, source: LOCKED },
    ],
  });
  expect((await ask('GET', `/namespaces/FAKE-server/rulesets/${id}`)).body.source).toBe(COMMENTED);
  expect((await ask('GET', '/namespaces/fake-server/rulesets/unknown')).status).toBe(404);
  expect((await ask('GET', '/namespaces/other/rulesets')).body).toEqual({ rulesets: [] });
});
