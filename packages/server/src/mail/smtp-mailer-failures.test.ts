import { expect, test } from 'vitest';
import { failureReason } from './smtp-mailer.ts';

test.each([
  ['550 5.1.1 No such user', '550 5.1.1 No such user'],
  ['554 Spam: https://auth.example.com/__/auth/action?oobCode=abc', '554 Spam: …'],
  ['554 code Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9v is odd', '554 code … is odd'],
  ['550 one\r\n550 two', '550 one 550 two'],
  ['x '.repeat(300), 'x '.repeat(150)],
])('[I143] %j is reported as %j', (text, reason) => {
  expect(failureReason(text)).toBe(reason);
});
