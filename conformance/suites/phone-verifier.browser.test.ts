import { RecaptchaVerifier, signInWithPhoneNumber } from 'firebase/auth';
import { expect, test } from 'vitest';
import { openAuth } from '../drivers/auth.ts';
import { freshPhoneNumber, readSmsCode } from '../drivers/sms.ts';

test('[S488] the SDK’s own verifier loads no script in an app that is connected with connectAuthEmulator', async () => {
  const auth = openAuth({ by: 'connectAuthEmulator' });
  const button = document.body.appendChild(document.createElement('button'));
  const verifier = new RecaptchaVerifier(auth, button, { size: 'invisible' });
  const phoneNumber = freshPhoneNumber();
  const confirmation = await signInWithPhoneNumber(auth, phoneNumber, verifier);
  const { user } = await confirmation.confirm(await readSmsCode(phoneNumber));
  expect(user.phoneNumber).toBe(phoneNumber);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).hostname);
  expect(loaded.filter((host) => /google|gstatic/.test(host))).toEqual([]);
});
