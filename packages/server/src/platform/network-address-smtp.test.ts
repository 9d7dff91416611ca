import { expect, test } from 'vitest';
import { parseSmtpAddress } from './network-address.ts';

const PATH = { host: 'mail.example.com', user: null };

test.each([
  ['smtps://mail.example.com', { ...PATH, port: 465, security: 'ssl' }],
  ['smtp://mail.example.com/', { ...PATH, port: 587, security: 'starttls' }],
  [
    'smtps://ada%40example.com@mail.example.com:1465',
    { host: 'mail.example.com', port: 1465, user: 'ada@example.com', security: 'ssl' },
  ],
  ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, user: null, security: 'none' }],
  ['smtp://[::1]:25', { host: '::1', port: 25, user: null, security: 'none' }],
  ['smtps://localhost', { host: 'localhost', port: 465, user: null, security: 'ssl' }],
])('[I152] %s is accepted as a mail server', (text, address) => {
  expect(parseSmtpAddress(text, '--smtp-url')).toEqual(address);
});

test.each([
  ['mail.example.com', 'must be an address such as'],
  ['https://mail.example.com', 'must be an address such as'],
  ['smtps://', 'must be an address such as'],
  ['smtps://mail.example.com/path', 'must be an address such as'],
  ['smtps://mail.example.com?a=b', 'must be an address such as'],
  ['smtps://%E0%A4@mail.example.com', 'must be an address such as'],
  ['smtps://mail.example.com:0', 'must be an address such as'],
  ['smtps://ada:guess-me@mail.example.com', 'Set HEARTH_SMTP_PASSWORD'],
])('[I152] %s is rejected as a mail server', (text, problem) => {
  expect(() => parseSmtpAddress(text, '--smtp-url')).toThrow(problem);
  expect(() => parseSmtpAddress(text, '--smtp-url')).not.toThrow('guess-me');
});
