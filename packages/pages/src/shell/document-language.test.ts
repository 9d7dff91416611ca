import { expect, test } from 'vitest';
import { chooseLanguage, directionOf, LANGUAGES } from './document.ts';

test.each([
  [['de', 'fr'], 'de'],
  [[undefined, 'fr-CA', 'de'], 'fr'],
  [['pt-BR'], 'pt'],
  [['zh_Hant_TW'], 'zh'],
  [['AR-eg'], 'ar'],
  [['tlh', 'ja'], 'ja'],
  [['xx', 'nl'], 'en'],
  [['deutsch'], 'en'],
  [['<script>'], 'en'],
  [[], 'en'],
] as const)('[I170] the preferred languages %j select %s', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

test('[I170] only Arabic is written from right to left', () => {
  expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
});
