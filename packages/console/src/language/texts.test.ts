import { LANGUAGES } from '@hearth/pages/shell/document.ts';
import { describe, expect, test } from 'vitest';
import { NAMESPACES } from './texts.ts';

const FILES = import.meta.glob<Record<string, unknown>>('./messages/*/*.json', {
  import: 'default',
  eager: true,
});

/** Suffix of a plural form; the forms differ between languages. */
const PLURAL = /_(zero|one|two|few|many|other)$/;

function textsOf(language: string, namespace: string): ReadonlyMap<string, string> {
  return new Map(flatten(FILES[`./messages/${language}/${namespace}.json`] ?? {}));
}

function flatten(messages: object, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as const] : flatten(value, `${prefix}${key}.`),
  );
}

const placeholdersIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name ?? ''))].sort();

describe.each(LANGUAGES.filter((language) => language !== 'en'))('texts in %s', (language) => {
  test.each(NAMESPACES)('[C2] %s has every English text, with the same placeholders', (namespace) => {
    const english = textsOf('en', namespace);
    const texts = textsOf(language, namespace);
    const stem = (key: string): string => key.replace(PLURAL, '');
    expect([...new Set([...texts.keys()].map(stem))].sort()).toEqual(
      [...new Set([...english.keys()].map(stem))].sort(),
    );
    for (const [key, text] of texts) {
      const original = english.get(key) ?? english.get(`${stem(key)}_other`) ?? '';
      // A plural form for one number, such as 1 or 2, may omit the placeholder.
      if (PLURAL.test(key))
        expect(placeholdersIn(original), key).toEqual(expect.arrayContaining([...placeholdersIn(text)]));
      else expect(placeholdersIn(text), key).toEqual(placeholdersIn(original));
    }
  });

  test.each(NAMESPACES)('[C2] %s has every plural form of the language', (namespace) => {
    const texts = textsOf(language, namespace);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const stems = new Set(
      [...texts.keys()].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, '')),
    );
    for (const stem of stems)
      expect(
        pluralCategories.filter((category) => !texts.has(`${stem}_${category}`)),
        stem,
      ).toEqual([]);
  });
});
