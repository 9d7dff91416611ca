/** Languages that the pages speak, as the tags of BCP 47 without a region. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'zh', 'ja', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

export type Direction = 'ltr' | 'rtl';

/**
 * The first language in order of preference that the pages speak, else English. `wanted` are language tags, the one that
 * the link names before those of the browser; regions and scripts do not count.
 */
export function chooseLanguage(wanted: readonly (string | undefined)[]): Language {
  for (const tag of wanted) {
    const primary = tag?.toLowerCase().split(/[-_]/, 1)[0];
    const language = LANGUAGES.find((known) => known === primary);
    if (language !== undefined) return language;
  }
  return 'en';
}

export function directionOf(language: Language): Direction {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The JSON that the server put into the page under an id. Throws when there is none, which is a bug of the server. */
export function readDataElement(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined) throw new Error(`The page has no data element "${id}".`);
  return JSON.parse(text);
}
