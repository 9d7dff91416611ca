import { expect, test } from 'vitest';
import { assert, must } from './assert.ts';

// The client receives the message of a request error, but not the message of a bug.
test('[T47] a failed assertion throws an error that is not a request error', () => {
  expect(() => assert(false, 'two owners')).toThrow('Bug: two owners');
  expect(() => assert(true, 'two owners')).not.toThrow();
});

test.each([undefined, null])('[T47] must throws for %s', (value) => {
  expect(() => must(value, 'no value')).toThrow('Bug: no value');
});

test.each([0, '', false])('[T47] must returns %j', (value) => {
  expect(must(value, 'no value')).toBe(value);
});
