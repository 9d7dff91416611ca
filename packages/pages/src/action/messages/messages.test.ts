import { expect, test } from 'vitest';
import { LANGUAGES } from '../../shell/document.ts';
import { EN } from './en.ts';
import { loadMessages } from './load.ts';

/** Lists all texts with their names; functions are called with 3. */
function listTexts(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'function') return [[name, String(value(3))]];
  return Object.entries(Object(value)).flatMap(([key, inner]) => listTexts(inner, `${name}.${key}`));
}

/** Words that are the same in two languages. */
const SAME = /^(Account|Conta|Compte)$/;

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  '[I170] every text exists in %s, and none is still in English',
  async (language) => {
    const texts = new Map(listTexts(await loadMessages(language)));
    const english = listTexts(EN);
    expect(english.length).toBeGreaterThan(60);
    expect([...texts.keys()]).toEqual(expect.arrayContaining(english.map(([name]) => name)));
    expect([...texts.values()].filter((text) => text.trim() === '')).toEqual([]);
    expect(english.filter(([name, text]) => texts.get(name) === text && !SAME.test(text))).toEqual([]);
  },
);

test.each(LANGUAGES)('[I163][I165] the texts in %s contain their counts and hosts', async (language) => {
  const { newPassword, continueTo } = await loadMessages(language);
  for (const count of [6, 8, 11, 30, 100]) {
    expect(newPassword.minLength(count)).toContain(String(count));
    expect(newPassword.maxLength(count)).toContain(String(count));
  }
  expect(newPassword.minLength(1)).not.toBe('');
  expect(continueTo('app.example.com')).toContain('app.example.com');
});
