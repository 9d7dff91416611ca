import { expect, test } from 'vitest';
import { LANGUAGES } from '../mail/templates/language.ts';
import { checkSmsTemplate, countSegments, needsUnicode, renderSms, type SmsContent } from './texts.ts';

const CONTENT: SmsContent = {
  code: '123456',
  appName: 'Chess',
  language: 'en',
  templates: {},
  webHost: null,
  appHash: null,
};

test.each(LANGUAGES)('[I780] the text in %s has the code and the name of the app', (language) => {
  const text = renderSms({ ...CONTENT, language });
  expect(text).toContain('123456');
  expect(text).toContain('Chess');
  expect(text).not.toContain('%');
});

test("[I780] a project's own text replaces the default of its language", () => {
  const templates = { de: 'Ihr Code: %CODE%' };
  expect(renderSms({ ...CONTENT, templates, language: 'de' })).toBe('Ihr Code: 123456');
  expect(renderSms({ ...CONTENT, templates })).toContain('is your verification code');
});

test('[I780] the name of an app cannot add a second code or replace patterns', () => {
  expect(renderSms({ ...CONTENT, appName: "$& $' %CODE%" })).toBe(
    "123456 is your verification code for $& $' %CODE%.",
  );
});

test.each<readonly [unknown, number]>([
  ['%CODE%', 0],
  [`%CODE%${'x'.repeat(294)}`, 0],
  [`%CODE%${'x'.repeat(295)}`, 1],
  ['no code', 1],
  ['a\u0000b %CODE%', 1],
  ['two\nlines %CODE%', 0],
  [5, 1],
])('[I780] the text %j has %i problems', (text, problems) => {
  expect(checkSmsTemplate(text)).toHaveLength(problems);
});

test.each([
  ['123456 is your code for Chess.', false],
  ['123456 ist dein Bestätigungscode für Chess.', false],
  ['123456 は確認コードです。', true],
])('[I790] %s needs Unicode: %s', (text, isUnicode) => expect(needsUnicode(text)).toBe(isUnicode));

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  [`${'a'.repeat(159)}€`, 2],
  ['字'.repeat(70), 1],
  ['字'.repeat(71), 2],
])('[I801] the text %j is divided into %i messages', (text, segments) => {
  expect(countSegments(text)).toBe(segments);
});
