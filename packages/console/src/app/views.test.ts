import { expect, test } from 'vitest';
import { segmentsBelowProject } from '../session/addresses.ts';
import { findView } from './views.ts';

test.each([
  ['/console/', ''],
  ['/console/projects/demo', ''],
  ['/console/projects/demo/', ''],
  ['/console/projects/demo/data', 'data'],
  ['/console/projects/demo/data/main', 'data/:database/*'],
  ['/console/projects/demo/data/main/rooms/lobby', 'data/:database/*'],
  ['/console/projects/demo/accounts', 'accounts/:uid?'],
  ['/console/projects/demo/accounts/a%2Fb', 'accounts/:uid?'],
  ['/console/projects/demo/accounts/a/b', undefined],
  ['/console/projects/demo/rules/main/cases', 'rules/:database?/:tab?/:item?'],
  ['/console/projects/demo/nowhere', undefined],
])('[C310] the address %s selects the view with the path %j', (pathname, path) => {
  expect(findView(segmentsBelowProject(pathname))?.path).toBe(path);
});

test.each([
  ['main/rooms/a%20b', '', '/api/databases/main/children?path=%2Frooms%2Fa+b&limit=200'],
  ['main//rooms/', '', '/api/databases/main/children?path=%2Frooms&limit=200'],
  ['main/50%', '', '/api/databases/main/children?path=%2F50%25&limit=200'],
  ['main', '?from=k', '/api/databases/main/children?path=%2F&limit=200&from=k'],
  ['main', '?tail=true', '/api/databases/main/children?path=%2F&limit=200&last=true'],
])('[C310] the first request of data/%s%s is %s', (rest, search, address) => {
  const segments = segmentsBelowProject(`/console/projects/demo/data/${rest}`);
  expect(findView(segments)?.firstAddress?.(segments, search)).toBe(address);
});

test.each(['?view=json', '?order=key', '?q=text'])(
  '[C310] the first request of data/main%s is not known',
  (search) => {
    const segments = segmentsBelowProject('/console/projects/demo/data/main');
    expect(findView(segments)?.firstAddress?.(segments, search)).toBeUndefined();
  },
);
