import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I1696] the rules for sign-up are set, cleared, shown and explained for an address',
  async () => {
    const { run } = await openShop();
    const signUp = (...args: readonly string[]) => run('sign-up', 'shop', ...args);
    const set = await signUp(
      ...['--allow-domain', 'example.com', '--allow-domain', 'example.org', '--deny-domain', 'example.org'],
      ...['--provider', 'password', '--claims', 'example.com={"staff":true}'],
      ...['--try', 'eve@example.org'],
    );
    expect([set.code, set.output]).toEqual([
      0,
      [
        'Allowed domains  example.com, example.org',
        'Denied domains   example.org',
        'Providers        password',
        'Claims           example.com: {"staff":true}',
        '',
        'A new account for eve@example.org with password is rejected: example.org is a denied domain.',
        '',
      ].join('\n'),
    ]);
    const tried = await signUp('--try', 'ann@example.com', '--with', 'google.com');
    expect(tried.output).toContain('is rejected: the providers do not include google.com.\n');
    const cleared = await signUp('--provider', 'none', '--claims', 'none', '--try', 'ann@example.com');
    expect(cleared.output).toContain('Providers        all\n\nA new account for ann@example.com');
    expect(cleared.output).toContain('is allowed.\n');
    expect((await signUp('--claims', 'example.com')).output).toContain('such as example.com={"staff":true}');
    expect((await signUp('--allow-domain', 'https://x.example')).output).toContain('such as example.com');
  },
  PROCESS_LIMIT_MS,
);
