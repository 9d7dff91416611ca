import { expect, onTestFinished, test, vi } from 'vitest';
import { openServing } from '../../app/serving.fixture.ts';
import { solve, tokenOf } from '../../auth/captcha/solve-challenge.fixture.ts';
import { runProjectCaptcha } from './captcha.ts';

test('[I1620] administrators see the durations that clients report for solving challenges', async () => {
  const { app, ask, token } = await openServing();
  const { json } = await ask('/api/projects', { token, body: { id: 'shop' } });
  const apiKey = String(json['apiKey']);
  const recaptchaConfig = { emailPasswordEnforcementState: 'ENFORCE', hearth: { cost: 2_000 } };
  await ask('/v2/projects/shop/config?updateMask=recaptchaConfig', {
    method: 'PATCH',
    token,
    body: { recaptchaConfig },
  });
  const printed: string[] = [];
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  onTestFinished(() => output.mockRestore());
  await runProjectCaptcha({ url: app.url, token }, 'shop');
  expect(printed.splice(0).join('')).not.toContain('Median times');

  const challenge = await ask('/__/auth/challenge', { body: { apiKey, action: 'signUpPassword' } });
  const [, solved = ''] = solve(JSON.parse(challenge.text)).split('.');
  const { c, s } = JSON.parse(Buffer.from(solved, 'base64url').toString());
  const account = await ask(`/v1/accounts:signUp?key=${apiKey}`, {
    body: {
      email: 'ada@example.com',
      password: 'correct horse battery',
      clientType: 'CLIENT_TYPE_WEB',
      recaptchaVersion: 'RECAPTCHA_ENTERPRISE',
      captchaResponse: tokenOf(c, { ...s, time: 1_234 }),
    },
  });
  expect(account.status, account.text).toBe(200);
  expect((await ask('/api/projects/shop/challenges', { token })).json).toEqual({
    actions: [{ action: 'signUpPassword', reports: 1, medianMs: 1_234 }],
  });
  expect((await ask('/api/projects/shop/challenges')).status).toBe(401);
  expect((await ask('/api/projects/none/challenges', { token })).text).toContain('PROJECT_NOT_FOUND');
  await runProjectCaptcha({ url: app.url, token }, 'shop');
  expect(printed.join('')).toContain(
    '\nMedian times that clients report\nsignUpPassword       1234 ms in 1 reports\n',
  );
});
