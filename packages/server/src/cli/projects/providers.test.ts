import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I974] identity providers are set, switched off, removed and shown, without their secrets',
  async () => {
    const { run } = await openShop();
    expect((await run('providers', 'shop')).output).toMatch(/^No providers/);
    const google = ['--provider', 'google.com', '--client-id', 'web', '--other-client', 'android'];
    expect((await run('providers', 'shop', ...google)).output).toBe(
      'google.com  on   web, trusted emails: default\n',
    );
    process.env['HEARTH_PROVIDER_SECRET'] = 's3cret';
    try {
      const issuer = ['--issuer', 'https://id.example', '--trust-email', 'example.com'];
      const { code, output } = await run(
        ...['providers', 'shop', '--provider', 'oidc.work', '--client-id', 'shop'],
        ...issuer,
      );
      expect([code, output]).toEqual([
        0,
        [
          'google.com  on   web, trusted emails: default',
          'oidc.work   on   shop at https://id.example, trusted emails: example.com',
          '',
        ].join('\n'),
      ]);
    } finally {
      delete process.env['HEARTH_PROVIDER_SECRET'];
    }
    const off = await run('providers', 'shop', '--provider', 'oidc.work', '--trust-email', 'never', '--off');
    expect(off.output).toContain('oidc.work   off  shop at https://id.example, trusted emails: never\n');
    expect((await run('providers', 'shop', '--provider', 'google.com', '--remove')).output).toBe(
      'oidc.work  off  shop at https://id.example, trusted emails: never\n',
    );
    const unnamed = await run('providers', 'shop', '--client-id', 'x');
    expect([unnamed.code, unnamed.output]).toEqual([2, expect.stringContaining('--provider google.com')]);
  },
  PROCESS_LIMIT_MS,
);
