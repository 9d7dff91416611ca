import { expect, test } from 'vitest';
import { checkAmbientReads } from './ambient-reads.ts';
import { ALLOWED, checkBoundaries, findTarget } from './boundaries.ts';
import { findCycles } from './cycles.ts';
import { isSource, readFiles } from './repository.ts';
import { parseSource, type SourceFile } from './source-file.ts';

const sources = readFiles(isSource).map(parseSource);

function importGraph(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => findTarget(path, specifier) ?? []),
    ]),
  );
}

test('[P1][P2] every import follows an arrow of the allow-list', () => {
  expect(sources.length).toBeGreaterThan(10);
  expect(checkBoundaries(sources)).toEqual([]);
});

test.each([
  ['packages/core/src/tree/a.ts', `import { b } from '../query/b.ts'`, 'is not allowed: tree -> query'],
  ['packages/core/src/tree/a.ts', `import type { B } from '../query/b.ts'`, 'is not allowed: tree -> query'],
  ['packages/core/src/tree/a.ts', `export { b } from '../query/b.ts'`, 'is not allowed: tree -> query'],
  ['packages/core/src/tree/a.ts', `const b = await import('../query/b.ts')`, 'is not allowed: tree -> query'],
  [
    'packages/core/src/odd/a.ts',
    `import { b } from '../tree/b.ts'`,
    'comes from odd, which has no entry in ALLOWED',
  ],
  [
    'packages/core/src/tree/a.ts',
    `import { b } from '@hearth/server/storage/b.ts'`,
    'is not allowed: packages/core -> packages/server',
  ],
  [
    'packages/core/src/tree/a.test.ts',
    `import { b } from '@hearth/server/storage/b.ts'`,
    'is not allowed: packages/core -> packages/server',
  ],
  [
    'packages/server/src/storage/a.ts',
    `import '../../../core/src/tree/b.ts'`,
    'reaches into another package by a relative path',
  ],
  ['packages/server/src/storage/a.ts', `import { c } from '../auth/c.ts'`, 'is not allowed: storage -> auth'],
  [
    'conformance/suites/a.test.ts',
    `import { b } from '@hearth/core/tree/b.ts'`,
    'is not allowed: conformance -> packages/core',
  ],
  [
    'packages/server/src/storage/a.ts',
    `import { b } from '../../../../odd/b.ts'`,
    'leaves the packages of this repository',
  ],
  ['packages/server/src/realtime/a.ts', `import { b } from '../storage/kv/contract.ts'`, 'is only for tests'],
])('[P1] %s: %s %s', (path, text, reason) => {
  expect(checkBoundaries([parseSource({ path, text })])).toEqual([
    expect.stringMatching(new RegExp(`${path}:1: .*${reason}$`)),
  ]);
});

test.each(['storage/kv/lmdb.ts', 'storage/kv/memory.ts', 'storage/log/embedded.ts'])(
  '[P2] apart from tests, only the composition root may import %s from another folder',
  (file) => {
    const text = `import { x } from '../${file}'`;
    expect(checkBoundaries([parseSource({ path: 'packages/server/src/realtime/a.ts', text })])).toHaveLength(
      1,
    );
    expect(checkBoundaries([parseSource({ path: 'packages/server/src/realtime/a.test.ts', text })])).toEqual(
      [],
    );
    const root = { path: 'packages/server/src/app/app.ts', text };
    expect(checkBoundaries([parseSource(root)])).toEqual([]);
  },
);

test.each(Object.entries(ALLOWED.folders))(
  '[P3] the allowed arrows between the folders of %s form no cycle',
  (_name, folders) => {
    expect(findCycles(new Map(Object.entries(folders)))).toEqual([]);
  },
);

test('[P3] no file imports itself through other files', () => {
  expect(findCycles(importGraph(sources))).toEqual([]);
});

test.each<readonly [readonly (readonly [string, readonly string[]])[], readonly (readonly string[])[]]>([
  [[['a', ['a']]], [['a', 'a']]],
  [
    [
      ['a', ['b']],
      ['b', ['a']],
    ],
    [['a', 'b', 'a']],
  ],
  [
    [
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['b']],
    ],
    [['b', 'c', 'b']],
  ],
  [
    [
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', []],
    ],
    [],
  ],
])('[P3] the cycles of %j are %j', (edges, cycles) => {
  expect(findCycles(new Map(edges))).toEqual(cycles);
});

test('[P4] in core and server, only platform reads the time, random values and the environment', () => {
  expect(checkAmbientReads(sources)).toEqual([]);
});

test.each([
  ['packages/core/src/tree/a.ts', 'const t = Date.now()', 1],
  ['packages/core/src/tree/a.ts', 'const t = new Date()', 1],
  ['packages/core/src/tree/a.ts', 'const t = new Date(timeMs)', 0],
  ['packages/core/src/tree/a.ts', 'const { random } = Math', 1],
  ['packages/server/src/storage/a.ts', `const v = process['env'].X`, 1],
  ['packages/server/src/storage/a.ts', `import { randomBytes as bytes } from 'node:crypto'`, 1],
  ['packages/server/src/storage/a.ts', `import { createHash } from 'node:crypto'`, 0],
  ['packages/server/src/storage/a.ts', '// Date.now() would be wrong here\nconst t = "Date.now"', 0],
  ['packages/server/src/storage/a.test.ts', 'const t = performance.now()', 0],
  ['packages/server/src/platform/clock.ts', 'const t = performance.now()', 0],
  ['packages/server/src/cli/main.ts', 'const a = process.argv', 0],
  ['packages/server/src/cli/dev.ts', 'const a = process.argv', 1],
])('[P4] %s: %s has %d problems', (path, text, count) => {
  expect(checkAmbientReads([parseSource({ path, text })])).toHaveLength(count);
});
