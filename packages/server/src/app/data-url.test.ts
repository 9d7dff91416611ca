import { expect, test } from 'vitest';
import { isDataRequest } from './data-url.ts';

const PAGE = 'text/html,application/xhtml+xml';

test.each([
  ['GET', '/console/rooms.json', PAGE, false],
  ['HEAD', '/console/rooms.json?view=1', PAGE, false],
  ['GET', '/console/rooms.json?ns=demo', PAGE, true],
  ['GET', '/console/rooms.json', '*/*', true],
  ['PUT', '/console/rooms.json', PAGE, true],
  ['GET', '/console.json', PAGE, true],
  ['GET', '/consoles/rooms.json', PAGE, true],
  ['GET', '/console/rooms', PAGE, false],
])('[H418] a %s of %s with Accept %s is a data request: %s', (method, url, accept, isData) => {
  expect(isDataRequest({ method, url, headers: { accept } })).toBe(isData);
});
