import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFirebaseProject, findForeignHost, projectPresets, resolveProject } from './firebase-json.ts';
import { findRulesFiles } from './rules-files.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-project-'));
});
afterEach(() => rmSync(base, { recursive: true }));

function write(config: string, rc?: unknown): void {
  writeFileSync(join(base, 'firebase.json'), config);
  if (rc !== undefined) writeFileSync(join(base, '.firebaserc'), JSON.stringify(rc));
}

/** Returns the project of a directory. */
function find(from = base): NonNullable<ReturnType<typeof findFirebaseProject>> {
  const project = findFirebaseProject(from);
  if (project === undefined) throw new Error('no project');
  return project;
}

/** Writes a project with an entry `database`, and returns its rules files, with paths relative to the project. */
function rulesFiles(database: unknown, rc?: unknown): readonly unknown[] {
  write(JSON.stringify({ database }), rc);
  return findRulesFiles(find(), 'shop').map(({ path, databases }) => [
    path.slice(base.length + 1),
    databases,
  ]);
}

test('[H170] firebase.json is found in the directory and above it, and may have comments', () => {
  const inside = join(base, 'a/b');
  mkdirSync(inside, { recursive: true });
  expect(findFirebaseProject(inside)).toBeUndefined();
  write('{ // a comment\n "database": {"rules": "r.json"} /* and another */ }');
  expect(find(inside)).toMatchObject({ directory: base, configName: join(base, 'firebase.json') });
  expect(find().configName).toBe('firebase.json');
});

test.each([
  ['{\n  "database": {,}\n}', /^firebase\.json:2:16: /],
  ['{', /^firebase\.json:1:2: /],
  ['[]', /^firebase\.json:1:1: The file must contain an object in braces\.$/],
])('[H171] the error in the firebase.json %j is reported with its position', (config, message) => {
  write(config);
  expect(() => find()).toThrow(message);
});

test('[H171] a syntax error in .firebaserc is reported with its position', () => {
  write('{}');
  writeFileSync(join(base, '.firebaserc'), '{"projects":\n  nope}');
  expect(() => find()).toThrow(/^\.firebaserc:2:3: /);
});

test('[H172] the default project and a local address of the emulator are default options, and an invalid port is rejected', () => {
  write('{"emulators":{"database":{"host":"localhost","port":9100}}}', {
    projects: { default: 'shop', staging: 'shop-2' },
  });
  expect(projectPresets(find())).toEqual({ host: 'localhost', port: 9100, project: 'shop' });
  expect(resolveProject(find(), 'staging')).toBe('shop-2');
  expect(resolveProject(find(), 'else')).toBe('else');
  write('{"emulators":{"database":{"host":"0.0.0.0"}}}', {});
  expect(projectPresets(find())).toEqual({});
  expect(findForeignHost(find())).toBe('0.0.0.0');
  write('{"emulators":{"database":{"port":"9000"}}}');
  expect(() => projectPresets(find())).toThrow('firebase.json: "port" of "emulators.database" must be');
});

test('[H173] a single rules file is for the default database and the database with the name of the project', () => {
  expect(rulesFiles({ rules: 'r.json' })).toEqual([['r.json', ['shop-default-rtdb', 'shop']]]);
  expect(rulesFiles(undefined)).toEqual([]);
  expect(rulesFiles({})).toEqual([]);
});

test('[H173] each of several rules files is for the instance that its entry names, or for the instances of its target', () => {
  const rc = { targets: { shop: { database: { main: ['Shop-One', 'shop-two'] } }, other: {} } };
  const database = [
    { target: 'main', rules: 'rules/main.json' },
    { instance: 'shop-three', rules: 'three.json' },
  ];
  expect(rulesFiles(database, rc)).toEqual([
    ['rules/main.json', ['shop-one', 'shop-two']],
    ['three.json', ['shop-three']],
  ]);
});

test.each([
  ['rules.json', '"database" must be an object'],
  [[5], '"database" must be an object'],
  [{ rules: 5 }, '"rules" of "database" must be the name of a file'],
  [[{ instance: 'a' }], '"rules" of "database" must be the name of a file'],
  [[{ rules: 'r.json' }], 'needs an "instance" or a "target"'],
  [[{ instance: 'a.b', rules: 'r.json' }], '"a.b" is not the name of a database instance'],
  [[{ target: 'main', rules: 'r.json' }], 'firebase target:apply database main <instance>'],
  [
    [
      { instance: 'a', rules: 'r.json' },
      { instance: 'A', rules: 's.json' },
    ],
    'names rules for a twice',
  ],
])('[H171] the value %j of the entry "database" is rejected', (database, message) => {
  expect(() => rulesFiles(database, {})).toThrow(message);
});
