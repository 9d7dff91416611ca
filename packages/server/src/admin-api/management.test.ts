import { expect, test } from 'vitest';
import {
  error,
  expectAnswers,
  OWNER,
  type RequestHeaders,
  type Row,
  toRequest,
} from '../app/exchange.fixture.ts';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';

const INSTANCES = '/v1beta/projects/p/locations/-/instances';

test.each<readonly [string, readonly Row[]]>([
  [
    '[H78] a database name can be created only once',
    [
      ['POST', `${INSTANCES}?databaseId=one&validateOnly=true`, '{}', 200, /instances\/one"/, OWNER],
      ['POST', `${INSTANCES}?databaseId=one`, '{"type":"user_database"}', 200, /instances\/one"/, OWNER],
      [
        'POST',
        `${INSTANCES}?databaseId=ONE`,
        '{}',
        409,
        error('A database with this name already exists.'),
        OWNER,
      ],
      ['POST', `${INSTANCES}?databaseId=one&validateOnly=true`, '{}', 409, /already/, OWNER],
      ['POST', `${INSTANCES}?databaseId=a_b`, '{}', 400, /database name/, OWNER],
      ['POST', INSTANCES, '{}', 400, /database name/, OWNER],
      ['GET', '/.inspect/databases.json', undefined, 200, '[{"name":"one"}]', OWNER],
      ['GET', '/.json?ns=one', undefined, 200, 'null'],
    ],
  ],
  [
    '[H80] a project of any id has a default database',
    [
      [
        'GET',
        '/v1beta1/projects/my-app',
        undefined,
        200,
        '{"projectId":"my-app","state":"ACTIVE","resources":{"realtimeDatabaseInstance":"my-app-default-rtdb"}}',
        OWNER,
      ],
    ],
  ],
])('%s', (_name, rows) => expectAnswers(rows));

async function openServer() {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  return async (method: Row[0], url: string, headers: RequestHeaders = {}) => {
    const answer = await client.send(toRequest([method, url, undefined, 0, '', { ...OWNER, ...headers }]));
    return JSON.parse(answer.body);
  };
}

test('[H78] databases are listed in pages', async () => {
  const ask = await openServer();
  for (const name of ['c', 'a', 'b']) await ask('POST', `${INSTANCES}?databaseId=${name}`);
  const names: string[] = [];
  let token = '';
  do {
    const page = await ask('GET', `${INSTANCES}?pageSize=2${token && `&pageToken=${token}`}`);
    names.push(...page.instances.map(({ name }: { name: string }) => name));
    token = page.nextPageToken ?? '';
  } while (token !== '');
  expect(names).toEqual(['a', 'b', 'c'].map((name) => `projects/p/locations/us-central1/instances/${name}`));
  expect(await ask('GET', `${INSTANCES}?pageSize=0`)).toHaveProperty('error');
});

test.each([
  ['localhost:9000', 'http://some-db.db.localhost:9000'],
  ['127.0.0.1:9321', 'http://some-db.db.localhost:9321'],
  ['[::1]:9000', 'http://some-db.db.localhost:9000'],
  ['other.db.localhost:9000', 'http://some-db.db.localhost:9000'],
  ['ns1.db.example:9000', 'http://ns1.db.example:9000/?ns=some-db'],
])('[H78][H79] when requested at %s, a database has the URL %s', async (host, databaseUrl) => {
  const ask = await openServer();
  expect(await ask('GET', '/v1beta/projects/p/locations/europe-west1/instances/some-db', { host })).toEqual({
    name: 'projects/p/locations/europe-west1/instances/some-db',
    project: 'projects/p',
    databaseUrl,
    type: 'USER_DATABASE',
    state: 'ACTIVE',
  });
  expect(await ask('GET', `${INSTANCES}/p-default-rtdb`, { host })).toMatchObject({
    type: 'DEFAULT_DATABASE',
  });
});
