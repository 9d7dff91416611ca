import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../../program.fixture.ts';
import { openShop } from '../shop.fixture.ts';

test(
  '[I1692] the functions of a project are set, changed, tested, removed and shown',
  async () => {
    const { run } = await openShop();
    const functions = (...args: readonly string[]) => run('functions', 'shop', ...args);
    expect((await functions()).output).toBe('No functions. Name one with --function.\n');
    const url = 'https://127.0.0.1:1/create';
    const set = await functions(
      ...['--function', `beforeCreate=${url}`, '--function', 'beforeSendSms=https://f.example/sms'],
      ...['--audience', 'beforeCreate=https://f.run.app', '--fail-open', 'beforeSendSms'],
    );
    expect([set.code, set.output]).toEqual([
      0,
      [
        `beforeCreate     ${url}, audience https://f.run.app`,
        'beforeSendSms    https://f.example/sms, sends messages if the function fails',
        '',
      ].join('\n'),
    ]);
    const tested = await functions('--test', 'beforeCreate', '--fail-closed', 'beforeSendSms');
    expect(tested.code).not.toBe(0);
    expect(tested.output).toContain('beforeSendSms    https://f.example/sms\n');
    expect(tested.output).toMatch(/Test of beforeCreate: failed in \d+ ms: .*not at a public address/);
    expect((await functions('--remove', 'beforeCreate')).output).toBe(
      'beforeSendSms    https://f.example/sms\n',
    );
    const wrong = [
      [['--function', 'beforeAll=https://f.example'], '--function must name one of beforeCreate'],
      [['--fail-open', 'beforeCreate'], 'There is no function for beforeCreate.'],
      [['--function', 'beforeCreate=http://f.example'], 'functionUri must be an https address.'],
    ] as const;
    for (const [args, sentence] of wrong) {
      const { code, output } = await functions(...args);
      expect(code).not.toBe(0);
      expect(output).toContain(sentence);
    }
  },
  PROCESS_LIMIT_MS,
);
