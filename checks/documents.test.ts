import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkCommands,
  checkLinks,
  checkMachinePaths,
  checkRuleNumbers,
  firstCommands,
} from './documents.ts';
import { isSource, ROOT, readFiles, readText } from './repository.ts';
import { findRules } from './spec-coverage.ts';

const documents = readFiles((path) => path.endsWith('.md'));
const scripts = Object.keys(JSON.parse(readText('package.json')).scripts);
const exists = (path: string) => existsSync(join(ROOT, path));

test('[P9] links lead to files that exist', () => {
  expect(documents.flatMap((file) => checkLinks(file, exists))).toEqual([]);
});

test.each([
  ['[a](b.md)', 1],
  ['![a](../b.png)', 1],
  ['[a](README.md#top) [b](none.md)', 1],
  ['[a](../README.md) [b](#top) [c](https://example.com/)', 0],
])('[P9] %s has %d dead links', (text, count) => {
  expect(
    checkLinks({ path: 'docs/a.md', text }, (path) => path === 'README.md' || path === 'docs/README.md'),
  ).toHaveLength(count);
});

test('[P10] the first commands of the README are npm start and npm test', () => {
  const readme = readText('README.md');
  expect(firstCommands({ path: 'README.md', text: readme })).toEqual(['npm start', 'npm test']);
  expect(readme.indexOf('```')).toBeLessThan(readme.indexOf('\n## '));
});

test('[P10] every npm script that a document names exists', () => {
  expect(documents.flatMap((file) => checkCommands(file, scripts))).toEqual([]);
});

test.each([
  ['`npm run nothing`', ['a.md:1: unknown npm script "nothing"']],
  ['npm ci\nnpm nothing:at-all -- --port 1', ['a.md:2: unknown npm script "nothing:at-all"']],
  ['npm test\nYou need npm and `npm test` again.', []],
])('[P10] %j has the problems %j', (text, problems) => {
  expect(checkCommands({ path: 'a.md', text }, ['test'])).toEqual(problems);
});

test('[P11] no file contains a path that exists on one machine only', () => {
  const files = readFiles((path) => isSource(path) || /\.(md|json)$/.test(path) || path === '.ci/run');
  expect(files.flatMap(checkMachinePaths)).toEqual([]);
});

test.each(['tmp', 'home', 'root', 'Users'])('[P11] a path below %s is reported', (folder) => {
  const path = ['', folder, 'somebody', 'project'].join('/');
  expect(checkMachinePaths({ path: 'a.md', text: `Fine: /rooms/tmp\ncd ${path}` })).toHaveLength(1);
  expect(checkMachinePaths({ path: 'a.md', text: `(${path})` })).toHaveLength(1);
});

test('[P28] documents mention only rules that exist', () => {
  const rules = documents.filter(({ path }) => path.startsWith('docs/spec/')).flatMap(findRules);
  const defined = new Set(rules.map(({ number }) => number));
  const others = documents.filter(({ path }) => !path.startsWith('docs/spec/'));
  expect(others.flatMap((file) => checkRuleNumbers(file, defined))).toEqual([]);
});

test('[P28] a rule that does not exist is reported', () => {
  const text = 'Done [A1].\nDone [A2] [A3].';
  expect(checkRuleNumbers({ path: 'a.md', text }, new Set(['A1', 'A3']))).toEqual([
    'a.md:2: [A2] is not defined',
  ]);
});
