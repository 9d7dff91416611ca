import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loopbackCertificate } from '../mail/loopback-certificate.fixture.ts';
import { PROCESS_LIMIT_MS, ProgramRunner, printed, type Run, ready, stop } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const PUBLIC = ['--public-url', 'https://hearth.example.com'];

/** Runs `hearth serve` on a free port. Returns it with its URL. */
async function serve(...args: readonly string[]): Promise<{ readonly server: Run; readonly url: string }> {
  const server = program.run('serve', '--port', '0', '--data', 'data', ...PUBLIC, ...args);
  return { server, url: await ready(server) };
}

/**
 * Writes a certificate and its key to the directory. Returns the certificate, which clients have to trust.
 */
function writeCertificate(): string {
  const { cert, key } = loopbackCertificate();
  writeFileSync(program.path('cert.pem'), cert);
  writeFileSync(program.path('key.pem'), key);
  return cert;
}

function fingerprint(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}

/**
 * Returns the fingerprint of a server's certificate. Rejects if `ca` does not match it, or if the server does
 * not answer.
 */
async function shownCertificate(url: string, ca: string): Promise<string> {
  const [answer] = await once(get(`${url}/healthz`, { ca, agent: false }), 'response');
  const shown = (answer.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? '';
  expect(await text(answer)).toBe('ok\n');
  return shown;
}

test(
  '[H43][H49][H361] the server accepts only TLS, and presents a new certificate after SIGHUP',
  async () => {
    const first = writeCertificate();
    const { server, url } = await serve('--tls-cert', 'cert.pem', '--tls-key', 'key.pem');
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await shownCertificate(url, first)).toBe(fingerprint(first));
    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
    writeFileSync(program.path('cert.pem'), 'broken');
    server.child.kill('SIGHUP');
    await printed(server, 'stderr', /the server keeps the previous one/);
    expect(await shownCertificate(url, first)).toBe(fingerprint(first));
    const second = writeCertificate();
    server.child.kill('SIGHUP');
    await printed(server, 'stderr', /the certificate was reloaded/);
    expect(await shownCertificate(url, second)).toBe(fingerprint(second));
    expect((await program.run('project', 'create', 'shop', '--data', 'data').ended).code).toBe(0);
    const { code, stdout } = await stop(server);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `ready ${url}\n` });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H365][I448] only the owner can read local-access.json, which is deleted when the server exits',
  async () => {
    const { server, url } = await serve();
    const file = program.path('data/local-access.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const access = JSON.parse(readFileSync(file, 'utf8'));
    expect(access).toEqual({
      url,
      publicUrl: 'https://hearth.example.com',
      token: expect.stringMatching(/^hearth-local-1\.[\w-]{43}$/),
      certificate: null,
    });
    expect(
      server.output.stderr.match(/https:\/\/hearth\.example\.com\/console\/setup\?token=[\w-]{43}/g),
    ).toHaveLength(1);
    const { stderr } = await stop(server);
    expect(stderr).not.toContain(access.token);
    expect(existsSync(file)).toBe(false);
    const again = await serve();
    expect(JSON.parse(readFileSync(file, 'utf8')).token).not.toBe(access.token);
    const answer = await fetch(`${again.url}/api/projects`, {
      headers: { authorization: `Bearer ${access.token}` },
    });
    expect(answer.status).toBe(401);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H366][H367] the command line creates projects and keys',
  async () => {
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await program.run('project', ...args, '--data', 'data').ended;
      return { code, output: stdout + stderr };
    };
    expect(await run('list')).toMatchObject({
      code: 2,
      output: expect.stringContaining('No server uses the data directory'),
    });
    await serve();
    expect(await run('list')).toEqual({ code: 0, output: '' });
    expect(await run('create', 'shop')).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^Project {3}shop\nAPI key {3}A[\w-]{38}\nDatabase {2}shop-default-rtdb\nSign-in {3}password\n/,
      ),
    });
    expect(await run('create', 'shop')).toMatchObject({
      code: 1,
      output: expect.stringContaining('The project shop already exists.'),
    });
    expect(await run('list')).toEqual({ code: 0, output: 'shop\n' });
    const { output: added } = await run('keys', 'shop', '--new');
    const apiKey = added.trim();
    expect((await run('keys', 'shop')).output).toContain(apiKey);
    expect(await run('keys', 'shop', '--revoke', apiKey)).toMatchObject({ code: 0 });
    expect((await run('keys', 'shop')).output).not.toContain(apiKey);
    expect(
      await run('keys', 'shop', '--new', '--service-account', 'admin', '--out', 'key.json'),
    ).toMatchObject({ code: 0 });
    expect(statSync(program.path('key.json')).mode & 0o777).toBe(0o600);
    const keyFile = JSON.parse(readFileSync(program.path('key.json'), 'utf8'));
    expect(keyFile).toMatchObject({ type: 'service_account', token_uri: 'https://hearth.example.com/token' });
    expect(await run('keys', 'shop', '--service-account', 'admin', '--out', 'key.json')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no key was created'),
    });
    const listed = (await run('keys', 'shop')).output;
    expect(listed.match(/Key {12}\w{40}/g)).toEqual([`Key            ${keyFile.private_key_id}`]);
    const revoked = ['--service-account', 'admin', '--revoke', keyFile.private_key_id];
    expect(await run('keys', 'shop', ...revoked)).toMatchObject({ code: 0 });
    expect((await run('keys', 'shop')).output).not.toContain(keyFile.private_key_id);
    expect(await run('keys', 'shop', '--new', '--revoke', 'x')).toMatchObject({ code: 2 });
    expect(await run('keys', 'shop', '--role', 'database.viewer')).toMatchObject({ code: 2 });
    expect(await run('list', '--url', 'http://127.0.0.1:1')).toMatchObject({
      code: 2,
      output: expect.stringMatching(/does not answer .* Looked for a server in \S+data\/local-access\.json/),
    });
  },
  PROCESS_LIMIT_MS,
);

test.each([
  [['--host', '0.0.0.0'], /beyond this machine/],
  [['--host', '0.0.0.0', '--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /cannot be used: ENOENT/],
  [['--project', 'shop'], /unknown option '--project'/],
  [['--functions-emulator', 'localhost:5001'], /unknown option/],
])(
  '[H360] serve %j prints one sentence, exits with code 2, and changes no file',
  async (args, sentence) => {
    const { code, stdout, stderr } = await program.run('serve', '--data', 'data', ...PUBLIC, ...args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
    expect(readdirSync(program.directory)).toEqual([]);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H385][H386][H387][I590] a backup does not contain the key, and a server cannot start from a restored backup without it',
  async () => {
    expect((await stop((await serve()).server)).code).toBe(0);
    const run = (...args: readonly string[]) => program.run(...args).ended;
    expect((await run('backup', 'copy', '--data', 'data')).stdout).toMatch(
      /\nThe copy does not contain the secret key\. Store the key \(\S+data\/secret\.key\) separately [^\n]+\n$/,
    );
    expect((await run('restore', 'copy', '--data', 'again')).stdout).toMatch(
      /\nA backup does not contain the secret key\. Before you start a server, copy the key to \S+again\/secret\.key[^\n]+\n$/,
    );
    const denied = { code: 2, stderr: expect.stringMatching(/^hearth: There is no key file [^\n]+\n$/) };
    const again = ['--port', '0', '--data', 'again'];
    expect(await run('serve', ...again, ...PUBLIC)).toMatchObject(denied);
    expect(await run('dev', ...again)).toMatchObject(denied);
    const file = program.path('again/secret.key');
    expect(existsSync(file)).toBe(false);
    const doctor = () => run('doctor', '--data', 'again');
    expect(await doctor()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nwarning +key +\S+secret\.key is missing/),
    });
    writeFileSync(file, `${Buffer.alloc(32).toString('base64')}\n`, { mode: 0o600 });
    expect(await doctor()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\nproblem +key .*a key other than/),
    });
    expect(await run('dev', ...again)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a key other than/),
    });
    rmSync(file);
    copyFileSync(program.path('data/secret.key'), file);
    chmodSync(file, 0o644);
    expect(await doctor()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\nproblem +key .*chmod 600/),
    });
    chmodSync(file, 0o600);
    expect(await doctor()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nok +key +The secret key/),
    });
    const restored = program.run('serve', ...again, ...PUBLIC);
    await ready(restored);
    expect((await stop(restored)).code).toBe(0);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[I590] development mode creates another key only as long as no secret is sealed',
  async () => {
    const first = await program.serve('--data', 'data');
    await stop(first.server);
    const file = program.path('data/secret.key');
    rmSync(file);
    const { server, url } = await program.serve('--data', 'data');
    const post = async (method: string, body: object): Promise<number> =>
      (
        await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status;
    const email = 'ann@example.com';
    expect(await post('signUp', { email, password: 'correct horse' })).toBe(200);
    expect(await post('sendOobCode', { requestType: 'PASSWORD_RESET', email })).toBe(200);
    await stop(server);
    rmSync(file);
    expect(await program.run('dev', '--port', '0', '--data', 'data').ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hearth: There is no key file /),
    });
    expect(existsSync(file)).toBe(false);
  },
  PROCESS_LIMIT_MS,
);
