import { test } from 'vitest';
import { expectAnswers, OWNER } from '../app/exchange.fixture.ts';

const EMPTY = '"user":null,"projects":[{"id":"demo","role":"owner"}],"next":null}';

test('[H402] in development mode every caller owns all projects', async () => {
  const url = '/api/session';
  const start = '{"mode":"development","version":"0.0.0",';
  await expectAnswers([
    ['GET', url, undefined, 200, `${start}${EMPTY}`, OWNER],
    ['GET', url, undefined, 200, `${start}${EMPTY}`, { authorization: 'Bearer anything' }],
    ['POST', '/api/projects', '{"id":"club"}', 200, /"apiKey"/, OWNER],
    ['GET', url, undefined, 200, /"projects":\[\{"id":"demo","role":"owner"\},\{"id":"club",/, OWNER],
    ['PUT', '/a.json?ns=other', '1', 200, '1'],
    ['GET', '/api/projects/club/databases', undefined, 200, /\{"name":"other"\}/, OWNER],
    ['GET', '/api/projects/club/members', undefined, 200, '{"members":[]}', OWNER],
    ['GET', '/api/projects/demo/sign-in', undefined, 404, /project\/unknown/],
    ['GET', '/api/projects/club/sign-in', undefined, 200, /"projectId":"club"/],
  ]);
});
