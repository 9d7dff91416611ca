import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, ready } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

test(
  '[I1124] tenants are created, changed, listed and deleted',
  async () => {
    await ready(program.run('serve', '--port', '0', '--public-url', 'https://hearth.example.com'));
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await program.run('project', ...args).ended;
      return { code, output: stdout + stderr };
    };
    expect((await run('create', 'shop')).code).toBe(0);
    const created = await run('tenants', 'shop', '--create', 'Acme', '--enable', 'password');
    const id = /^(acme-[a-z0-9]{8}) {2}Acme {2}password\n$/.exec(created.output)?.[1] ?? '';
    expect(id).not.toBe('');
    const changed = ['--tenant', id, '--disable', 'password', '--enable', 'anonymous'] as const;
    expect((await run('tenants', 'shop', ...changed)).output).toBe(`${id}  Acme  anonymous\n`);
    expect(await run('tenants', 'shop', '--delete', id)).toEqual({
      code: 0,
      output: 'The project has no tenants.\n',
    });
  },
  PROCESS_LIMIT_MS,
);
