import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I1124] tenants are created, changed, listed and deleted',
  async () => {
    const { run } = await openShop();
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
