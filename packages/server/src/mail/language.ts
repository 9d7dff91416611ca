/** Languages that mails are written in. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'zh', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** Is it written from left to right, or from right to left? */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
