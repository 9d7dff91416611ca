import { expect, test } from 'vitest';
import { ApiError } from '../../../api/client.ts';
import { isWebAddress } from './functions.tsx';
import { findProblemAt } from './setting-fields.tsx';

const ERROR = new ApiError(
  400,
  'INVALID_CONFIG : recaptchaConfig.hearth.cost must be a whole number from 2000 to 200000. signIn.hearth.passkeys.rpId must be a host name without scheme and port.',
);

test.each([
  [
    ERROR,
    'recaptchaConfig.hearth.cost',
    'recaptchaConfig.hearth.cost must be a whole number from 2000 to 200000.',
  ],
  [
    ERROR,
    'signIn.hearth.passkeys.rpId',
    'signIn.hearth.passkeys.rpId must be a host name without scheme and port.',
  ],
  [ERROR, 'signIn.hearth.passkeys', undefined],
  [new ApiError(0, 'No response.'), 'signIn.hearth.passkeys.rpId', undefined],
  [undefined, 'signIn.hearth.passkeys.rpId', undefined],
])('[C542] of %s, the sentence about %s is %j', (error, path, sentence) => {
  expect(findProblemAt(error, path)).toBe(sentence);
});

test.each([
  ['https://functions.example.com/create', true],
  ['http://127.0.0.1:5001/create', true],
  ['ftp://example.com', false],
  ['https://user@example.com', false],
  ['example.com', false],
])('[C542] whether %j may be the URL of a function: %j', (text, isAddress) => {
  expect(isWebAddress(text)).toBe(isAddress);
});
