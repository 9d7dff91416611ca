import { expect, test } from 'vitest';
import { RequestError } from './request-error.ts';

test('[T46] a request error has a code, and the statuses and the sentence of that code', () => {
  const requestError = new RequestError('access/denied');
  expect(requestError).toBeInstanceOf(Error);
  expect(requestError).toMatchObject({
    name: 'RequestError',
    code: 'access/denied',
    message: 'Permission denied',
  });
  expect(requestError.spec).toEqual({ http: 401, wire: 'permission_denied', text: 'Permission denied' });
});

test('[T46] a detail replaces the sentence in the message, and the error has the given cause', () => {
  const cause = new Error('inner');
  const requestError = new RequestError('value/invalid', 'A number is out of range.', { cause });
  expect(requestError.message).toBe('A number is out of range.');
  expect(requestError.cause).toBe(cause);
  expect(requestError.spec.text).toBe('Invalid data');
});
