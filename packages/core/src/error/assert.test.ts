import { expect, test } from 'vitest';
import { assert, must } from './assert.ts';

// Bugs are not refusals: nothing here is told to a peer.
test('[T47] a broken assertion is a bug, not a refusal', () => {
  expect(() => assert(false, 'two owners')).toThrow('Bug: two owners');
  expect(() => assert(true, 'two owners')).not.toThrow();
});

test.each([undefined, null])('[T47] must finds a bug in %s', (value) => {
  expect(() => must(value, 'no value')).toThrow('Bug: no value');
});

test.each([0, '', false])('[T47] must gives back %j', (value) => {
  expect(must(value, 'no value')).toBe(value);
});
