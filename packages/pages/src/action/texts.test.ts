import { expect, test } from 'vitest';
import { LANGUAGES } from '../shell/document.ts';
import { loadTexts } from './texts.ts';

test.each(LANGUAGES)('[I163][I165] the texts in %s contain their counts and hosts', async (language) => {
  const { newPassword, continueTo } = await loadTexts(language);
  for (const count of [6, 8, 11, 30, 100]) {
    expect(newPassword.minLength(count)).toContain(String(count));
    expect(newPassword.maxLength(count)).toContain(String(count));
  }
  expect(newPassword.minLength(1)).not.toBe('');
  expect(continueTo('app.example.com')).toContain('app.example.com');
});
