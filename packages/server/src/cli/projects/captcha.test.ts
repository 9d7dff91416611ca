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

test(
  '[I1692] the keys at reCAPTCHA are set, changed, removed and shown, without their secrets',
  async () => {
    const { run } = await openShop();
    process.env['HEARTH_RECAPTCHA_SECRET'] = 's3cret';
    process.env['HEARTH_RECAPTCHA_VERIFIER_SECRET'] = 'box-s3cret';
    try {
      const { code, output } = await run('captcha', 'shop', '--recaptcha', 'score-key');
      expect(code).toBe(0);
      expect(output).toContain('reCAPTCHA      score-key, scores from 0.5\n');
      const more = ['--recaptcha-verifier', 'box-key', '--lowest-score', '0.7'];
      const changed = await run('captcha', 'shop', ...more);
      expect(changed.output).toContain(
        'reCAPTCHA      score-key, scores from 0.7, box-key for RecaptchaVerifier\n',
      );
      expect(changed.output).not.toContain('s3cret');
    } finally {
      delete process.env['HEARTH_RECAPTCHA_SECRET'];
      delete process.env['HEARTH_RECAPTCHA_VERIFIER_SECRET'];
    }
    const unknown = await run('captcha', 'shop', '--recaptcha', 'other-key');
    expect(unknown.code).not.toBe(0);
    expect(unknown.output).toContain('recaptchaConfig.hearth.recaptcha.secret');
    expect((await run('captcha', 'shop', '--recaptcha', 'none')).output).not.toContain('reCAPTCHA');
    expect((await run('captcha', 'shop', '--lowest-score', '0.5')).output).toContain('with --recaptcha.');
    expect((await run('captcha', 'shop', '--lowest-score', '2')).output).toContain('from 0 to 1');
    const untested = await run('captcha', 'shop', '--test');
    expect(untested.code).not.toBe(0);
  },
  PROCESS_LIMIT_MS,
);
