import { expect, test } from 'vitest';
import { type Extent, stepsOf } from '../scripts/steps.mjs';
import { readFiles, readText } from './repository.ts';

const namesOf = (extent: Extent): readonly string[] => stepsOf(extent).map(({ name }) => name);
const projectsOf = (extent: Extent): readonly string[] =>
  stepsOf(extent).flatMap(({ projects }) => projects ?? []);

/** Names that the configurations of Vitest give to their projects. */
function findProjects(): readonly string[] {
  return readFiles((path) => path.endsWith('vitest.config.ts')).flatMap(({ text }) =>
    [...text.matchAll(/(?:\bname: |\bproject\()'([\w-]+)'/g)].map((match) => match[1] ?? ''),
  );
}

test('[P41] everything has all projects, and all that less has', () => {
  const all = projectsOf('all').map((name) => name.replace(' (chromium)', ''));
  expect([...all].sort()).toEqual([...findProjects()].sort());
  expect(namesOf('all')).toEqual(namesOf('test'));
  expect(projectsOf('all')).toEqual(expect.arrayContaining([...projectsOf('test')]));
});

test('[P41] npm test has what npm run check has', () => {
  const [checks, ...others] = namesOf('check');
  expect(checks).toBe('checks');
  expect(projectsOf('test')).toContain('checks');
  expect(namesOf('test')).toEqual(expect.arrayContaining(others));
});

test('[P41] .ci/run runs everything', () => {
  expect(readText('.ci/run')).toMatch(/^npm run test:all$/m);
  expect(JSON.parse(readText('package.json')).scripts['test:all']).toBe('exec node scripts/test.mjs all');
});
