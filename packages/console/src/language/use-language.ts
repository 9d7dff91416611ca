import type { EmotionCache } from '@emotion/cache';
import { chooseLanguage, type Direction, directionOf, type Language } from '@hearth/pages/shell/language.ts';
import { openStyleCache } from '@hearth/pages/shell/style-cache.ts';
import type { i18n } from 'i18next';
import { useEffect, useState } from 'react';
import { usePreferences } from '../preferences/preferences.ts';
import { writeInto } from './write-into.ts';

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
