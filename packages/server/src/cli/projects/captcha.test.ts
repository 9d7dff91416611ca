import { expect, test } from 'vitest';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I887] the requests that need a solved challenge, and its cost, are set and shown',
  async () => {
    const { run } = await openShop();
    expect(await run('captcha', 'shop', '--passwords', 'audit', '--cost', '8000')).toEqual({
      code: 0,
      output: [
        'Passwords      not required, and requests without one are recorded in the audit log',
        'Text messages  required',
        'Cost           8000 rounds',
        '',
      ].join('\n'),
    });
    const wrong = await run('captcha', 'shop', '--sms', 'on');
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('--sms must be off, audit or enforce, not "on".');
  },
  PROCESS_LIMIT_MS,
);
