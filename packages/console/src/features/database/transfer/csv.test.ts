import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertCsv, parseCsvCell, printCsv, printCsvCell } from './csv.ts';
import { CsvProblem, MAX_CSV_BYTES } from './csv-problem.ts';

const NOW_MS = 1_700_000_000_000;

async function read(text: string): Promise<unknown> {
  return parseJsonText(await (await convertCsv(new Blob([text]), NOW_MS)).text());
}

test('[C702] cells of a CSV file become values with their types, and empty cells are left out', async () => {
  const text =
    '\ufeffkey,n,b,text,json,none\r\nr1,5,true,hello,"{""a"":[1,2]}",\r\n"r,2",-1.5,false,"""5""",,\n';
  expect(await read(text)).toEqual({
    r1: { n: 5, b: true, text: 'hello', json: { a: [1, 2] } },
    'r,2': { n: -1.5, b: false, text: '5' },
  });
});

test('[C702] slashes in names of columns separate levels, and rows without keys get new ones in order', async () => {
  const rows = await read('name,address/city\nann,Bonn\nbob,\n');
  expect(Object.values(rows as object)).toEqual([
    { name: 'ann', address: { city: 'Bonn' } },
    { name: 'bob' },
  ]);
  const keys = Object.keys(rows as object);
  expect(keys).toEqual([...keys].sort());
  expect(keys[0]).toMatch(/^[-\w]{20}$/);
});

test('[C702] an integer with more digits than a double keeps them', async () => {
  expect(await read('key,id\na,9007199254740993\n')).toEqual({ a: { id: 9007199254740993n } });
});

test('[C702] a row without values is left out, because a merge would delete the child of its key', async () => {
  expect(await read('key,a,b\nr1,,\nr2,1,\nr3\n')).toEqual({ r2: { a: 1 } });
  expect(await read('key,a\nr1,\n')).toEqual({});
  expect(await read('a,b\n,\n')).toEqual({});
});

test('[C702] semicolons and tabs separate cells as well, and decimal numbers of such a file can have commas', async () => {
  const text = 'key;"a, b, c, d";n;text\r\nr1;1;-2,5;x, y\r\nr2;;007,5;1,50\r\n';
  expect(await read(text)).toEqual({
    r1: { 'a, b, c, d': 1, n: -2.5, text: 'x, y' },
    r2: { n: '007,5', text: '1,50' },
  });
  expect(await read('key\ta\nr1\t2,5\n')).toEqual({ r1: { a: '2,5' } });
});

test('[C702] a member can be named like the column of the keys', async () => {
  expect(await read('key,key\nr1,x\n')).toEqual({ r1: { key: 'x' } });
});

test('[C702] a key that occurs twice is rejected with its line, because a value would be lost', async () => {
  const error = await read('key,a\nr1,"x\ny"\nr2,2\nr1,3\n').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ kind: 'key-twice', detail: 'r1', line: 5 });
});

test('[C702] names such as __proto__ are members like others', async () => {
  const json = await (await convertCsv(new Blob(['key,__proto__/x\n__proto__,1\n']), NOW_MS)).text();
  expect(json).toBe('{\n"__proto__":{"__proto__":{"x":1}}}');
});

test.each([
  ['', 'no-header', ''],
  ['key,,b\n1,2,3\n', 'no-header', ''],
  ['key,a,a\n1,2,3\n', 'column-twice', 'a'],
  ['key,a\n,1\n', 'no-key', '2'],
  ['key,a\n1,"open\n', 'syntax', '2'],
  ['key,a\n1,hello, world\n', 'syntax', '2'],
])('[C702] the problem of the file %j is %s', async (text, kind, detail) => {
  const error = await read(text).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(CsvProblem);
  expect(error).toMatchObject({ kind, detail });
});

test('[C702] a file in another encoding than UTF-8 is rejected, because its letters would be lost', async () => {
  const file = new Blob([
    new Uint8Array([...'key,a\n1,Kie'].map((unit) => unit.charCodeAt(0))),
    new Uint8Array([0xdf]),
  ]);
  await expect(convertCsv(file, NOW_MS)).rejects.toMatchObject({ kind: 'encoding' });
});

test('[C702] a row has the same line in the JSON text as in the file, for errors of the server', async () => {
  const json = await (await convertCsv(new Blob(['key,a\nr1,1\nr2,2\n']), NOW_MS)).text();
  expect(json.split('\n')[2]).toContain('"r2"');
});

test('[C702] a file above the limit is not read', async () => {
  const file = { size: MAX_CSV_BYTES + 1 } as Blob;
  await expect(convertCsv(file, NOW_MS)).rejects.toMatchObject({ kind: 'too-large' });
});

test('[C703] every printed cell is read as the same value', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('', '5', 'true', 'null', '"', '{"a":1}', '=1+1', '-x', '1e5', '@a', ' x '),
  );
  const values = fc.oneof(
    texts,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(!Object.is(value, -0));
      const read = parseCsvCell(printCsvCell(value));
      // Integers that a double cannot hold exactly are read as 64-bit integers.
      expect(typeof read === 'bigint' ? Number(read) : read).toEqual(value);
    }),
    { examples: [[2 ** 53], [-(2 ** 60)], [1e300]] },
  );
});

test('[C703] no cell begins like a formula', () => {
  for (const text of ['=HYPERLINK("x")', '+1', '-a', '@x', '\tx', '\rx'])
    expect(printCsvCell(text)).toMatch(/^"/);
});

test('[C703] keys and names of columns do not begin like formulas, and are read as the same keys', async () => {
  const node = {
    '-Nabc': { '=1+1': 1, '+x/y': 2 },
    '@home': { '-a': 3 },
    '"quoted"': { ' b ': 4 },
    '5': { key: 5 },
  };
  const nested = JSON.parse(JSON.stringify(node).replace('"+x/y":2', '"+x":{"y":2}'));
  const csv = await printCsv(new Blob([JSON.stringify(nested)]));
  for (const cell of csv.split(/\r\n|,/)) expect(cell).not.toMatch(/^"?[=+\-@]/);
  expect(await read(csv)).toEqual(nested);
});

test('[C703] children are rows and values below them columns, and reading the file returns the data', async () => {
  const node = {
    r1: { n: 5, name: 'ann, b', deep: { x: true }, list: [1, 'two'], '.priority': 3 },
    r2: 'only a value',
    r3: { n: 'not a number', name: ' "q"\nline ' },
  };
  const csv = await printCsv(new Blob([JSON.stringify(node)]));
  expect(csv.split('\r\n')[0]).toBe('key,.priority,.value,deep/x,list,n,name');
  expect(await read(csv)).toEqual({ ...node, r2: { '.value': 'only a value' } });
});

test('[C703] a node with too many columns is written with members as JSON', async () => {
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at]));
  expect(await printCsv(new Blob([JSON.stringify({ r: { a: 1, wide } })]))).toMatch(/^key,a,wide\r\nr,1,"\{/);
  await expect(printCsv(new Blob([JSON.stringify({ r: wide })]))).rejects.toMatchObject({ kind: 'too-wide' });
  await expect(printCsv(new Blob(['5']))).rejects.toMatchObject({ kind: 'no-rows' });
});
