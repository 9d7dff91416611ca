import { test } from 'vitest';
import { expectAnswers, OWNER } from '../../app/exchange.fixture.ts';

const RULES = '{"rules":{".read":"auth == null",".write":"auth != null"}}';
const NO_CORS = { 'access-control-allow-origin': undefined };

test('[H302] coverage is at the addresses of the emulator, for all callers except pages of other origins', async () => {
  const html = { ...NO_CORS, 'content-type': 'text/html; charset=utf-8' };
  const json = { ...NO_CORS, 'content-type': 'application/json; charset=utf-8' };
  await expectAnswers([
    ['PUT', '/.settings/rules.json?ns=d', RULES, 200, '{"status":"ok"}', OWNER],
    ['GET', '/a.json?ns=d', undefined, 200, 'null'],
    ['PUT', '/a.json?ns=d', '1', 401, /Permission denied/],
    ['GET', '/b.json?ns=d', undefined, 200, 'null', OWNER],
    ['GET', '/.inspect/coverage?ns=d', undefined, 200, /<h1>Coverage of the rules of d</, {}, html],
    ['GET', '/.inspect/coverage?ns=d', undefined, 200, /"true: 1, false: 0">auth == null</],
    ['GET', '/.inspect/coverage.json?ns=d', undefined, 200, /"text":"auth == null","timesTrue":1,/, {}, json],
    ['GET', '/.inspect/coverage.json?ns=d', undefined, 200, /"timesTrue":0,"timesFalse":1,"timesInError":0/],
    ['HEAD', '/.inspect/coverage.json?ns=d', undefined, 200, '', {}, json],
    ['GET', '/.inspect/coverage', undefined, 200, /of the rules of fake-server</],
    ['GET', '/.inspect/coverage.json?ns=A_B', undefined, 400, /./, {}, NO_CORS],
    ['PUT', '/.inspect/coverage.json?ns=d', '1', 405, /./, {}, NO_CORS],
    ['OPTIONS', '/.inspect/coverage.json?ns=d', undefined, 405, /./, {}, NO_CORS],
  ]);
});
