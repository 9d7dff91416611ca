import { crc32 } from 'node:zlib';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { CompareSource } from './compare.ts';
import { DeepMergeSource } from './deep-merge.ts';
import { BEFORE, SOURCE as IMPORTED, importSourceContract } from './import.contract.ts';
import type { ImportMode } from './import.ts';
import { MAX_LOGGED_BYTES, MergeSource } from './merge.ts';
import { MAX_OPEN_IMPORTS, MAX_OVER_IMPORTS } from './record.ts';
import { ReplaceSource } from './replace.ts';
import { brokenPieces, ImportTestBed, pieces, STREAMED_WRITES } from './test-bed.fixture.ts';

const ID = 'import-1';
const ROOMS = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`room${String(at).padStart(2, '0')}`, { at, name: 'é'.repeat(30) }]),
);
const SOURCE = JSON.stringify({ rooms: ROOMS, title: 'all', '.priority': 7 });

function request(mode: ImportMode, path = 'place'): Parameters<ImportTestBed['imports']['create']>[2] {
  return { path: parsePath(path), mode };
}

importSourceContract('replace', {
  begin: (options, transaction, database) => {
    const indexes = { catalog: database.tree(transaction).indexCatalog(), later: [] };
    return new ReplaceSource(options, { kind: 'replace', indexes, json: null });
  },
  resume: (options, state) => new ReplaceSource(options, state),
  result: { data: { ...BEFORE, here: IMPORTED }, counts: {} },
});

importSourceContract('merge', {
  begin: (options, transaction, database) => {
    const indexes = { catalog: database.tree(transaction).indexCatalog(), later: [] };
    return new MergeSource(options, { kind: 'merge', indexes, scan: null });
  },
  resume: (options, state) => new MergeSource(options, state),
  result: { data: { ...BEFORE, here: { ...BEFORE.here, ...IMPORTED } }, counts: { children: 3 } },
});

importSourceContract('deep-merge', {
  begin: (options, transaction, database) => {
    const indexes = { catalog: database.tree(transaction).indexCatalog(), later: [] };
    return new DeepMergeSource(options, {
      kind: 'deep-merge',
      indexes,
      json: null,
      walk: null,
      takenBytes: 0,
    });
  },
  resume: (options, state) => new DeepMergeSource(options, state),
  result: { data: { ...BEFORE, here: { ...BEFORE.here, ...IMPORTED } }, counts: { children: 2 } },
});

importSourceContract('compare', {
  begin: (options) =>
    new CompareSource(options, {
      kind: 'compare',
      previewOf: 'replace',
      json: null,
      dropped: null,
      walk: null,
    }),
  resume: (options, state) => new CompareSource(options, state),
  result: { data: BEFORE, counts: { added: 41, changed: 1, removed: 1, unchanged: 0 } },
});

test('[H220] an import is started once and found by its id', async () => {
  const { imports } = new ImportTestBed();
  const open = { id: ID, path: '/place', mode: 'replace', status: 'open', offset: 0, crc32: 0, counts: {} };
  await expect(imports.create('d', ID, request('replace'))).resolves.toEqual(open);
  await imports.append('d', ID, { offset: 0, chunks: pieces('{"a":'), isLast: false });
  await expect(imports.create('d', ID, request('replace'))).resolves.toMatchObject({ offset: 5 });
  for (const other of [request('merge'), request('replace', 'other')])
    await expect(imports.create('d', ID, other)).rejects.toMatchObject({
      code: 'import/conflict',
      state: { offset: 5, mode: 'replace' },
    });
  await expect(imports.read('other', ID)).rejects.toMatchObject({ code: 'import/unknown' });
});

test('[H221] bytes that do not start at the offset are rejected with the state', async () => {
  const { imports } = new ImportTestBed();
  await imports.create('d', ID, request('replace'));
  await imports.append('d', ID, { offset: 0, chunks: pieces('{"a":'), isLast: false });
  for (const offset of [0, 4, 6])
    await expect(
      imports.append('d', ID, { offset, chunks: pieces('1}'), isLast: true }),
    ).rejects.toMatchObject({ code: 'import/conflict', state: { offset: 5, status: 'open' } });
  await expect(
    imports.append('d', ID, { offset: 5, chunks: pieces('1}'), isLast: true }),
  ).resolves.toMatchObject({
    status: 'done',
    offset: 7,
  });
});

test('[H222][H223] an import that is interrupted anywhere and resumed by another process stores its whole source', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 6 }), async (breaks) => {
      const store = new MemoryStore();
      const bytes = Buffer.from(SOURCE);
      let testBed = new ImportTestBed(store);
      let { offset } = await testBed.imports.create('d', ID, request('replace'));
      for (const bytesUntil of breaks) {
        const rest = bytes.subarray(offset);
        const chunks = brokenPieces(rest, bytesUntil % (rest.length + 1));
        await expect(testBed.imports.append('d', ID, { offset, chunks, isLast: true })).rejects.toThrow(
          'is gone',
        );
        testBed = new ImportTestBed(store);
        const state = await testBed.imports.read('d', ID);
        expect(state.crc32).toBe(crc32(bytes.subarray(0, state.offset)));
        expect(state.offset).toBeGreaterThanOrEqual(offset);
        offset = state.offset;
        await expect(testBed.read('place')).resolves.toBe('null');
      }
      const chunks = pieces(bytes.subarray(offset), 100);
      const done = await testBed.imports.append('d', ID, { offset, chunks, isLast: true });
      expect(done).toMatchObject({ status: 'done', offset: bytes.length, crc32: crc32(bytes) });
      await expect(testBed.read('place')).resolves.toBe(SOURCE);
      const again = new ImportTestBed();
      await again.write('place', JSON.parse(SOURCE));
      expect(testBed.counts()).toEqual(again.counts());
    }),
    { numRuns: 40 },
  );
});

test('[H224] nothing is visible before the source is complete, and finishing again changes nothing', async () => {
  const testBed = new ImportTestBed();
  const { imports } = testBed;
  await testBed.write('place', { before: true });
  await imports.create('d', ID, request('replace'));
  await imports.append('d', ID, { offset: 0, chunks: pieces(SOURCE), isLast: false });
  await expect(testBed.read('place')).resolves.toBe('{"before":true}');
  await expect(imports.finish('d', ID)).resolves.toMatchObject({ status: 'done' });
  await expect(testBed.read('place')).resolves.toBe(SOURCE);
  await testBed.write('place', { after: true });
  await expect(imports.finish('d', ID)).resolves.toMatchObject({ status: 'done' });
  await expect(testBed.read()).resolves.toBe('{"place":{"after":true}}');
});

test.each([
  ['{"a":1,}', { byte: 7, line: 1, column: 8 }],
  ['{"a":1,\n"a":2}', { byte: 8, line: 2, column: 1 }],
  [`{"rooms":${JSON.stringify(ROOMS)},"x":{"y":"${'z'.repeat(3000)}"`, { byte: 8012, line: 1, column: 8013 }],
  [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, { byte: 160, line: 1, column: 161 }],
])(
  '[H225] an invalid source fails with its position, changes nothing and leaves nothing behind: %#',
  async (text, position) => {
    const testBed = new ImportTestBed();
    await testBed.write('place', { before: true });
    const before = testBed.counts();
    for (const mode of ['replace', 'compare'] as const) {
      const id = `import-${mode}`;
      await testBed.imports.create('d', id, request(mode));
      const failed = await testBed.imports.append('d', id, {
        offset: 0,
        chunks: pieces(text, 1000),
        isLast: true,
      });
      expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('at line') });
      if (position.byte !== 8012) expect(failed.position).toEqual(position);
      await expect(testBed.imports.read('d', id)).resolves.toEqual(failed);
      await expect(testBed.imports.finish('d', id)).resolves.toEqual(failed);
    }
    await expect(testBed.read()).resolves.toBe('{"place":{"before":true}}');
    expect(testBed.counts()).toEqual(before);
  },
);

test('[H226] a merge replaces children by name, small or large, removes with null, and keeps the others', async () => {
  const testBed = new ImportTestBed();
  await testBed.write('place', { a: 1, b: { old: true }, c: 3, '.priority': 5 });
  await testBed.imports.create('d', ID, request('merge'));
  const text = JSON.stringify({
    b: { new: 1 },
    c: null,
    large: ROOMS,
    d: [1, { '.value': 2, '.priority': 'p' }],
  });
  const done = await testBed.imports.append('d', ID, { offset: 0, chunks: pieces(text, 50), isLast: true });
  expect(done).toMatchObject({ status: 'done', counts: { children: 4 } });
  const expected = {
    a: 1,
    b: { new: 1 },
    d: { 0: 1, 1: { '.value': 2, '.priority': 'p' } },
    large: ROOMS,
    '.priority': 5,
  };
  await expect(testBed.read('place')).resolves.toBe(JSON.stringify(expected));
  const again = new ImportTestBed();
  await again.write('place', expected);
  expect(testBed.counts()).toEqual(again.counts());
});

test('[H226] a failed merge has written exactly the children before the error', async () => {
  for (const [text, sentence] of [
    [`{"b":2,"large":${JSON.stringify(ROOMS)},"c":{"d":1,"d":2},"e":1}`, 'Duplicate key'],
    [`{"b":2,"large":${JSON.stringify(ROOMS)},"b":3}`, 'Duplicate key'],
    [`{"b":2,"large":${JSON.stringify(ROOMS)},"c":tru}`, 'Expected a value'],
    [`{"b":2,"large":${JSON.stringify(ROOMS)},"c":{"d":1}`, 'Unexpected end'],
  ] as const) {
    const testBed = new ImportTestBed();
    await testBed.write('place', { a: 1, b: 0, e: 0 });
    await testBed.imports.create('d', ID, request('merge'));
    const failed = await testBed.imports.append('d', ID, {
      offset: 0,
      chunks: pieces(text, 50),
      isLast: true,
    });
    expect(failed.error).toContain(sentence);
    const children = sentence === 'Unexpected end' ? 3 : 2;
    expect(failed).toMatchObject({ status: 'failed', counts: { children } });
    const merged = { a: 1, b: 2, ...(children === 3 ? { c: { d: 1 } } : {}), e: 0, large: ROOMS };
    await expect(testBed.read('place')).resolves.toBe(JSON.stringify(merged));
    const again = new ImportTestBed();
    await again.write('place', merged);
    expect(testBed.counts()).toEqual(again.counts());
  }
});

test('[H235] the log has the first values of a large merge, and then only their names', async () => {
  const testBed = new ImportTestBed();
  const text = 'x'.repeat(1500);
  const children = Object.fromEntries(
    Array.from({ length: 3000 }, (_, at) => [`c${at + 1000}`, { at, text }]),
  );
  await testBed.write('place', { c1000: 1, kept: 2, c2499: 3 });
  await testBed.imports.create('d', ID, request('merge'));
  const source = JSON.stringify({ ...children, d: null, kept: 5 });
  expect(source.length).toBeGreaterThan(MAX_LOGGED_BYTES + 100_000);
  const done = await testBed.imports.append('d', ID, {
    offset: 0,
    chunks: pieces(source, 65_536),
    isLast: true,
  });
  expect(done).toMatchObject({ status: 'done', counts: { children: 3002 } });
  await expect(testBed.read('place')).resolves.toBe(JSON.stringify({ ...children, kept: 5 }));
  const kinds = testBed.commits().map(({ writes }) => writes[0]?.kind);
  expect(kinds.slice(0, 3)).toEqual(['node', 'node', 'node']);
  expect(kinds.slice(-2)).toEqual(['linked', 'linked']);
  const again = new ImportTestBed();
  await again.write('place', { ...children, kept: 5 });
  expect(testBed.counts()).toEqual(again.counts());
});

test.each([
  ['[1,2]', 'needs a JSON object'],
  ['"text"', 'needs a JSON object'],
  ['{".priority":1,"a":1}', 'keeps the priority'],
  ['{"a.b":1}', 'Keys must be'],
])('[H226] %s cannot be merged', async (text, sentence) => {
  const { imports } = new ImportTestBed();
  await imports.create('d', ID, request('merge'));
  const failed = await imports.append('d', ID, { offset: 0, chunks: pieces(text), isLast: true });
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining(sentence) });
});

test('[H226] a merge resumed in another process knows the names of the earlier children', async () => {
  const store = new MemoryStore();
  const first = new ImportTestBed(store);
  await first.imports.create('d', ID, request('merge', ''));
  await first.imports.append('d', ID, { offset: 0, chunks: pieces('{"a":1,"b":{"c":2,"d"'), isLast: false });
  await expect(first.read()).resolves.toBe('{"a":1}');
  const second = new ImportTestBed(store);
  const { offset } = await second.imports.read('d', ID);
  expect(offset).toBe(21);
  await second.imports.append('d', ID, { offset, chunks: pieces(':3}, "e":4'), isLast: false });
  await expect(second.read()).resolves.toBe('{"a":1,"b":{"c":2,"d":3}}');
  const failed = await second.imports.append('d', ID, {
    offset: offset + 9,
    chunks: pieces('4,"a":2}'),
    isLast: true,
  });
  expect(failed.error).toContain('Duplicate key');
  await expect(second.read()).resolves.toBe('{"a":1,"b":{"c":2,"d":3},"e":4}');
});

test('[H227] a comparison counts leaves and changes nothing', async () => {
  const testBed = new ImportTestBed();
  await testBed.write('place', {
    rooms: { ...ROOMS, gone: { a: 1, b: 2 } },
    title: 'some',
    n: { '.value': 1, '.priority': 2 },
  });
  const before = testBed.counts();
  const whole = await testBed.read();
  await testBed.imports.create('d', ID, request('compare'));
  const text = JSON.stringify({ rooms: { ...ROOMS, room00: { at: 5, more: [1, 2] } }, title: 'all', n: 1 });
  const done = await testBed.imports.append('d', ID, { offset: 0, chunks: pieces(text, 90), isLast: true });
  expect(done).toMatchObject({
    status: 'done',
    counts: { added: 2, changed: 3, removed: 3, unchanged: 118 },
  });
  await expect(testBed.read()).resolves.toBe(whole);
  expect(testBed.counts()).toEqual(before);
});

test('[H228] a full disk rejects bytes, and the import can be resumed when there is space', async () => {
  for (const mode of ['replace', 'merge'] as const) {
    const testBed = new ImportTestBed();
    const text = JSON.stringify(ROOMS);
    await testBed.imports.create('d', ID, request(mode, ''));
    await testBed.imports.append('d', ID, { offset: 0, chunks: pieces(text.slice(0, 3000)), isLast: false });
    const { offset } = await testBed.imports.read('d', ID);
    let failures = 0;
    for (const atPut of [3, null]) {
      const chunks = (async function* () {
        yield Buffer.from(text).subarray(offset, offset + 1000);
        testBed.store.failNext({ kind: 'full', atPut });
        yield Buffer.from(text).subarray(offset + 1000);
      })();
      await testBed.imports.append('d', ID, { offset, chunks, isLast: true }).catch((error) => {
        expect(error).toMatchObject({ code: 'store/full' });
        failures += 1;
      });
      if (testBed.store.hasFailed) break;
    }
    expect(failures).toBe(1);
    const state = await testBed.imports.read('d', ID);
    const chunks = pieces(Buffer.from(text).subarray(state.offset), 100);
    const done = await testBed.imports.append('d', ID, { offset: state.offset, chunks, isLast: true });
    expect(done).toMatchObject({ status: 'done', crc32: crc32(Buffer.from(text)) });
    await expect(testBed.read()).resolves.toBe(text);
  }
});

test('[H229] a later request continues an import whose earlier request hangs', async () => {
  const { imports } = new ImportTestBed();
  await imports.create('d', ID, request('replace'));
  const silent = (async function* () {
    yield Buffer.from('{"a":');
    await new Promise(() => undefined);
  })();
  const hanging = imports.append('d', ID, { offset: 0, chunks: silent, isLast: true });
  const denied = expect(hanging).rejects.toMatchObject({ code: 'import/conflict' });
  let offset = 0;
  while (offset === 0) ({ offset } = await imports.read('d', ID));
  const done = await imports.append('d', ID, { offset, chunks: pieces('1}'), isLast: true });
  expect(done.status).toBe('done');
  await denied;
});

test('[H222] an import that runs when the server stops can be resumed at its current offset', async () => {
  const store = new MemoryStore();
  const testBed = new ImportTestBed(store);
  await testBed.imports.create('d', ID, request('replace'));
  const endless = (async function* () {
    yield Buffer.from('{"a":');
    await new Promise(() => undefined);
  })();
  const stopped = expect(
    testBed.imports.append('d', ID, { offset: 0, chunks: endless, isLast: true }),
  ).rejects.toMatchObject({ code: 'request/overload' });
  while ((await testBed.imports.read('d', ID)).offset === 0);
  await testBed.imports.close();
  await stopped;
  await expect(testBed.imports.finish('d', ID)).rejects.toMatchObject({ code: 'request/overload' });
  await expect(new ImportTestBed(store).imports.read('d', ID)).resolves.toMatchObject({
    offset: 5,
    status: 'open',
  });
});

test('[H230] the numbers of open and of stored imports are limited', async () => {
  const testBed = new ImportTestBed();
  const { imports } = testBed;
  const idOf = (number: number): string => `import-${number}`;
  const begin = (number: number): Promise<unknown> => imports.create('d', idOf(number), request('replace'));
  for (let number = 0; number < MAX_OPEN_IMPORTS; number += 1) await begin(number);
  await expect(begin(1000)).rejects.toMatchObject({ code: 'import/too-many' });
  await expect(imports.create('other', idOf(1000), request('replace'))).resolves.toMatchObject({
    status: 'open',
  });
  testBed.nowMs += 8 * 24 * 3_600_000;
  await begin(1000);
  await expect(imports.read('d', idOf(0))).rejects.toMatchObject({ code: 'import/unknown' });
  for (let number = 2000; number <= 2000 + MAX_OVER_IMPORTS; number += 1) {
    testBed.nowMs += 1;
    await begin(number);
    await imports.append('d', idOf(number), { offset: 0, chunks: pieces('1'), isLast: true });
  }
  await begin(3000);
  await expect(imports.read('d', idOf(2000))).rejects.toMatchObject({ code: 'import/unknown' });
  await expect(imports.read('d', idOf(2002))).resolves.toMatchObject({ status: 'done' });
});

test('[H231] a write of any size takes effect completely or not at all', async () => {
  const testBed = new ImportTestBed();
  const { imports, databases } = testBed;
  const write = {
    operation: 'PUT',
    identity: ANONYMOUS,
    path: parsePath('place'),
    areTriggersDisabled: false,
  } as const;
  await testBed.write('place', { before: true });
  const before = testBed.counts();
  await expect(imports.stageSet('d', write, brokenPieces(SOURCE, 5000))).rejects.toThrow('is gone');
  await expect(imports.stageSet('d', write, pieces(`${SOURCE}}`, 500))).rejects.toThrow('(byte ');
  await databases.writeRules('d', { kind: 'admin' }, '{"rules":{".read":true}}');
  await expect(imports.stageSet('d', write, pieces(SOURCE, 500))).rejects.toMatchObject({
    code: 'access/denied',
  });
  await expect(testBed.read()).resolves.toBe('{"place":{"before":true}}');
  expect(testBed.counts()).toEqual(before);
  await imports.stageSet('d', { ...write, identity: { kind: 'admin' } }, pieces(SOURCE, 500));
  await expect(testBed.read('place')).resolves.toBe(SOURCE);
  await imports.stageSet('d', { ...write, identity: { kind: 'admin' } }, pieces('null'));
  await expect(testBed.read()).resolves.toBe('null');
  expect(testBed.counts()['tree']).toBe(0);
});

test('[H231] a long write is authorized again at its end, by the rules at that time', async () => {
  const testBed = new ImportTestBed();
  const write = {
    operation: 'PUT',
    identity: ANONYMOUS,
    path: parsePath('place'),
    areTriggersDisabled: false,
  } as const;
  const chunks = (async function* () {
    yield* pieces(SOURCE.slice(0, 5000), 500);
    await testBed.databases.writeRules('d', { kind: 'admin' }, '{"rules":{".read":true}}');
    yield* pieces(SOURCE.slice(5000), 500);
  })();
  await expect(testBed.imports.stageSet('d', write, chunks)).rejects.toMatchObject({ code: 'access/denied' });
  expect(testBed.counts()['tree']).toBe(0);
});

test('[H231] the next process deletes the incomplete writes of a process that died', async () => {
  const store = new MemoryStore();
  const first = new ImportTestBed(store);
  let resolveStored = (): void => undefined;
  const stored = new Promise<void>((resolve) => {
    resolveStored = resolve;
  });
  const chunks = (async function* () {
    yield Buffer.from(SOURCE.slice(0, 5000));
    yield Buffer.from(SOURCE.slice(5000, 5001));
    await first.scheduler.request(() => undefined);
    await first.scheduler.drain();
    resolveStored();
    await new Promise(() => undefined);
  })();
  void first.imports.stageSet(
    'd',
    { operation: 'PUT', identity: ANONYMOUS, path: parsePath(''), areTriggersDisabled: false },
    chunks,
  );
  await stored;
  expect(first.counts()['tree']).toBeGreaterThan(0);
  const second = new ImportTestBed(store);
  await second.imports.dropStaged();
  expect(second.counts()['tree']).toBe(0);
});

test('[H232] an abandoned import leaves nothing behind, and its id can be used again', async () => {
  const testBed = new ImportTestBed();
  const { imports } = testBed;
  for (const mode of ['replace', 'merge', 'compare'] as const) {
    await imports.create('d', ID, request(mode));
    const text = mode === 'merge' ? `{"x":${SOURCE}` : SOURCE;
    await imports.append('d', ID, { offset: 0, chunks: pieces(text.slice(0, -20), 500), isLast: false });
    expect(testBed.counts()['tree']).toBeGreaterThan(0);
    await imports.remove('d', ID);
    expect(testBed.counts()).toEqual({ tree: 0, index: 0, build: 0, garbage: 0 });
    await expect(imports.remove('d', ID)).rejects.toMatchObject({ code: 'import/unknown' });
  }
});

test('[H233] an import and other requests alternate', async () => {
  const testBed = new ImportTestBed();
  await testBed.imports.create('d', ID, request('replace'));
  testBed.tickMs = 6;
  const long = JSON.stringify({ rows: Array.from({ length: 40 }, () => 'x'.repeat(20_000)) });
  const order: string[] = [];
  const importing = testBed.imports
    .append('d', ID, { offset: 0, chunks: pieces(long, long.length), isLast: true })
    .then(() => order.push('import'));
  while ((await testBed.imports.read('d', ID)).offset === 0);
  await testBed.write('other', 1);
  order.push('write');
  await importing;
  expect(order).toEqual(['write', 'import']);
});

test('[H222] a string longer than one read is imported', async () => {
  const testBed = new ImportTestBed();
  const text = JSON.stringify({ a: 'é'.repeat(2_000_000), b: 1 });
  await testBed.imports.create('d', ID, request('replace', ''));
  testBed.tickMs = 6;
  const done = await testBed.imports.append('d', ID, {
    offset: 0,
    chunks: pieces(text, 65_536),
    isLast: true,
  });
  expect(done.status).toBe('done');
  testBed.tickMs = 0;
  await expect(testBed.read()).resolves.toBe(text);
});

test('[H91] imports trigger nothing, however many values they write', async () => {
  const testBed = new ImportTestBed();
  testBed.addTrigger('/list/{item}');
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, at])));
  await testBed.imports.create('d', ID, request('merge', 'list'));
  const chunks = pieces(text, text.length);
  const merged = await testBed.imports.append('d', ID, { offset: 0, chunks, isLast: true });
  expect(merged).toMatchObject({ status: 'done', counts: { children: 1500 } });
  await testBed.imports.create('d', 'import-2', request('replace', 'list/k1'));
  await testBed.imports.append('d', 'import-2', { offset: 0, chunks: pieces('2'), isLast: true });
  expect(testBed.events).toEqual([]);
});

test('[H91] a long write triggers functions as a short one does, unless the writer disables triggers', async () => {
  const testBed = new ImportTestBed();
  testBed.addTrigger('/list/{item}');
  const write = {
    operation: 'PUT',
    identity: ADMIN,
    path: parsePath('list/a'),
    areTriggersDisabled: true,
  } as const;
  const long = JSON.stringify('x'.repeat(2 ** 21));
  await testBed.imports.stageSet('d', write, pieces(long, 65_536));
  expect(testBed.events).toEqual([]);
  const triggering = { ...write, areTriggersDisabled: false };
  await expect(testBed.imports.stageSet('d', triggering, pieces(long, 65_536))).rejects.toMatchObject({
    code: 'write/trigger-too-big',
  });
  await testBed.imports.stageSet('d', { ...triggering, path: parsePath('list/b') }, pieces('1'));
  expect(testBed.events).toHaveLength(1);
});

test('[K125] an index that is declared only during an import leaves nothing behind', async () => {
  for (const mode of ['replace', 'merge'] as const) {
    const testBed = new ImportTestBed();
    const rules = (indexOn: string): Promise<unknown> =>
      testBed.databases.writeRules(
        'd',
        ADMIN,
        `{"rules":{".read":true,".write":true,"place":{"$a":{".indexOn":${indexOn}}}}}`,
      );
    await rules('[]');
    const text = JSON.stringify({ a: ROOMS, b: ROOMS });
    await testBed.imports.create('d', ID, request(mode));
    await testBed.imports.append('d', ID, { offset: 0, chunks: pieces(text.slice(0, 20)), isLast: false });
    const { offset } = await testBed.imports.read('d', ID);
    await rules('["at"]');
    const middle = pieces(Buffer.from(text).subarray(offset, -30), 500);
    const state = await testBed.imports.append('d', ID, { offset, chunks: middle, isLast: false });
    await rules('[]');
    // Background work that removes the index ends before the tree is linked.
    testBed.counts();
    const rest = pieces(Buffer.from(text).subarray(state.offset), 500);
    await testBed.imports.append('d', ID, { offset: state.offset, chunks: rest, isLast: true });
    await expect(testBed.read('place')).resolves.toBe(text);
    expect(testBed.counts()).toMatchObject({ index: 0, build: 0 });
  }
});

test('[H227] a comparison fails if an object in it is replaced, and succeeds if a value in it changes', async () => {
  const rows = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`row ${at + 1000}`, at]));
  for (const [path, value, status] of [
    ['place', { other: rows }, 'failed'],
    ['place/rows', { ...rows, more: 1 }, 'failed'],
    ['place/rows/row 1000', 7, 'done'],
  ] as const) {
    const testBed = new ImportTestBed();
    await testBed.write('place', { rows });
    const text = JSON.stringify({ rows });
    await testBed.imports.create('d', ID, request('compare'));
    const chunks = pieces(text, text.length);
    await testBed.imports.append('d', ID, { offset: 0, chunks, isLast: false });
    testBed.tickMs = 20;
    const finished = testBed.imports.finish('d', ID);
    while (((await testBed.imports.read('d', ID)).counts['unchanged'] ?? 0) === 0);
    await testBed.write(path, value);
    const state = await finished;
    expect(state.status).toBe(status);
    expect(state.error).toEqual(
      status === 'failed' ? expect.stringContaining('was replaced during') : undefined,
    );
  }
});

test('[H231] a streamed write that a start cannot remove from a full disk is removed at a later start', async () => {
  const store = new MemoryStore();
  const first = new ImportTestBed(store);
  const endless = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(SOURCE.slice(0, 5000));
    await new Promise(() => undefined);
  };
  const write = {
    operation: 'PUT',
    identity: ANONYMOUS,
    path: parsePath(''),
    areTriggersDisabled: false,
  } as const;
  void first.imports.stageSet('d', write, endless());
  while (first.counts()['tree'] === 0) await first.scheduler.request(() => undefined);
  const second = new ImportTestBed(store);
  second.store.failNext({ kind: 'full', atPut: 0 });
  await second.imports.dropStaged();
  expect(second.store.hasFailed).toBe(true);
  await second.imports.stageSet('d', write, pieces('{"a":1}'));
  const third = new ImportTestBed(store);
  await third.imports.dropStaged();
  expect(third.counts()['tree']).toBe(1);
});

test('[H236] a long write over the limit is rejected, and accepted when another has ended', async () => {
  const testBed = new ImportTestBed();
  const write = {
    operation: 'PUT',
    identity: ANONYMOUS,
    path: parsePath('place'),
    areTriggersDisabled: false,
  } as const;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const waiting = async function* (): AsyncGenerator<Buffer> {
    await ended;
    yield Buffer.from('1');
  };
  const all = Array.from({ length: STREAMED_WRITES }, () => testBed.imports.stageSet('d', write, waiting()));
  await expect(testBed.imports.stageSet('d', write, pieces('2'))).rejects.toMatchObject({
    code: 'request/overload',
  });
  end();
  await Promise.all(all);
  await testBed.imports.stageSet('d', write, pieces('2'));
  await expect(testBed.read('place')).resolves.toBe('2');
});

test('[H546] a slow write is stopped in favor of a write from another network, and changes nothing', async () => {
  const testBed = new ImportTestBed();
  const write = {
    operation: 'PUT',
    identity: ADMIN,
    path: parsePath('place'),
    areTriggersDisabled: false,
  } as const;
  const never = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('{"a":');
    await new Promise(() => undefined);
  };
  const slow = Array.from({ length: STREAMED_WRITES }, () =>
    testBed.imports.stageSet('d', { ...write, network: 'n1' }, never()).then(
      () => 'stored',
      ({ code }) => code,
    ),
  );
  await testBed.imports.stageSet('d', { ...write, network: 'n2' }, pieces('2'));
  await expect(Promise.race(slow)).resolves.toBe('request/overload');
  await expect(testBed.read('place')).resolves.toBe('2');
  await testBed.imports.close();
  await Promise.all(slow);
});
