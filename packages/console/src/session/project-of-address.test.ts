import { afterEach, expect, test } from 'vitest';
import { projectOfAddress, rememberProject } from './addresses.ts';

afterEach(() => localStorage.clear());

test.each([
  ['/console/projects/hats/data', '', 'hats'],
  ['/console/projects/hats', '?project=coats', 'hats'],
  ['/console/', '?project=coats', 'coats'],
  ['/console/', '', 'last'],
  ['/console/', '?project=', undefined],
])('[C16] at %s%s the project is %s', (pathname, search, project) => {
  rememberProject('last');
  expect(projectOfAddress({ pathname, search })).toBe(project);
});

test('[C16] whoever was never here has to say', () => {
  expect(projectOfAddress({ pathname: '/console/', search: '' })).toBeUndefined();
});
