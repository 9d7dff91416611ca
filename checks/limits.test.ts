import { expect, test } from 'vitest';
import { amountOf, parseAmount } from './amount.ts';
import { constantValue } from './constant-value.ts';
import { findRows, linksIn } from './document-table.ts';
import { declarationsOf } from './module-declarations.ts';
import { readFiles, readText } from './repository.ts';

const LIMITS = 'docs/reference/limits.md';
/** Columns that contain an amount, in documents that link to constants. */
const AMOUNTS = ['at most', 'value', 'bound', 'works for'];
const CONSTANT = /^[A-Z][A-Z_]+(\.\w+)*$/;

const documented = ['docs/product.md', LIMITS].flatMap((path) =>
  findRows({ path, text: readText(path) }).flatMap(({ at, cells }) => {
    const amount = AMOUNTS.map((column) => cells[column]).find((cell) => cell !== undefined);
    if (amount === undefined) return [];
    return linksIn(path, Object.values(cells).join(' '))
      .filter(({ text }) => CONSTANT.test(text))
      .map(({ text, target }) => ({ at, amount, name: text, target }));
  }),
);

test('[P38] every documented amount equals its constant', () => {
  const wrong = documented.filter(({ amount, name, target }) => {
    const value = amountOf(name, constantValue(declarationsOf(target), name));
    return !(Math.abs(parseAmount(amount) - value) < 1e-9);
  });
  expect(wrong).toEqual([]);
  expect(documented.length).toBeGreaterThan(100);
});

/** Matches the names of constants that limit a queue, a cache or a share of the memory. */
const HELD =
  /MAX_(?:\w+_)?(?:WAITING|QUEUED|REMEMBERED|KEPT|OPEN|PENDING|STAGED|DEAD)(?:_|$)|^[A-Z]+S(?:_[A-Z]+)*_SHARE$|^FREE_(?:\w+_)?BYTES$/;

test('[P38] every limit of a queue or a cache of the server is documented', () => {
  const linked = new Set(documented.map(({ name, target }) => `${target} ${name}`));
  const files = readFiles((path) =>
    /^packages\/(?:core|server)\/src\/(?!.*\.(?:test|fixture)\.ts$)/.test(path),
  ).filter(({ text }) => /MAX_|_SHARE|FREE_/.test(text));
  const bounds = files.flatMap(({ path }) =>
    [...declarationsOf(path).constants.keys()]
      .filter((name) => HELD.test(name))
      .map((name) => `${path} ${name}`),
  );
  expect(bounds.filter((bound) => !linked.has(bound))).toEqual([]);
  expect(bounds.length).toBeGreaterThan(20);
});

test.each([
  ['64 MiB', 67_108_864],
  ['every 0.7 ms', 0.7],
  ['2 days', 172_800_000],
  ['1,000 keys', 1_000],
  ['250 KB at most', 250_000],
  ['none', Number.NaN],
])('[P38] the amount of %s is %d', (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test.each([
  ['MAX_BYTES', 5, 5],
  ['LIFETIME_SEC', 5, 5_000],
  ['MAX_DAYS', 2, 172_800_000],
  ['MAX_BYTES', undefined, Number.NaN],
])('[P38] the amount of the constant %s with the value %j is %d', (name, value, amount) => {
  expect(amountOf(name, value)).toBe(amount);
});
