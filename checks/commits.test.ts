import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { checkSubject } from './commits.ts';
import { ROOT } from './repository.ts';

/** Runs git and returns the lines of its output; none if git fails, for example because this is not a clone. */
function git(...options: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync('git', options, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** Returns the subjects of all commits, except merges, after the commit that added this check. */
function findSubjects(): readonly string[] {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'checks/commits.ts').at(-1);
  return added === undefined ? [] : git('log', '--no-merges', '--format=%s', `${added}..HEAD`);
}

test('[P45] the subject of a commit is an area and an imperative sentence, at most 72 characters in total', () => {
  expect(findSubjects().flatMap(checkSubject)).toEqual([]);
});

test.each([
  ['query: stop a limited listen from reading past its window', 0],
  ['server, console: feed the profiler in batches', 0],
  ['Stop reading past the window', 1],
  ['query: a limited listen stops', 1],
  ['query: stopped reading past the window', 1],
  ['query: stopping at the window', 1],
  ['query: Stop at the window', 1],
  ['query: stop at the window.', 1],
  [`query: stop ${'x'.repeat(60)}`, 0],
  [`query: stop ${'x'.repeat(61)}`, 1],
])('[P45] %s has %d problems', (subject, count) => {
  expect(checkSubject(subject)).toHaveLength(count);
});
