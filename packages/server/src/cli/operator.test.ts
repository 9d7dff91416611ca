import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, ready, stop } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const PUBLIC = ['--public-url', 'https://hearth.example.com'];

/** Runs `hearth serve` on a free port, with the project `shop`. Returns its URL. */
async function serve(...args: readonly string[]): Promise<string> {
  const url = await ready(program.run('serve', '--port', '0', ...PUBLIC, ...args));
  const data = args.includes('--data') ? ['--data', 'data'] : [];
  expect((await program.run('project', 'create', 'shop', ...data).ended).code).toBe(0);
  return url;
}

/** Returns what `hearth export -` writes to standard output. */
async function exported(...args: readonly string[]): Promise<string> {
  return (await program.run('export', '-', ...args).ended).stdout;
}

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await program.run(...args).ended;
  return { code, output: stdout + stderr };
}

test(
  '[H369] commands about accounts, data and rules find the server of the data directory and its credential',
  async () => {
    const url = await serve();
    writeFileSync(program.path('data.json'), '{"a":1}');
    const shop = ['--project', 'shop'];
    expect(await run('import', 'data.json', '--yes', ...shop)).toMatchObject({ code: 0 });
    expect(await exported(...shop)).toBe('{"a":1}');
    for (const address of [url, 'https://hearth.example.com'])
      expect(await exported(...shop, '--url', address)).toBe('{"a":1}');
    expect(await run('rules', 'history', ...shop)).toMatchObject({ code: 0 });
    expect(await run('rules', 'explain', '--read', '/', ...shop)).toMatchObject({ code: 0 });
    expect(await run('users', 'create', '--email', 'ann@example.com', ...shop)).toMatchObject({ code: 0 });
    expect(await run('users', 'export', 'users.json', ...shop)).toMatchObject({ code: 0 });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H369][H560] the data directory may have any name, and messages say where the command looked',
  async () => {
    const url = await serve('--data', 'data');
    const users = (...more: readonly string[]) => run('users', 'reset', 'ann', '--project', 'shop', ...more);
    expect(await users('--data', 'data')).toMatchObject({
      code: 1,
      output: expect.stringContaining('The project shop has no account ann.'),
    });
    expect(await users('--url', url)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /401: .* Looked for a server in \S+\.hearth\/local-access\.json, which does not exist\. Name the server's data directory with --data/,
      ),
    });
    expect(await users('--url', 'https://hearth.example.com')).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /A credential for https:\/\/hearth\.example\.com is missing\. Looked for/,
      ),
    });
    const file = program.path('data/local-access.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(url, 'http://127.0.0.1:1'));
    expect(await users('--data', 'data')).toMatchObject({
      code: 2,
      output: expect.stringMatching(/1 does not answer .* which names http:\/\/127\.0\.0\.1:1\. Start it/),
    });
    renameSync(file, program.path('data/away.json'));
    expect(await run('project', 'list', '--data', 'data')).toMatchObject({
      code: 2,
      output: expect.stringContaining('local-access.json does not exist. Start one with "hearth serve'),
    });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H365][H369] commands also find a development server at any port, until it stops',
  async () => {
    const { server, url } = await program.serve();
    expect(
      await (await fetch(`${url}/.json?ns=demo-default-rtdb`, { method: 'PUT', body: '2' })).text(),
    ).toBe('2');
    expect(await exported()).toBe('2');
    await stop(server);
    expect(() => readFileSync(program.path('.hearth/local-access.json'))).toThrow('ENOENT');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H561] creating a project switches sign-in methods on, or prints the command for each',
  async () => {
    await serve();
    const { output } = await run('project', 'create', 'club', '--enable', 'anonymous');
    expect(output).toContain('Sign-in   password, anonymous\n');
    const commands = [...output.matchAll(/^ {2}off {5}(\S+) +hearth (.*)$/gm)];
    expect(commands.map(([, method]) => method)).toEqual(['email-link', 'passkey', 'totp']);
    for (const [, , command = ''] of commands)
      expect(await run(...command.split(' '))).toMatchObject({ code: 0 });
    const everything = await run('project', 'sign-in', 'club');
    expect(everything).toEqual({
      code: 0,
      output: 'Sign-in   password, email-link, anonymous, passkey, totp\nDomains   hearth.example.com\n',
    });
    const changed = ['--disable', 'password', '--disable', 'totp', '--authorize-domain', 'app.example.com'];
    changed.push('--passkey-domain', 'example.com');
    expect((await run('project', 'sign-in', 'club', ...changed)).output).toMatch(
      /^Sign-in {3}anonymous, passkey\nDomains {3}hearth\.example\.com, app\.example\.com\nPasskeys {2}for example\.com\n/,
    );
    for (const wrong of [
      ['--enable', 'phone'],
      ['--enable', 'totp', '--disable', 'totp'],
    ])
      expect(await run('project', 'sign-in', 'club', ...wrong)).toMatchObject({ code: 2 });
    expect(await run('project', 'create', 'third', '--enable', 'phone')).toMatchObject({ code: 2 });
    expect((await run('project', 'list')).output).toBe('club\nshop\n');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H562] roles are listed and changed, and a key does not change those of its account',
  async () => {
    await serve();
    const keys = (...more: readonly string[]) =>
      run('project', 'keys', 'shop', '--new', '--service-account', 'backend', ...more);
    const roles = (...more: readonly string[]) => run('project', 'roles', 'shop', ...more);
    expect(await keys()).toMatchObject({ code: 0 });
    expect((await roles()).output).toBe(
      'Service account  backend@shop.hearth.internal (identity.admin, identity.viewer, identity.configAdmin, database.admin)\n',
    );
    expect(await keys('--out', 'second.json', '--role', 'database.viewer')).toMatchObject({
      code: 1,
      output: expect.stringContaining('exists with the roles identity.admin'),
    });
    expect(await roles('--service-account', 'backend', '--role', 'database.viewer')).toMatchObject({
      code: 0,
    });
    expect(await keys('--out', 'second.json', '--role', 'database.viewer')).toMatchObject({ code: 0 });
    expect((await roles()).output).toBe('Service account  backend@shop.hearth.internal (database.viewer)\n');
    for (const [code, ...wrong] of [
      ['1', '--service-account', 'other', '--role', 'database.viewer'],
      ['1', '--service-account', 'backend', '--role', 'editor'],
      ['1', '--member', 'ann@example.com', '--role', 'editor'],
      ['2', '--service-account', 'backend'],
      ['2', '--role', 'editor'],
      ['2', '--service-account', 'backend', '--member', 'ann@example.com', '--role', 'editor'],
    ])
      expect(await roles(...wrong)).toMatchObject({ code: Number(code) });
  },
  PROCESS_LIMIT_MS,
);
