import { afterEach, expect, test } from 'vitest';
import { projectOfAddress, rememberProject } from './addresses.ts';

afterEach(() => localStorage.clear());

test.each([
  ['/console/projects/hats/data', '', 'hats'],
  ['/console/projects/hats', '?project=coats', 'hats'],
  ['/console/', '?project=coats', 'coats'],
  ['/console/', '', 'last'],
  ['/console/', '?project=', undefined],
])('[C16] the address %s%s selects the project %s', (pathname, search, project) => {
  rememberProject('last');
  expect(projectOfAddress({ pathname, search })).toBe(project);
});

test('[C16] without an earlier sign-in, the user has to choose a project', () => {
  expect(projectOfAddress({ pathname: '/console/', search: '' })).toBeUndefined();
});
