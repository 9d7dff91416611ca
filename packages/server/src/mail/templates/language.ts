import type { MailKind } from '@hearth/core/api/mail-kinds.ts';

/** Languages of the mails. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'zh', 'ja', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** Returns the writing direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/**
 * Maximum length of the parsed language tags, in UTF-16 code units. Browsers send less. The rest is ignored.
 */
const MAX_LENGTH = 500;

/** Matches `fr`, `pt-BR`, `zh_Hant_TW` or `*`, with an optional weight. */
const LANGUAGE_RANGE = /^\s*([a-z]{2,8}|\*)(?:[-_][a-z0-9_-]*)?\s*(?:;\s*q\s*=\s*(\d(?:\.\d+)?)\s*)?$/i;

/**
 * Returns the most preferred of the supported languages, or `fallback` if none is requested. `requested` is
 * one tag, or several with weights as in the header `Accept-Language`. Regions and scripts are ignored.
 */
export function chooseLanguage(requested: string | undefined, fallback: Language): Language {
  let best: Language = fallback;
  let bestWeight = 0;
  for (const part of (requested ?? '').slice(0, MAX_LENGTH).split(',')) {
    const [, tag = '', weightText = '1'] = LANGUAGE_RANGE.exec(part) ?? [];
    const language = tag === '*' ? fallback : tag.toLowerCase();
    const weight = Number(weightText);
    if (weight > bestWeight && isLanguage(language)) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}

/** The text of a mail, with variables. */
export interface MailText {
  readonly subject: string;
  /** Paragraphs before the button. */
  readonly before: readonly string[];
  /** Label of the button, in mails that have a link. */
  readonly button?: string;
  /** Paragraphs after the button. */
  readonly after: readonly string[];
}

/** All mails in one language. */
export interface LanguageTexts {
  readonly greeting: string;
  /** The greeting if the recipient's name is unknown. */
  readonly namelessGreeting: string;
  /** The text before the URL of the button. */
  readonly linkHint: string;
  /** How long the link works. */
  readonly validity: string;
  readonly closing: string;
  readonly mails: Readonly<Record<MailKind, MailText>>;
}
