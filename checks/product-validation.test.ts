import { expect, test } from 'vitest';
import { findRows, linksIn, quotesIn } from './document-table.ts';
import { ENGLISH_TEXTS } from './english-texts.ts';
import { readFiles, readText } from './repository.ts';

const PRODUCT = 'docs/product.md';
const product = readText(PRODUCT);
const FIELD = /<(?:TextField|OutlinedInput|InputBase|Input|Autocomplete|textarea|input)\b|component="input"/;

const section = product.split('## Validation\n')[1]?.split('\n## ')[0] ?? '';

test('[P36] every form of the console is documented', () => {
  const forms = readFiles((path) => /^packages\/console\/src\/.*(?<!\.test)\.tsx$/.test(path))
    .filter(({ text }) => FIELD.test(text))
    .map(({ path }) => path);
  const linked = new Set(linksIn(PRODUCT, section).map(({ target }) => target));
  expect(forms.filter((path) => !linked.has(path))).toEqual([]);
  expect(forms.length).toBeGreaterThan(20);
});

const quotes = findRows({ path: PRODUCT, text: product }).flatMap(({ at, heading, cells }) =>
  quotesIn(Object.values(cells).join(' ')).map((quote) => ({ at, heading, cells, quote })),
);

test('[P36] every quoted message is a text of the console', () => {
  expect(quotes.filter(({ quote }) => !ENGLISH_TEXTS.has(quote)).map(({ at, quote }) => [at, quote])).toEqual(
    [],
  );
  expect(quotes.length).toBeGreaterThan(20);
});

/** Returns whether a source uses the text with a name, by its whole key or by a template that ends in a variable. */
function usesText(file: string, text: string): boolean {
  const key = text.replace(/^.*:|_(?:zero|one|two|few|many|other)$/g, '');
  return [`'${key}'`, `\`${key.replace(/[\w-]+$/, '')}\${`].some((use) => file.includes(use));
}

test('[P36] each form uses the messages that are documented for it', () => {
  const silent = quotes
    .filter(({ heading }) => heading === 'Validation')
    .filter(({ cells, quote }) => {
      const files = linksIn(PRODUCT, cells['where'] ?? '').map(({ target }) => readText(target));
      return !ENGLISH_TEXTS.get(quote)?.some((text) => files.some((file) => usesText(file, text)));
    });
  expect(silent.map(({ at, quote }) => [at, quote])).toEqual([]);
});
