import { expect, test } from 'vitest';
import { checkSmtpSettings, decodeSmtpSettings } from './smtp-settings.ts';

const SETTINGS = { host: 'mail.example.com', port: 587, security: 'starttls' };
const SIGNED_IN = { ...SETTINGS, user: 'ada', sealedPassword: 'AbC' };

test.each([
  [SETTINGS],
  [SIGNED_IN],
  [{ ...SIGNED_IN, port: 465, security: 'ssl' }],
  [{ ...SETTINGS, port: 25, security: 'none' }],
  [{ ...SIGNED_IN, host: '127.0.0.1', security: 'none' }],
  [{ ...SETTINGS, host: '::1' }],
])('[I146] %j is valid', (json) => {
  expect(decodeSmtpSettings(json)).toEqual(json);
});

test.each([
  [null, '"host" must be a host name'],
  [{ ...SETTINGS, host: 'https://mail.example.com' }, '"host" must be a host name or an IP address.'],
  [{ ...SETTINGS, host: 'a b' }, '"host" must be a host name or an IP address.'],
  [{ ...SETTINGS, port: 0 }, '"port" must be a whole number from 1 to 65535.'],
  [{ ...SETTINGS, port: '25' }, '"port" must be a whole number from 1 to 65535.'],
  [{ ...SETTINGS, security: 'tls' }, '"security" must be one of ssl, starttls, none.'],
  [{ ...SETTINGS, user: 'ada' }, 'Give a user and a password, or neither.'],
  [{ ...SIGNED_IN, user: 5 }, 'User and password must be strings.'],
  [{ ...SIGNED_IN, security: 'none' }, 'A password needs an encrypted connection'],
])('[I146] %j is invalid: %s', (json, problem) => {
  expect(checkSmtpSettings(json).join(' ')).toContain(problem);
  expect(() => decodeSmtpSettings(json)).toThrow(problem);
});
