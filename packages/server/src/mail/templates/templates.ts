import type { Language } from '../language.ts';
import { ARABIC } from './ar.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';
import { JAPANESE } from './ja.ts';
import type { LanguageTexts } from './mail-text.ts';
import { PORTUGUESE } from './pt.ts';
import { CHINESE } from './zh.ts';

/** What is written unless a project has its own words. */
export const TEMPLATES: Readonly<Record<Language, LanguageTexts>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  pt: PORTUGUESE,
  zh: CHINESE,
  ja: JAPANESE,
  ar: ARABIC,
};
