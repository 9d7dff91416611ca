import { expect, test } from 'vitest';
import { type Extent, stepsOf } from '../scripts/steps.mjs';
import { readFiles, readText } from './repository.ts';
import { parseSource } from './source-file.ts';

const namesOf = (extent: Extent): readonly string[] => stepsOf(extent).map(({ name }) => name);
const projectsOf = (extent: Extent): readonly string[] =>
  stepsOf(extent).flatMap(({ projects }) => projects ?? []);

/** Returns the names of the Vitest projects in all configurations. */
function findProjects(): readonly string[] {
  return readFiles((path) => path.endsWith('vitest.config.ts')).flatMap(({ text }) =>
    [...text.matchAll(/(?:\bname: |\bproject\()'([\w-]+)'/g)].map((match) => match[1] ?? ''),
  );
}

test('[P41] test:all has every Vitest project, and every step of npm test', () => {
  const all = projectsOf('all').map((name) => name.replace(' (chromium)', ''));
  expect([...all].sort()).toEqual([...findProjects()].sort());
  expect(namesOf('all')).toEqual(namesOf('test'));
  expect(projectsOf('all')).toEqual(expect.arrayContaining([...projectsOf('test')]));
});

test('[P41] npm test has every step of npm run check', () => {
  const [checks, ...others] = namesOf('check');
  expect(checks).toBe('checks');
  expect(projectsOf('test')).toContain('checks');
  expect(namesOf('test')).toEqual(expect.arrayContaining(others));
});

test('[P41] .ci/run runs test:all', () => {
  expect(readText('.ci/run')).toMatch(/^npm run test:all$/m);
  expect(JSON.parse(readText('package.json')).scripts['test:all']).toBe('exec node scripts/test.mjs all');
});

/** Modules that start processes or browsers. */
const STARTS_PROCESSES = /^(node:child_process|playwright|.*\/program\.fixture\.ts)$/;
const IS_INTEGRATION = /^packages\/server\/src\/(app|cli)\/|\.(process|browser)\.test\.ts$/;

test('[P48] a unit test starts no process and no browser', () => {
  const units = readFiles((path) => /^packages\/(core|server|client)\/src\/.*\.test\.ts$/.test(path));
  const starting = units
    .map(parseSource)
    .filter(({ imports }) => imports.some(({ specifier }) => STARTS_PROCESSES.test(specifier)))
    .map(({ path }) => path);
  expect(starting.filter((path) => !IS_INTEGRATION.test(path))).toEqual([]);
  expect(starting).not.toEqual([]);
});
