import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseLanguage, isLanguage } from './language.ts';

test.each([
  ['fr', 'fr'],
  ['pt-BR', 'pt'],
  ['zh-Hant-TW', 'zh'],
  ['pt_BR', 'pt'],
  ['AR', 'ar'],
  ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', 'fr'],
  ['en;q=0.5, ja;q=0.7', 'ja'],
  ['nl, de;q=0.3', 'de'],
  ['de , es', 'de'],
  ['it', 'en'],
  ['it, *;q=0.1, ja;q=0.05', 'en'],
  ['fr;q=0', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  ['french', 'en'],
  ['es;q=lots', 'en'],
  [`${'xx,'.repeat(1_000)}fr`, 'en'],
])('[I134] of the requested languages "%s", %s is chosen', (requested, language) => {
  expect(chooseLanguage(requested, 'en')).toBe(language);
});

test('[I134] without a supported language, the language of the project is used', () => {
  expect(chooseLanguage('it', 'ja')).toBe('ja');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isLanguage(chooseLanguage(text, 'de'))).toBe(true);
    }),
  );
});
