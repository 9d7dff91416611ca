import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { MAX_DIFFERENCES } from '../../storage/tree/compare.ts';
import type { ImportMode, ImportState, WritingMode } from './import.ts';
import { WRITING_MODES } from './import.ts';
import { ImportTestBed, pieces } from './test-bed.fixture.ts';

type Json = string | number | null | { readonly [key: string]: Json };

const LARGE = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, 'x'.repeat(100)]));

/** Objects with few different keys, so that two of them share many. Some children are large. */
const objects = fc.letrec<{ readonly value: Json; readonly object: { readonly [key: string]: Json } }>(
  (tie) => ({
    value: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Json>(1, 2, 'text', 'y'.repeat(1_000)) },
      { weight: 1, arbitrary: fc.constantFrom<Json>(LARGE, { ...LARGE, k3: 'other', more: { a: 1 } }) },
      { weight: 3, arbitrary: tie('object') },
    ),
    object: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', '1'),
      fc.oneof({ weight: 6, arbitrary: tie('value') }, { weight: 1, arbitrary: fc.constant<Json>(null) }),
      { maxKeys: 4, depthIdentifier: 'object' },
    ),
  }),
).object;

/** Returns every leaf by path. Empty objects and `null` have none. */
function leavesOf(
  json: unknown,
  path = '',
  found = new Map<string, unknown>(),
): ReadonlyMap<string, unknown> {
  if (typeof json !== 'object' || json === null) return json === null ? found : found.set(path, json);
  for (const [key, child] of Object.entries(json)) leavesOf(child, `${path}/${key}`, found);
  return found;
}

/** Returns what a deep merge makes of two values: `null` changes nothing. */
function deepMerge(before: Json, source: Json): Json {
  if (source === null || leavesOf(source).size === 0) return before;
  if (typeof source !== 'object' || typeof before !== 'object' || before === null) return source;
  const merged: Record<string, Json> = { ...before };
  for (const [key, child] of Object.entries(source)) merged[key] = deepMerge(merged[key] ?? null, child);
  return merged;
}

let imports = 0;

async function runImport(
  bed: ImportTestBed,
  mode: ImportMode,
  json: unknown,
  previewOf?: WritingMode,
): Promise<ImportState> {
  imports += 1;
  const id = `import-${imports}`;
  const request = { path: parsePath('place'), mode, ...(previewOf === undefined ? {} : { previewOf }) };
  await bed.imports.create('d', id, { ...request, undoableBy: 'ann' });
  return await bed.imports.append('d', id, {
    offset: 0,
    chunks: pieces(JSON.stringify(json), 500),
    isLast: true,
  });
}

async function placeOf(bed: ImportTestBed): Promise<Json> {
  return JSON.parse(await bed.read('place'));
}

describe('[H227] a comparison', () => {
  test.each(WRITING_MODES)('[H227] counts what an import in mode %s then changes', async (mode) => {
    await fc.assert(
      fc.asyncProperty(objects, objects, fc.nat({ max: 20 }), async (before, source, tickMs) => {
        const bed = new ImportTestBed();
        bed.tickMs = tickMs;
        await bed.write('place', before);
        const left = leavesOf(await placeOf(bed));
        const { status, counts, differences = [] } = await runImport(bed, 'compare', source, mode);
        expect(status).toBe('done');
        expect(leavesOf(await placeOf(bed))).toEqual(left);
        await runImport(bed, mode, source);
        const right = leavesOf(await placeOf(bed));
        // A leaf that is an object on the other side is changed.
        const isObject = (side: typeof left, path: string): boolean =>
          [...side.keys()].some((other) => other.startsWith(`${path}/`));
        const added = [...right.keys()].filter((path) => !left.has(path) && !isObject(left, path));
        const removed = [...left.keys()].filter((path) => !right.has(path) && !isObject(right, path));
        const changed = [
          ...[...right].filter(([path, value]) =>
            left.has(path) ? left.get(path) !== value : isObject(left, path),
          ),
          ...[...left].filter(([path]) => isObject(right, path)),
        ];
        expect(counts).toMatchObject({
          added: added.length,
          changed: changed.length,
          removed: removed.length,
        });
        // Every difference is at, above or below a leaf that differs, and every leaf that differs is listed.
        const listed = differences.map(({ path }) => (path === '' ? '' : `/${path}`));
        if (listed.length < MAX_DIFFERENCES)
          for (const path of [...added, ...removed, ...changed.map(([at]) => at)])
            expect(listed.some((at) => path === at || path.startsWith(`${at}/`))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('[H227] lists the first differences of each kind with their values', async () => {
    const bed = new ImportTestBed();
    await bed.write('place', { a: 1, b: { c: 'old', gone: true }, d: 4, e: { x: 1 } });
    const source = { a: 1, b: { c: 'new' }, d: null, f: { y: 'z'.repeat(99) } };
    const of = async (mode: WritingMode): Promise<unknown> =>
      (await runImport(bed, 'compare', source, mode)).differences;
    const changed = { kind: 'changed', path: 'b/c', before: '"old"', after: '"new"' };
    const added = { kind: 'added', path: 'f', before: null, after: `{"y":"${'z'.repeat(54)}…` };
    const removed = [
      { kind: 'removed', path: 'b/gone', before: 'true', after: null },
      { kind: 'removed', path: 'd', before: '4', after: null },
      { kind: 'removed', path: 'e', before: '{"x":1}', after: null },
    ];
    expect(await of('replace')).toEqual([changed, ...removed, added]);
    expect(await of('merge')).toEqual([changed, ...removed.slice(0, 2), added]);
    expect(await of('deep-merge')).toEqual([changed, added]);
  });

  test.each([
    ['small', { x: 1, y: 2 }, '{"x":1,"y":2}', 2],
    ['large', LARGE, '', 40],
  ])(
    '[H227] counts a value that takes the place of a %s object as changed',
    async (_size, object, text, leaves) => {
      const bed = new ImportTestBed();
      await bed.write('place', { a: object, b: 'text' });
      const { counts, differences } = await runImport(bed, 'compare', { a: 5, b: object }, 'merge');
      expect(counts).toMatchObject({ added: leaves, changed: 2, removed: leaves });
      expect(differences).toEqual([
        { kind: 'changed', path: 'a', before: text, after: '5' },
        { kind: 'changed', path: 'b', before: '"text"', after: text },
      ]);
    },
  );

  test('[H227] lists at most 50 differences of each kind, and a large node as one', async () => {
    const bed = new ImportTestBed();
    await bed.write('place', { kept: 1 });
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`n${at}`, 'v'.repeat(40)]));
    const { counts, differences } = await runImport(bed, 'compare', many, 'deep-merge');
    expect(counts).toMatchObject({ added: 120, removed: 0 });
    expect(differences).toHaveLength(MAX_DIFFERENCES);
    const large = await runImport(bed, 'compare', { deep: { many } }, 'deep-merge');
    expect(large.differences).toEqual([{ kind: 'added', path: 'deep', before: null, after: '' }]);
  });

  test('[H227] of a merge fails for a source that cannot be merged', async () => {
    const bed = new ImportTestBed();
    for (const source of [5, { '.priority': 1, a: 1 }])
      expect(await runImport(bed, 'compare', source, 'merge')).toMatchObject({ status: 'failed' });
  });
});

describe('[H239] a deep merge', () => {
  test('[H239] merges objects at every level, and removes nothing that the source does not replace', async () => {
    await fc.assert(
      fc.asyncProperty(objects, objects, fc.nat({ max: 20 }), async (before, source, tickMs) => {
        const bed = new ImportTestBed();
        bed.tickMs = tickMs;
        await bed.write('place', before);
        const state = await runImport(bed, 'deep-merge', source);
        expect(state.status).toBe('done');
        expect(leavesOf(await placeOf(bed))).toEqual(leavesOf(deepMerge(before, source)));
        // The import leaves no part of the source behind.
        await bed.write('place', null);
        if (state.change !== undefined) await bed.changes.forget('d', state.change);
        expect(bed.counts()).toMatchObject({ tree: 0, index: 0, garbage: 0 });
      }),
      { numRuns: 60 },
    );
  });

  test('[H239] an invalid source changes nothing', async () => {
    const bed = new ImportTestBed();
    await bed.write('place', { a: 1 });
    await bed.imports.create('d', 'import-bad', { path: parsePath('place'), mode: 'deep-merge' });
    const state = await bed.imports.append('d', 'import-bad', {
      offset: 0,
      chunks: pieces('{"a":2,"b":{"c":3},"b":4}'),
      isLast: true,
    });
    expect(state).toMatchObject({ status: 'failed', position: { line: 1 } });
    expect(await placeOf(bed)).toEqual({ a: 1 });
  });

  test('[H239][L122] is undone as one change', async () => {
    const bed = new ImportTestBed();
    const before = { a: { b: 1, large: LARGE }, text: 'x' };
    await bed.write('place', before);
    const source = { a: { b: 2, large: { ...LARGE, k1: 'new' }, more: LARGE }, text: { now: 'object' } };
    bed.tickMs = 20;
    const { change } = await runImport(bed, 'deep-merge', source);
    expect(await placeOf(bed)).toEqual(deepMerge(before, source));
    await bed.changes.undo('d', change ?? Number.NaN, { identity: ADMIN, author: 'bob', confirmed: null });
    expect(await placeOf(bed)).toEqual(before);
  });

  test('[H239] a stored object keeps its priority, and a leaf gets that of the source', async () => {
    const bed = new ImportTestBed();
    await bed.write('place', {
      '.priority': 3,
      a: { '.priority': 4, x: 1 },
      b: { '.value': 1, '.priority': 5 },
    });
    await runImport(bed, 'deep-merge', { '.priority': 9, a: { '.priority': 9, y: 2 }, b: 2 });
    expect(await placeOf(bed)).toEqual({
      a: { x: 1, y: 2, '.priority': 4 },
      b: 2,
      '.priority': 3,
    });
  });

  test('[H239][H235] the log omits values beyond the first 4 MiB of the source', async () => {
    const bed = new ImportTestBed();
    await bed.write('place', { a: { first: 1 } });
    await runImport(bed, 'deep-merge', { a: { second: 2 }, long: 'l'.repeat(5 * 2 ** 20) });
    const written = bed.commits().flatMap(({ writes }) => writes.map(({ kind }) => kind));
    expect(written.at(-1)).toBe('linked');
    expect(await placeOf(bed)).toMatchObject({ a: { first: 1, second: 2 } });
  });
});
