import { expect, test } from 'vitest';
import { Refusal } from './request-error.ts';

test('[T46] a refusal carries its code, its row of the table and its sentence', () => {
  const refusal = new Refusal('access/denied');
  expect(refusal).toBeInstanceOf(Error);
  expect(refusal).toMatchObject({ name: 'Refusal', code: 'access/denied', message: 'Permission denied' });
  expect(refusal.spec).toEqual({ http: 401, wire: 'permission_denied', text: 'Permission denied' });
});

test('[T46] a detail replaces the sentence, and the cause is kept', () => {
  const cause = new Error('inner');
  const refusal = new Refusal('value/invalid', 'A number is out of range.', { cause });
  expect(refusal.message).toBe('A number is out of range.');
  expect(refusal.cause).toBe(cause);
  expect(refusal.spec.text).toBe('Invalid data');
});
