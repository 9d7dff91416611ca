import type { EmotionCache } from '@emotion/cache';
import { chooseLanguage, type Direction, directionOf, type Language } from '@hearth/pages/shell/document.ts';
import { openStyleCache } from '@hearth/pages/shell/styles.ts';
import type { BackendModule, i18n } from 'i18next';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { usePreferences } from '../ui/use-preferences.ts';
import { loadTexts, type Namespace, setPageLanguage } from './texts.ts';

/** Loads the texts of a namespace in a language when a view first needs them. */
const FILES_BACKEND: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    // i18next passes only languages and namespaces of the console.
    loadTexts(language as Language, namespace as Namespace).then(
      (texts) => callback(null, texts),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

/** Creates the i18next instance for a language and loads the texts of some namespaces. */
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
      // Starts to load immediately, instead of after a timeout.
      initAsync: false,
      // React escapes texts.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  return texts;
}

/** Text direction and matching styles of a language. */
export interface Writing {
  readonly direction: Direction;
  readonly styleCache: EmotionCache;
}

export async function openWriting(language: Language, styleNonce: string): Promise<Writing> {
  const direction = directionOf(language);
  return { direction, styleCache: await openStyleCache(direction, styleNonce) };
}

/**
 * Changes the page's language when the preference changes, after loading the texts. Returns the direction and styles of the
 * page.
 */
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
      setPageLanguage(document.documentElement, language);
      setWriting(next);
    }
    void change();
    return () => {
      isWanted = false;
    };
  }, [preference, texts, styleNonce]);
  return writing;
}
