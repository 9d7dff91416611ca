import { expect, test } from 'vitest';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';
import { PARAMETERS_MARK } from '../http/static-pages.ts';
import { ConsolePages } from './console-pages.ts';
import { consolePathOf } from './console-path.ts';

const SCRIPT = Buffer.from('export {};');

async function openConsole(version = '1.2.3') {
  let answers = 0;
  const consolePages = new ConsolePages({
    pages: {
      html: `<script type="application/json">${PARAMETERS_MARK}</script>`,
      assets: new Map([
        [
          'a-12345678.js',
          {
            contentType: 'text/javascript; charset=utf-8',
            bytes: SCRIPT,
            zipped: () => Promise.resolve(SCRIPT),
          },
        ],
      ]),
    },
    mode: 'development',
    defaultProject: 'demo',
    version,
    randomBytes: (count) => new Uint8Array(count).fill(answers++),
  });
  const { server, serve } = await createMemoryServer({ consolePages });
  serve();
  const client = await openLoopbackClient(server);
  return (url: string, method = 'GET') => client.send({ method, url, headers: { host: 'localhost:9000' } });
}

function directivesOf(policy: string | string[] | undefined): ReadonlyMap<string, string> {
  const parts = String(policy).split('; ');
  return new Map(parts.map((part) => [part.split(' ', 1).join(''), part.slice(part.indexOf(' ') + 1)]));
}

test('[C5][C438] the policy allows only this origin, and styles with a nonce that differs for each response', async () => {
  const send = await openConsole();
  const [first, second] = [await send('/console/'), await send('/console/')];
  const policy = directivesOf(first.headers['content-security-policy']);
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('connect-src')).toBe("'self'");
  expect(policy.get('font-src')).toBe("'self'");
  expect(policy.get('frame-src')).toBe("'self'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  const { styleNonce } = JSON.parse(first.body.replace(/<[^>]*>/g, ''));
  expect(policy.get('style-src')).toBe(`'self' 'nonce-${styleNonce}'`);
  expect(second.body).not.toBe(first.body);
  expect(first.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
});

test('[C6] /console redirects to /console/', async () => {
  const send = await openConsole();
  const { status, headers } = await send('/console');
  expect([status, headers.location]).toEqual([308, '/console/']);
});

test.each(['/console/', '/console/projects/demo', '/console/projects/demo/data/x/a.b?filter=1'])(
  '[C6] %s is answered with the page and its parameters',
  async (url) => {
    const send = await openConsole();
    const { status, headers, body } = await send(url);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(JSON.parse(body.replace(/<[^>]*>/g, ''))).toMatchObject({
      mode: 'development',
      defaultProject: 'demo',
      version: '1.2.3',
    });
  },
);

test('[C6] a POST to the console is answered 405', async () => {
  const send = await openConsole();
  const { status, headers } = await send('/console/', 'POST');
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('[C7] an existing file may be cached forever; a missing file is answered 404, not with the page', async () => {
  const send = await openConsole();
  const found = await send('/console/assets/a-12345678.js');
  expect([found.status, found.body]).toEqual([200, 'export {};']);
  expect(found.headers['cache-control']).toContain('immutable');
  const missing = await send('/console/assets/b-12345678.js');
  expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
});

test('[C8] no parameter of the page can end the element that contains it', async () => {
  const send = await openConsole('</script><script>alert(1)</script>&<!--');
  const { body } = await send('/console/');
  expect(body.match(/<\/?script/g)).toHaveLength(2);
  expect(JSON.parse(body.replace(/<[^>]*>/g, ''))).toMatchObject({
    version: '</script><script>alert(1)</script>&<!--',
  });
});

test.each([
  ['/console', '/console'],
  ['/console/projects/a?b=c', '/console/projects/a'],
  ['/console/setup?token=x', undefined],
  ['/consoles', undefined],
  ['/console.json', undefined],
  ['/', undefined],
])('[C6] for the URL %s, the path of the console is %s', (url, path) => {
  expect(consolePathOf(url)).toBe(path);
});
