import { expect, test } from 'vitest';
import { parseTypedPath } from './node-path.ts';

test.each([
  ['rooms//lobby/', '/rooms/lobby'],
  ['/', '/'],
  [' /a b/ü ', '/a b/ü'],
  ['https://demo.firebaseio.com/rooms/a%20b.json?ns=demo', '/rooms/a b'],
])('[C70] the typed text %j leads to %s', (text, path) => {
  expect(parseTypedPath(text)).toBe(path);
});
