import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

type Body = Readonly<Record<string, unknown>>;

async function signIn(url: string, email: string, password: string): Promise<number> {
  const answer = await fetch(`${url}/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
  return answer.status;
}

async function find(url: string, localId: string): Promise<Body> {
  const answer = await fetch(`${url}/v1/projects/demo/accounts:lookup`, {
    method: 'POST',
    headers: { authorization: 'Bearer owner' },
    body: JSON.stringify({ localId: [localId] }),
  });
  return Object(await answer.json())['users']?.[0] ?? {};
}

const FIREBASE_FLAGS = [
  '--hash-algo',
  'SCRYPT',
  '--hash-key',
  'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  '--salt-separator',
  'Bw==',
  '--rounds',
  '8',
  '--mem-cost',
  '14',
];
const ANN = {
  localId: 'ann',
  email: 'ann@example.com',
  emailVerified: true,
  passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
  createdAt: '1000',
  lastSignedInAt: '2000',
};
const PASSWORD = 'user1password';

test(
  '[H340][H343][H344][H345] accounts of Firebase are imported with their passwords, and only once',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const at = (...args: readonly string[]) => program.run('users', 'import', ...args, '--url', url).ended;
    writeFileSync(
      program.path('users.json.gz'),
      gzipSync(JSON.stringify({ users: [ANN, { localId: 'bob' }] })),
    );
    expect(await at('users.json.gz')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'hearth: The accounts have password hashes. Specify their algorithm with --hash-algo.\n',
    });
    expect((await at('users.json.gz', '--dry-run')).stdout).toBe(
      'Dry run on demo: 2 accounts, of which 0 exist and 0 have no localId. Nothing was written.\n',
    );
    expect(await find(url, 'ann')).toEqual({});
    for (let time = 0; time < 2; time += 1)
      expect(await at('users.json.gz', ...FIREBASE_FLAGS)).toEqual({
        code: 0,
        stdout: 'Imported 2 accounts to demo.\n',
        stderr: '',
      });
    expect(await find(url, 'ann')).toMatchObject({ createdAt: '1000', lastLoginAt: '2000' });
    expect(await signIn(url, 'ann@example.com', PASSWORD)).toBe(200);
    expect((await at('users.json.gz', '--dry-run')).stdout).toContain('2 accounts, of which 2 exist');
    expect(await at('users.json.gz', ...FIREBASE_FLAGS, '--keep-existing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ann: localId belongs to an existing account - can not overwrite.\n'),
    });
    expect((await at('users.txt')).stderr).toMatch(/ends in \.json or \.csv/);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H342] rejected accounts are reported, and the others are imported',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const users = [{ localId: 'a', email: 'nonsense' }, { localId: 'b' }, { email: 'c@example.com' }];
    writeFileSync(program.path('users.json'), JSON.stringify({ users }));
    expect(await program.run('users', 'import', 'users.json', '--url', url).ended).toEqual({
      code: 1,
      stdout: 'Imported 1 account to demo.\n',
      stderr:
        'a: email is invalid\nAn account without a user ID: localId is missing\nhearth: 2 accounts were rejected.\n',
    });
    expect(await find(url, 'b')).toMatchObject({ localId: 'b' });
  },
  PROCESS_LIMIT_MS,
);

test.each(['users.json', 'users.csv.gz'])(
  '[H346] an export to %s can be imported with its passwords',
  async (name) => {
    const { url } = await program.serve('--data', 'one');
    const other = await program.serve('--data', 'other');
    writeFileSync(program.path('in.json'), JSON.stringify({ users: [ANN] }));
    await program.run('users', 'import', 'in.json', ...FIREBASE_FLAGS, '--url', url).ended;
    const made = program.run('users', 'create', '--email', 'bob@example.com', '--uid', 'bob', '--url', url);
    expect((await made.ended).stdout).toBe('bob\n');
    await fetch(`${url}/v1/projects/demo/accounts:update`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ localId: 'bob', password: 'password', displayName: 'Bob, "B"' }),
    });
    expect((await program.run('users', 'export', name, '--url', url).ended).stdout).toMatch(
      /^Exported 2 accounts of demo to .*, and the parameters of their password hashes to .*\/users\.hash-parameters\.json\.\n$/,
    );
    for (const file of [name, 'users.hash-parameters.json'])
      expect(statSync(program.path(file)).mode & 0o777).toBe(0o600);
    expect((await program.run('users', 'import', name, '--url', other.url).ended).code).toBe(0);
    expect(await signIn(other.url, 'ann@example.com', PASSWORD)).toBe(200);
    expect(await signIn(other.url, 'bob@example.com', 'password')).toBe(200);
    expect(await find(other.url, 'bob')).toMatchObject({ displayName: 'Bob, "B"' });
    const bytes = readFileSync(program.path(name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    expect(text).toContain(ANN.passwordHash);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H347][H348][H349] an account is created, disabled, enabled again, and given a password reset link',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const at = (...args: readonly string[]) => program.run('users', ...args, '--url', url).ended;
    const { stdout } = await at('create', '--email', 'ann@example.com', '--name', 'Ann', '--verified');
    const uid = stdout.trim();
    expect(await find(url, uid)).toMatchObject({ displayName: 'Ann', emailVerified: true });
    expect((await at('create', '--email', 'ann@example.com')).stderr).toBe(
      'hearth: The server answered 400: EMAIL_EXISTS\n',
    );
    expect((await at('create', '--password-stdin')).stderr).toMatch(/Standard input contains no password/);
    expect((await at('disable', 'ann@example.com')).stdout).toBe(
      `${uid} is disabled, and signed out everywhere.\n`,
    );
    expect(await find(url, uid)).toMatchObject({ disabled: true });
    expect((await at('disable', uid, '--undo')).stdout).toBe(`${uid} is enabled.\n`);
    expect((await at('disable', 'missing')).stderr).toBe(
      'hearth: The project demo has no account missing.\n',
    );
    const reset = await at('reset', 'ann@example.com');
    expect(new URL(reset.stdout.trim()).searchParams.get('mode')).toBe('resetPassword');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H353] with a tenant, the commands about accounts act on the accounts of that tenant',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const at = (...args: readonly string[]) => program.run('users', ...args, '--url', url).ended;
    const make = (tenant: string) =>
      at('create', '--tenant', tenant, '--email', 'ann@example.com', '--uid', 'ann');
    expect((await make('north')).stdout).toBe('ann\n');
    expect(await find(url, 'ann')).toEqual({});
    expect((await at('export', 'north.json', '--tenant', 'north')).stdout).toMatch(
      /^Exported 1 account of the tenant north of demo to /,
    );
    expect((await at('import', 'north.json', '--tenant', 'south')).stdout).toBe(
      'Imported 1 account to the tenant south of demo.\n',
    );
    expect((await at('disable', 'ann@example.com', '--tenant', 'south')).stdout).toBe(
      'ann is disabled, and signed out everywhere.\n',
    );
    const answer = await fetch(`${url}/v1/projects/demo/tenants/south/accounts:lookup`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({ localId: ['ann'] }),
    });
    expect(await answer.json()).toMatchObject({ users: [{ tenantId: 'south', disabled: true }] });
    const { stdout } = await at('reset', 'ann', '--tenant', 'north');
    expect(new URL(stdout.trim()).searchParams.get('tenantId')).toBe('north');
    expect((await at('reset', 'ann', '--tenant', 'west')).stderr).toBe(
      'hearth: The tenant west of demo has no account ann.\n',
    );
    expect((await at('disable', 'ann')).stderr).toBe('hearth: The project demo has no account ann.\n');
  },
  PROCESS_LIMIT_MS,
);
