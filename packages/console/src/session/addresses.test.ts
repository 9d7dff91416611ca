import { afterEach, expect, test } from 'vitest';
import { projectOfAddress, rememberProject } from './addresses.ts';

afterEach(() => localStorage.clear());

test.each([
  ['/console/projects/hats/data', '', 'hats'],
  ['/console/projects/hats', '?project=coats', 'hats'],
  ['/console/', '?project=coats', 'coats'],
  ['/console/', '', 'last'],
])(
  '[C16] after a sign-in to the project “last”, the address %s%s selects the project “%s”',
  (pathname, search, project) => {
    rememberProject('last');
    expect(projectOfAddress({ pathname, search })).toBe(project);
  },
);

test('[C16] with an empty parameter, the user has to choose a project, even after an earlier sign-in', () => {
  rememberProject('last');
  expect(projectOfAddress({ pathname: '/console/', search: '?project=' })).toBeUndefined();
});

test('[C16] without an earlier sign-in, the user has to choose a project', () => {
  expect(projectOfAddress({ pathname: '/console/', search: '' })).toBeUndefined();
});
