import { expect, test } from 'vitest';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';
import { error, expectAnswers, LOCAL, type Method, OWNER, type Row } from './exchange.fixture.ts';
import { createMemoryServer, MAX_BODY_BYTES, NOW_MS } from './memory-server.fixture.ts';

const INVALID_PATH = error('Invalid path: Invalid token in path');
const INVALID_DATA = error("Invalid data; couldn't parse JSON object, array, or value.");
const INVALID_OBJECT = error(
  "Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key names?",
);
const INVALID_NAME = error('A database name has 1 to 63 lowercase letters, digits and hyphens.');
const NO_DATA = error('Error: No data supplied.');
const LOCKED = '{"rules":{".read":false,".write":false}}';

test.each<readonly [string, readonly Row[]]>([
  [
    '[H1][H2][H3] ns names the database, or else the host; a request that names none uses the default database',
    [
      ['PUT', '/a.json?ns=one', '1', 200, '1'],
      ['PUT', '/a.json', '2', 200, '2'],
      ['GET', '/a.json?ns=ONE', undefined, 200, '1'],
      ['GET', '/a.json?ns=fake-server', undefined, 200, '2'],
      ['GET', '/a.json?ns=', undefined, 200, '2'],
      ['PUT', '/a.json', '3', 200, '3', { host: 'ns1.db.example' }],
      ['GET', '/a.json?ns=ns1', undefined, 200, '3'],
      ['GET', '/a.json?ns=one', undefined, 200, '1', { host: 'ns1.db.example' }],
      ['GET', '/a.json', undefined, 200, '2', { host: '127.0.0.1:9000' }],
    ],
  ],
  [
    '[H4] invalid database names are rejected',
    [
      ['GET', '/a.json?ns=a_b', undefined, 400, INVALID_NAME],
      ['GET', '/a.json?ns=a/b', undefined, 400, INVALID_NAME],
      ['GET', `/a.json?ns=${'a'.repeat(64)}`, undefined, 400, INVALID_NAME],
      ['GET', `/a.json?ns=${'a'.repeat(63)}`, undefined, 200, 'null'],
    ],
  ],
  [
    '[H5] each segment of a path is decoded separately',
    [
      ['PUT', '/rooms/my%20room/%C3%A9.json', '1', 200, '1'],
      ['GET', '//rooms///my%20room/.json', undefined, 200, '{"é":1}'],
      ['GET', '/.json', undefined, 200, '{"rooms":{"my room":{"é":1}}}'],
      ['PUT', '/a.json', '1', 200, '1'],
      ['GET', '/a/b.json', undefined, 200, 'null'],
    ],
  ],
  [
    '[H6] invalid segments are rejected',
    [
      ['GET', '/a%2Fb.json', undefined, 400, INVALID_PATH],
      ['GET', '/a.b.json', undefined, 400, INVALID_PATH],
      ['GET', '/a%23.json', undefined, 400, INVALID_PATH],
      ['PUT', '/%00.json', '1', 400, INVALID_PATH],
      ['PUT', '/.foo/a.json', '1', 400, INVALID_PATH],
      ['PUT', '/.rest.json', '1', 400, INVALID_PATH],
      ['GET', '/%zz.json', undefined, 400, /percent-encoded/],
      ['GET', '/%ff.json', undefined, 400, /percent-encoded/],
      ['GET', `${'/a'.repeat(33)}.json`, undefined, 400, /32 levels/],
    ],
  ],
  [
    "[H7] a node's priority can be read and written",
    [
      ['PUT', '/a.json', '{"x":1}', 200, '{"x":1}'],
      ['GET', '/a/.priority.json', undefined, 200, 'null'],
      ['PUT', '/a/.priority.json', '"high"', 200, '"high"'],
      ['GET', '/a/.priority.json', undefined, 200, '"high"'],
      ['GET', '/a.json', undefined, 200, '{"x":1}'],
      ['DELETE', '/a/.priority.json', undefined, 200, 'null'],
      ['GET', '/a/.priority.json', undefined, 200, 'null'],
      ['PUT', '/a/.priority.json', '{".sv":"timestamp"}', 200, String(NOW_MS)],
      ['PUT', '/a/.priority.json', 'true', 400, /priority/],
      ['PUT', '/none/.priority.json', '3', 200, '3'],
      ['GET', '/none/.priority.json', undefined, 200, 'null'],
      ['PATCH', '/a/.priority.json', '{"b":1}', 400, INVALID_PATH],
      ['POST', '/a/.priority.json', '1', 400, INVALID_PATH],
      ['GET', '/.priority/a.json', undefined, 400, INVALID_PATH],
    ],
  ],
  [
    '[H8] .info is not served',
    [
      ['GET', '/.info/connected.json', undefined, 400, /\.info/],
      ['PUT', '/.info.json', '1', 400, /\.info/],
      ['PATCH', '/.json', '{".info/a":1}', 400, /\.info/],
    ],
  ],
  [
    '[H9] other addresses get 404, or 405 for methods other than GET and HEAD',
    [
      ['GET', '/none', undefined, 404, /<!doctype html>/],
      ['HEAD', '/a', undefined, 404, ''],
      ['GET', '/.rest', undefined, 404, /<!doctype html>/],
      ['GET', '/a%zz', undefined, 400, /malformed/],
      ['PUT', '/a', '1', 405, 'append .json to your request URI to use the REST API.\n'],
      ['POST', '/', undefined, 405, /append/],
      ['OPTIONS', '/', undefined, 405, /append/],
    ],
  ],
  [
    '[H680] the root leads to the console',
    [
      ['GET', '/', undefined, 302, '', {}, { location: '/console/' }],
      ['GET', '/?ns=a-default-rtdb', undefined, 302, '', {}, { location: '/console/' }],
      ['HEAD', '/', undefined, 302, '', {}, { location: '/console/' }],
      ['GET', '//', undefined, 404, /<!doctype html>/],
    ],
  ],
  [
    '[H320] unknown addresses of the admin API are answered 404 in JSON',
    [
      ['GET', '/api/nope', undefined, 404, error('404 Not Found', 'http/not-found')],
      ['GET', '/api?x=1', undefined, 404, error('404 Not Found', 'http/not-found'), OWNER],
      ['POST', '/api/databases/d/nope', '{}', 404, error('404 Not Found', 'http/not-found'), OWNER],
      ['DELETE', '/api/', undefined, 404, error('404 Not Found', 'http/not-found'), OWNER],
      ['HEAD', '/api/nope', undefined, 404, '', {}, { 'content-type': 'application/json; charset=utf-8' }],
      ['GET', '/apis', undefined, 404, /<!doctype html>/],
    ],
  ],
  [
    '[H10] unknown or invalid query parameters are rejected',
    [
      ['GET', '/a.json?_=1', undefined, 400, /Unknown query parameter ."_.": use ns, auth, /],
      ['PUT', '/a.json?shallow=true', '1', 400, /shallow does not apply/],
      ['GET', '/a.json?writeSizeLimit=tiny', undefined, 400, /writeSizeLimit does not apply/],
      ['PUT', '/a.json?dryRun=true', '1', 400, /dryRun does not apply/],
      ['GET', '/a.json?ns=x&auth=owner&print=pretty&ac=t', undefined, 200, 'null\n'],
    ],
  ],
  [
    '[H12] unknown paths below `.settings` and `.inspect` do not exist',
    [
      ['GET', '/.settings/other.json', undefined, 404, error('404 Not Found'), OWNER],
      ['GET', '/.inspect/other.json', undefined, 404, error('404 Not Found'), OWNER],
    ],
  ],
  [
    '[H13][H14] GET returns the value at a path or null, and HEAD returns no body',
    [
      ['GET', '/none.json', undefined, 200, 'null'],
      ['PUT', '/a.json', '{"list":{"0":"x","1":"y"},".priority":1}', 200, '{"list":["x","y"]}'],
      ['GET', '/a.json', undefined, 200, '{"list":["x","y"]}'],
      ['HEAD', '/a.json', undefined, 200, ''],
    ],
  ],
  [
    '[H15] PUT returns the written value',
    [
      ['PUT', '/n.json', '5', 200, '5'],
      ['PUT', '/n.json', '5', 200, '5'],
      ['PUT', '/n.json', '{".sv":{"increment":2}}', 200, '7'],
      ['PUT', '/n.json', '{".sv":{"increment":0}}', 200, '7'],
      ['PUT', '/t.json', '{"at":{".sv":"timestamp"},"b":null}', 200, `{"at":${NOW_MS}}`],
      ['PUT', '/v.json', '{".value":"x",".priority":2}', 200, '"x"'],
      ['GET', '/.json', undefined, 200, `{"n":7,"t":{"at":${NOW_MS}},"v":"x"}`],
    ],
  ],
  [
    '[H15] PUT returns the written value, unchanged or not, even to a caller who may not read it',
    [
      ['PUT', '/n.json', '7', 200, '7'],
      ['PUT', '/.settings/rules.json', '{"rules":{".write":true}}', 200, /ok/, OWNER],
      ['PUT', '/n.json', '{".sv":{"increment":0}}', 200, '7'],
      ['GET', '/n.json', undefined, 401, error('Permission denied')],
    ],
  ],
  [
    '[H17] PATCH replaces the value at each path',
    [
      ['PUT', '/u.json', '{"a":{"x":1,"y":2},"b":3,"c":4}', 200, /.*/],
      ['PATCH', '/u.json', ' {"a/x":10, "b":null} ', 200, '{"a/x":10, "b":null}'],
      ['GET', '/u.json', undefined, 200, '{"a":{"x":10,"y":2},"c":4}'],
      ['PATCH', '/u.json', '{}', 200, '{}'],
      ['PATCH', '/u.json', '{"c":5,"a":1,"a/x":2}', 400, /ancestor/],
      ['GET', '/u/c.json', undefined, 200, '4'],
      ['PATCH', '/u.json', '{".priority":3}', 200, '{".priority":3}'],
      ['GET', '/u/.priority.json', undefined, 200, '3'],
    ],
  ],
  [
    '[H18][H19] a node is deleted by DELETE or by writing null',
    [
      ['PUT', '/.json', '{"a":1,"b":2,"c":3,"d":4}', 200, /.*/],
      ['PATCH', '/a.json', 'null', 200, 'null'],
      ['PUT', '/b.json', 'null', 200, 'null'],
      ['DELETE', '/c.json', undefined, 200, 'null'],
      ['DELETE', '/c.json', undefined, 200, 'null'],
      ['GET', '/.json', undefined, 200, '{"d":4}'],
    ],
  ],
  [
    '[H20] a POST can override its method',
    [
      ['POST', '/a.json', '1', 200, '1', { 'x-http-method-override': 'PUT' }],
      ['POST', '/a.json', '{"b":1}', 200, '{"b":1}', { 'x-http-method-override': 'patch' }],
      ['POST', '/a.json', undefined, 200, '{"b":1}', { 'x-http-method-override': 'GET' }],
      ['POST', '/list.json', '1', 200, /"name"/, { 'x-http-method-override': 'POST' }],
      ['POST', '/a.json', undefined, 200, 'null', { 'x-http-method-override': 'DELETE' }],
      [
        'POST',
        '/a.json',
        '1',
        400,
        /overridden with PUT, PATCH, POST, DELETE, GET/,
        { 'x-http-method-override': 'TRACE' },
      ],
      ['GET', '/a.json', undefined, 200, 'null', { 'x-http-method-override': 'DELETE' }],
    ],
  ],
  [
    '[H22] bodies are JSON in export format',
    [
      ['PUT', '/a.json', '\ufeff[1,null,2]', 200, '[1,null,2]', { 'content-type': 'text/html' }],
      ['PUT', '/a.json', '{"b":1}', 200, '{"b":1}', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['PUT', '/a.json', '{"b":1}', 200, '{"b":1}', { 'content-type': 'nonsense' }],
    ],
  ],
  [
    '[H23] invalid bodies are rejected',
    [
      ['PUT', '/a.json', undefined, 400, NO_DATA],
      ['PUT', '/a.json', ' \n', 400, NO_DATA],
      ['POST', '/a.json', '', 400, NO_DATA],
      ['PATCH', '/a.json', '', 400, NO_DATA],
      ['PUT', '/a.json', '{a:1}', 400, INVALID_DATA],
      ['PUT', '/a.json', '1 2', 400, INVALID_DATA],
      ['POST', '/a.json', '{"a.b":1}', 400, INVALID_DATA],
      ['PUT', '/a.json', Buffer.from([0x22, 0xff, 0x22]), 400, INVALID_DATA],
      ['PUT', '/a.json', '{".sv":"now"}', 400, /server value/],
      ['PUT', '/a.json', '{"__proto__":{"x":1},"constructor":2}', 200, /constructor/],
      ['PATCH', '/a.json', '[1]', 400, INVALID_OBJECT],
      ['PATCH', '/a.json', '"x"', 400, INVALID_OBJECT],
      ['PATCH', '/a.json', '{a:1}', 400, INVALID_OBJECT],
      ['PATCH', '/a.json', '{"a.b":1}', 400, INVALID_OBJECT],
      ['PATCH', '/a.json', '{"a":{"$b":1}}', 400, INVALID_OBJECT],
      ['PUT', '/deep.json', '['.repeat(400) + ']'.repeat(400), 400, /32 levels/],
    ],
  ],
  [
    '[H24] long integers keep every digit',
    [
      ['PUT', '/n.json', '{"a":9223372036854775807}', 200, '{"a":9223372036854775807}'],
      ['GET', '/n/a.json?print=pretty', undefined, 200, '9223372036854775807\n'],
      ['PATCH', '/n.json', '{"a":-9223372036854775808}', 200, '{"a":-9223372036854775808}'],
      ['GET', '/n.json', undefined, 200, '{"a":-9223372036854775808}'],
    ],
  ],
  [
    '[H25] bodies above the limit are rejected',
    [
      ['PUT', '/a.json', `"${'x'.repeat(MAX_BODY_BYTES - 2)}"`, 200, /x/],
      ['PATCH', '/.json', `{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`, 413, /larger than the server accepts/],
    ],
  ],
  [
    '[H26] print selects the format of the response',
    [
      ['PUT', '/a.json?print=silent', '{"b":[1,{}],"c":"x:{}, \\"y\\""}', 204, ''],
      [
        'GET',
        '/a.json?print=pretty',
        undefined,
        200,
        '{\n  "b" : [\n    1\n  ],\n  "c" : "x:{}, \\"y\\""\n}\n',
      ],
      ['GET', '/a.json?print=silent', undefined, 204, ''],
      ['GET', '/a.json?print=loud', undefined, 400, /must be pretty or silent/],
    ],
  ],
  ['[H28] errors are JSON', [['GET', '/a%23.json?print=silent', undefined, 400, INVALID_PATH]]],
  [
    '[H31][H32] administrators are recognized by their credential',
    [
      ['PUT', '/.settings/rules.json', LOCKED, 200, '{"status":"ok"}', OWNER],
      ['GET', '/a.json', undefined, 200, 'null', { authorization: 'bearer anything' }],
      ['GET', '/a.json?access_token=anything', undefined, 200, 'null'],
      ['GET', '/a.json?auth=owner', undefined, 200, 'null'],
      ['GET', '/a.json', undefined, 401, error('Unauthorized request.'), { authorization: 'Basic b3duZXI6' }],
      ['GET', '/a.json?access_token=', undefined, 401, error('Unauthorized request.')],
    ],
  ],
  [
    '[H33][H34] other callers are subject to rules',
    [
      ['GET', '/a.json?auth=garbage', undefined, 401, error('Could not parse auth token.')],
      ['PUT', '/.settings/rules.json', LOCKED, 200, '{"status":"ok"}', OWNER],
      ['GET', '/a.json', undefined, 401, error('Permission denied')],
      ['PUT', '/a.json', '1', 401, error('Permission denied')],
      ['GET', '/a.json?print=silent', undefined, 401, error('Permission denied')],
    ],
  ],
  [
    '[H36][H37][H38][H39] rules are read and published',
    [
      ['GET', '/.settings/rules.json', undefined, 200, /"\.write": true/, OWNER],
      ['PUT', '/.settings/rules.json', ' // mine\n{"rules":{}}\n', 200, '{"status":"ok"}', OWNER],
      ['GET', '/.settings/rules.json', undefined, 200, ' // mine\n{"rules":{}}\n', OWNER],
      ['GET', '/.settings/rules.json?print=pretty', undefined, 200, ' // mine\n{"rules":{}}\n', OWNER],
      ['GET', '/.settings/rules.json?ns=other', undefined, 200, /"\.write": true/, OWNER],
      ['GET', '/a.json', undefined, 401, error('Permission denied')],
      ['PUT', '/.settings/rules.json', '{"rules":\n1}', 400, error("2:1: Expected '{'.\n"), OWNER],
      ['PUT', '/.settings/rules.json', '', 400, NO_DATA, OWNER],
      ['GET', '/.settings/rules.json', undefined, 200, / \/\/ mine/, OWNER],
      ['GET', '/.settings/rules.json', undefined, 401, error('Unauthorized request.')],
      ['PUT', '/.settings/rules.json', LOCKED, 401, error('Unauthorized request.')],
      ['DELETE', '/.settings/rules.json', undefined, 405, /supports GET, HEAD, PUT, not DELETE/, OWNER],
    ],
  ],
  [
    '[H41] only some hosts are answered',
    [
      [
        'GET',
        '/a.json',
        undefined,
        403,
        /start it with --allow-host evil\.example\./,
        { host: 'evil.example' },
      ],
      ['PUT', '/a.json', '1', 403, /--allow-host/, { host: 'localhost.evil.example:9000' }],
      ['GET', '/healthz', undefined, 403, /names this machine/, { host: 'a/b' }],
      ['GET', '/a.json', undefined, 200, 'null', { host: 'app.localhost:9000' }],
      ['GET', '/a.json', undefined, 200, 'null', { host: '[::1]:9000' }],
      ['GET', '/a.json', undefined, 200, 'null', { host: '10.0.2.2' }],
    ],
  ],
])('%s', async (_title, rows) => expectAnswers(rows));

test('[H16] POST adds children with ascending keys', async () => {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const push = { method: 'POST', url: '/list.json', headers: LOCAL, body: '{"t":1}' };
  const names: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { name }: { readonly name: string } = JSON.parse((await client.send(push)).body);
    expect(name).toMatch(/^[-0-9A-Z_a-z]{20}$/);
    names.push(name);
  }
  expect(names).toEqual([...names].sort());
  const list = await client.send({ url: '/list.json', headers: LOCAL });
  expect(Object.keys(JSON.parse(list.body))).toEqual(names);
});

test.each(['/a.json', '/console/x.json?ns=t1'])(
  '[H21] a preflight of %s allows what the page requests',
  async (url) => {
    const { server, serve } = await createMemoryServer();
    serve();
    const preflight = {
      'access-control-request-headers': 'x-one, x-two',
      'access-control-request-private-network': 'true',
    };
    const client = await openLoopbackClient(server);
    const response = await client.send({
      method: 'OPTIONS',
      url,
      headers: { ...LOCAL, ...preflight },
    });
    expect(response.status).toBe(200);
    expect(response.body).toBe('');
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, PUT, POST, PATCH, DELETE, OPTIONS, HEAD',
      'access-control-allow-headers': 'x-one, x-two',
      'access-control-allow-private-network': 'true',
    });
  },
);

test.each<readonly [Method, string, string | undefined]>([
  ['GET', '/a.json', 'application/json; charset=utf-8'],
  ['GET', '/%zz.json', 'application/json; charset=utf-8'],
  ['GET', '/.settings/rules.json', 'application/json; charset=utf-8'],
  ['GET', '/none', 'text/html; charset=utf-8'],
  ['PUT', '/', 'text/plain; charset=utf-8'],
  ['GET', '/a.json?print=silent', undefined],
])('[H27] the response to %s %s has the headers of every response', async (method, url, type) => {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const { headers } = await client.send({ method, url, headers: LOCAL });
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' });
  expect(headers['content-type']).toBe(type);
});

test('[H29] an unexpected failure is logged but not described to the client', async () => {
  const fail = async () => {
    throw new Error('the reason');
  };
  const databases = {
    read: fail,
    write: fail,
    listen: fail,
    writeSizeLimit: () => 'large' as const,
    trafficOf: () => ({ sentBytes: 0, receivedBytes: 0 }),
    canAuthorizeWithoutValue: () => true,
    mayTrigger: () => false,
    createPushKey: () => '',
    readRules: fail,
    writeRules: fail,
  };
  const { server, serve, log } = await createMemoryServer({ databases });
  serve();
  const client = await openLoopbackClient(server);
  const response = await client.send({ url: '/a.json?auth=owner', headers: LOCAL });
  expect(response.status).toBe(500);
  expect(response.body).toBe(error('Internal server error.'));
  expect(log.join('')).toContain('the reason');
  expect(log.join('')).toContain('/a.json');
  expect(log.join('')).not.toContain('owner');
});

test('[H40] the health check fails until the server serves', async () => {
  const { server, serve } = await createMemoryServer();
  const client = await openLoopbackClient(server);
  const probe = async (url: string) => (await client.send({ url, headers: LOCAL })).status;
  expect([await probe('/healthz'), await probe('/a.json')]).toEqual([503, 503]);
  serve();
  expect(await probe('/healthz')).toBe(200);
});
