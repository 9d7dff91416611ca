import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

const APP = '1:1234:web:abcd';

test(
  '[I1176] modes, apps and debug tokens of App Check are set and shown',
  async () => {
    const { run } = await openShop();
    const created = await run(
      ...['app-check', 'shop', '--accounts', 'enforced', '--add-app', APP, '--debug-token-for', APP],
    );
    expect(created.code).toBe(0);
    const [, token = '', name = ''] =
      /^Debug token {2}([0-9a-f-]{36})\nAccounts {5}tokens are required\nDatabase {5}tokens are ignored\nApps {9}1:1234:web:abcd\n {2}debug {6}(\S+) {2}command line\n$/.exec(
        created.output,
      ) ?? [];
    expect(token).not.toBe('');
    const removed = ['--revoke-debug-token', name, '--remove-app', APP] as const;
    expect(await run('app-check', 'shop', ...removed, '--requests')).toEqual({
      code: 0,
      output: [
        'Accounts     tokens are required',
        'Database     tokens are ignored',
        'Apps         none',
        'Requests     none',
        '',
      ].join('\n'),
    });
  },
  PROCESS_LIMIT_MS,
);
