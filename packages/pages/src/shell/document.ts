/** Languages of the pages, as BCP 47 tags without a region. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'zh', 'ja', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

export type Direction = 'ltr' | 'rtl';

/**
 * Returns the first supported language, or English. `wanted` are language tags in order of preference: the language of the
 * link, then the languages of the browser. Regions and scripts are ignored.
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

/** Parses the JSON element that the server wrote into the page. Throws if it is missing, which is a bug of the server. */
export function readDataElement(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined) throw new Error(`The page has no data element "${id}".`);
  return JSON.parse(text);
}
