import { expect, test } from 'vitest';
import { fixedPathOf } from './hot-path-link.tsx';

test.each([
  ['/', '/'],
  ['/presence', '/presence'],
  ['/rooms/$room/messages', '/rooms'],
  ['/rooms/lobby/messages/*', '/rooms/lobby/messages'],
  ['/$any', '/'],
  ['/*/a', '/'],
  ['/prices/*5', '/prices/*5'],
])('[C463] the template %s links to %s', (template, path) => {
  expect(fixedPathOf(template)).toBe(path);
});
