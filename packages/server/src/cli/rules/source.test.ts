import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ProjectRules, readRulesSource } from './source.ts';

let from = '';
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'hearth-rules-'));
});
afterEach(() => rmSync(from, { recursive: true }));

const RULES = '{"rules":{}}';

/** Writes a `firebase.json` and rules files to the directory. */
function writeProject(database: unknown, ...files: readonly string[]): void {
  writeFileSync(join(from, 'firebase.json'), JSON.stringify({ database }));
  for (const file of files) writeFileSync(join(from, file), RULES);
}

function read(path: string | undefined, database: ProjectRules['database'] = null): unknown {
  return readRulesSource(path, { projectId: 'shop', database, from });
}

test('[H285] a named file is read, regardless of the project', () => {
  writeProject({ rules: 'a.json' }, 'a.json', 'b.json');
  expect(read('b.json')).toEqual({ name: 'b.json', source: RULES });
  expect(read(join(from, 'b.json'), 'other')).toEqual({ name: 'b.json', source: RULES });
});

test('[H285] without a name, the only file of the project is read, if it is for the database', () => {
  writeProject({ rules: 'a.json' }, 'a.json');
  expect(read(undefined)).toMatchObject({ name: 'a.json' });
  expect(read(undefined, 'shop-default-rtdb')).toMatchObject({ name: 'a.json' });
  expect(() => read(undefined, 'other')).toThrow('Specify a rules file. firebase.json names none for other.');
});

test('[H285] of several files, the one for the database is read', () => {
  const database = [
    { instance: 'one', rules: 'a.json' },
    { instance: 'two', rules: 'b.json' },
  ];
  writeProject(database, 'a.json', 'b.json');
  expect(read(undefined, 'two')).toMatchObject({ name: 'b.json' });
  expect(() => read(undefined)).toThrow('Specify a rules file. firebase.json names several.');
});

test('[H285][H330] a project without rules and a missing file are reported', () => {
  writeProject({});
  expect(() => read(undefined)).toThrow('Specify a rules file. firebase.json names none.');
  expect(() => read('a.json')).toThrow(/^a\.json does not exist\.$/);
  mkdirSync(join(from, 'folder'));
  expect(() => read('folder')).toThrow(/^folder is a folder, not a file\.$/);
});

test('[H331] a byte order mark is not part of the rules', () => {
  writeFileSync(join(from, 'a.json'), `\ufeff${RULES}`);
  expect(read('a.json')).toEqual({ name: 'a.json', source: RULES });
});
