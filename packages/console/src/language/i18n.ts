import type { EmotionCache } from '@emotion/cache';
import { chooseLanguage, type Direction, directionOf, type Language } from '@hearth/pages/shell/document.ts';
import { openStyleCache } from '@hearth/pages/shell/styles.ts';
import type { BackendModule, i18n } from 'i18next';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { usePreferences } from '../ui/use-preferences.ts';
import { loadTexts, type Namespace, writeInto } from './texts.ts';

/** Loads the texts of one area in one language when the first view asks for them. */
const FILES_BACKEND: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    // i18next passes on what it was given as a language and a namespace of this console.
    loadTexts(language as Language, namespace as Namespace).then(
      (texts) => callback(null, texts),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

/** Texts of the console in a language, those of some areas loaded. */
export async function openTexts(language: Language, areas: readonly Namespace[]): Promise<i18n> {
  const texts = i18next.createInstance();
  await texts
    .use(FILES_BACKEND)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      defaultNS: 'shell' satisfies Namespace,
      ns: areas,
      // Not after a pause: what it needs is there.
      initAsync: false,
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  return texts;
}

/** What a language asks of the page besides its texts. */
export interface Writing {
  readonly direction: Direction;
  readonly styleCache: EmotionCache;
}

export async function openWriting(language: Language, styleNonce: string): Promise<Writing> {
  const direction = directionOf(language);
  return { direction, styleCache: await openStyleCache(direction, styleNonce) };
}

/** Follows the preference: the page changes its language once the texts are there. */
export function useLanguage(texts: i18n, initial: Writing, styleNonce: string): Writing {
  const [writing, setWriting] = useState(initial);
  const preference = usePreferences(({ language }) => language);
  useEffect(() => {
    const language = chooseLanguage([preference ?? undefined, ...navigator.languages]);
    if (language === texts.language) return;
    let isWanted = true;
    async function change(): Promise<void> {
      const [next] = await Promise.all([openWriting(language, styleNonce), texts.loadLanguages(language)]);
      if (!isWanted) return;
      await texts.changeLanguage(language);
      writeInto(document.documentElement, language);
      setWriting(next);
    }
    void change();
    return () => {
      isWanted = false;
    };
  }, [preference, texts, styleNonce]);
  return writing;
}
