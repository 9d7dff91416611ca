import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import * as tls from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { CONSOLE_PAGE } from '../../http/static-pages.ts';
import { loopbackCertificate } from '../../mail/loopback-certificate.fixture.ts';
import { nowMs } from '../../platform/clock.ts';
import { PROCESS_LIMIT_MS, ProgramRunner, ready } from '../program.fixture.ts';
import { checkAnswers, checkPlainHttp, checkShortcuts, checkWebSocket } from './answers.ts';
import { checkDns, checkPorts, checkTls } from './network.ts';
import { checkMembers, checkRules } from './project.ts';
import { type OnlineTarget, partsOf } from './target.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

interface Report {
  readonly sound: boolean;
  readonly findings: readonly {
    readonly verdict: string;
    readonly check: string;
    readonly message: string;
  }[];
}

async function examine(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly report: Report }> {
  const { code, stdout } = await program.run('doctor', '--json', '--online', ...args).ended;
  return { code, report: JSON.parse(stdout) };
}

function resultsOf({ findings }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]));
}

test(
  '[H565][H567] the doctor examines a server from outside, and with the credential of its machine from inside',
  async () => {
    // The doctor requests the console, whose page exists only after a build.
    expect(existsSync(CONSOLE_PAGE), 'the console is built, which npm test does first').toBe(true);
    const { cert, key } = loopbackCertificate();
    writeFileSync(program.path('cert.pem'), cert);
    writeFileSync(program.path('key.pem'), key);
    const files = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
    const server = program.run('serve', '--port', '0', '--public-url', 'https://localhost', ...files);
    const url = await ready(server);
    expect((await program.run('project', 'create', 'shop').ended).code).toBe(0);
    const inside = await examine(url, '--project', 'shop');
    expect(inside.code).toBe(1);
    expect(resultsOf(inside.report)).toMatchObject({
      server: 'ok',
      clock: 'ok',
      headers: 'ok',
      websocket: 'ok',
      mode: 'ok',
      rules: 'ok',
      members: 'problem',
      mail: 'warning',
    });
    const untrusted = inside.report.findings.find(
      ({ check, verdict }) => check === 'tls' && verdict === 'problem',
    );
    expect(untrusted?.message).toContain('Clients do not trust the certificate for 127.0.0.1');
    const outside = await examine(url, '--data', 'elsewhere');
    expect(resultsOf(outside.report)).toMatchObject({ server: 'ok', rules: 'warning', members: 'warning' });
    expect(outside.report.findings.find(({ check }) => check === 'members')?.message).toContain(
      'give --token',
    );
    const shown = await program.run('doctor', '--online', url).ended;
    expect(shown.stdout).toMatch(/^ok +server +https:\/\/127\.0\.0\.1:\d+ serves\.$/m);
    expect(shown.stdout).toMatch(/\nFound \d+ problems? and \d+ warnings?\.\n$/);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H566] a development server that others reach is reported, and so is a database that everyone can read',
  async () => {
    const { url } = await program.serve();
    await fetch(`${url}/a.json?ns=demo-default-rtdb`, { method: 'PUT', body: '1' });
    const { code, report } = await examine(url, '--project', 'demo');
    expect(code).toBe(1);
    expect(resultsOf(report)).toMatchObject({ tls: 'problem', mode: 'problem', rules: 'problem' });
    const messages = report.findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining('everyone who reaches it is an administrator'));
    expect(messages).toContainEqual(
      'Everyone can read all of demo-default-rtdb. Publish rules that name who may read.',
    );
  },
  PROCESS_LIMIT_MS,
);

test('[H565] an invalid address is rejected, and a server that does not answer is a problem', async () => {
  for (const args of [
    ['--online', 'hearth.example.com'],
    ['--project', 'shop'],
  ])
    expect((await program.run('doctor', ...args).ended).code).toBe(2);
  const { code, report } = await examine('http://127.0.0.1:1');
  expect(code).toBe(1);
  expect(resultsOf(report)).toMatchObject({ server: 'problem', websocket: 'problem' });
});

async function targetOf(
  server: Server,
  scheme: 'http' | 'https',
  more: Partial<OnlineTarget> = {},
): Promise<OnlineTarget> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    ...partsOf(new URL(`${scheme}://127.0.0.1:${port}`)),
    project: null,
    link: null,
    nowMs,
    signal: new AbortController().signal,
    ...more,
  };
}

function fake(listener: RequestListener): Server {
  return createServer(listener);
}

const HEALTHY: RequestListener = (_request, response) => {
  response.end('ok\n');
};

test.each<readonly [string, RequestListener, string, string, string]>([
  [
    'another name',
    (_r, response) => response.writeHead(403).end(),
    'server',
    'problem',
    'Start it with --public-url',
  ],
  [
    'another program',
    (_r, response) => response.writeHead(404).end(),
    'server',
    'problem',
    'answers 404 instead of 200',
  ],
  ['no headers', HEALTHY, 'headers', 'problem', 'lacks the header content-security-policy'],
  [
    'a clock five minutes ahead',
    (_r, response) => response.setHeader('date', 'Wed, 01 Jan 2099 00:00:00 GMT').end('ok\n'),
    'clock',
    'problem',
    'Synchronize both',
  ],
])('[H566] %s is a problem', async (_name, listener, check, verdict, sentence) => {
  const findings = await checkAnswers(await targetOf(fake(listener), 'http'));
  expect(findings).toContainEqual({ check, verdict, message: expect.stringContaining(sentence) });
});

test('[H566] a clock that differs by a minute is a warning', async () => {
  const target = await targetOf(fake(HEALTHY), 'http', { nowMs: () => nowMs() - 60_000 });
  const findings = await checkAnswers(target);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'clock', verdict: 'warning' }));
});

test('[H566] a response that everyone gets, and not only administrators, is a problem', async () => {
  const elsewhere = { host: 'hearth.example.com' };
  const findings = await checkShortcuts(await targetOf(fake(HEALTHY), 'http', elsewhere));
  expect(findings.map(({ check }) => check)).toEqual(['mode', 'metrics']);
  const [open] = await checkRules(await targetOf(fake(HEALTHY), 'http', { project: 'shop' }));
  expect(open).toMatchObject({ check: 'rules', verdict: 'problem' });
});

test('[H566] a proxy that does not forward WebSockets is a problem', async () => {
  expect(await checkWebSocket(await targetOf(fake(HEALTHY), 'http'))).toMatchObject([
    { check: 'websocket', verdict: 'problem', message: expect.stringContaining('Upgrade') },
  ]);
});

test('[H566] a certificate that is not trusted, has ended or ends soon is reported', async () => {
  const { cert, key } = loopbackCertificate();
  const target = await targetOf(createTlsServer({ cert, key }), 'https');
  const endsMs = Date.parse(new X509Certificate(cert).validTo);
  const tlsAt = async (ms: number) => (await checkTls({ ...target, nowMs: () => ms }))[0];
  expect(await tlsAt(nowMs())).toMatchObject({
    verdict: 'problem',
    message: expect.stringContaining('do not trust'),
  });
  expect(await tlsAt(endsMs + 3 * 86_400_000)).toMatchObject({
    message: expect.stringContaining('ended 3 days ago'),
  });
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, cert]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
  expect(await tlsAt(endsMs - 5.5 * 86_400_000)).toMatchObject({ verdict: 'warning' });
  expect(await tlsAt(endsMs - 90 * 86_400_000)).toMatchObject({ verdict: 'ok' });
});

test('[H566] a server that accepts an old version of TLS is reported', async () => {
  const { cert, key } = loopbackCertificate();
  const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const [, lax] = await checkTls(await targetOf(createTlsServer({ cert, key, ...old }), 'https'));
  expect(lax).toMatchObject({ verdict: 'problem', message: expect.stringContaining('accepts TLSv1.1') });
  const [, strict] = await checkTls(await targetOf(createTlsServer({ cert, key }), 'https'));
  expect(strict).toMatchObject({ verdict: 'ok' });
});

test('[H566] names without an address, addresses that do not answer and inner networks are reported', async () => {
  const target = await targetOf(fake(HEALTHY), 'http');
  const named = (host: string, port = target.port) => ({ ...target, host, port });
  expect(await checkDns(named('nothing.invalid'))).toMatchObject([{ verdict: 'problem' }]);
  expect(await checkDns(target)).toMatchObject([
    { verdict: 'warning', message: expect.stringContaining('is an address') },
  ]);
  expect(await checkDns(named('localhost', 1))).toMatchObject([{ verdict: 'problem' }]);
  expect(await checkPorts(target)).toMatchObject([
    { verdict: 'warning', message: expect.stringContaining('Not checked') },
  ]);
});

test('[H565] plain HTTP is examined only if the server also has TLS', async () => {
  expect(await checkPlainHttp(await targetOf(fake(HEALTHY), 'http'))).toEqual([]);
});

test('[H567] members without a second factor are named', async () => {
  const members = [
    { uid: 'a', email: 'ann@example.com', role: 'owner', hasSecondFactor: true },
    { uid: 'b', email: 'bob@example.com', role: 'editor', hasSecondFactor: false },
  ];
  const target = await targetOf(
    fake((_request, response) => response.end(JSON.stringify({ members }))),
    'http',
    { project: 'shop' },
  );
  const findings = await checkMembers({ ...target, link: { url: target.url.origin, token: 'any' } });
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining('Without a second factor: bob@example.com.'),
    expect.stringContaining('one owner'),
  ]);
});
