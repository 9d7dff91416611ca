import { isLanguage, type Language } from './language.ts';

/** More than browsers send; what goes on behind it is not looked at. */
const MAX_LENGTH = 500;

/** `fr`, `pt-BR`, `zh_Hant_TW` or `*`, and how much it is wanted. */
const WANTED = /^\s*([a-z]{2,8}|\*)(?:[-_][a-z0-9_-]*)?\s*(?:;\s*q\s*=\s*(\d(?:\.\d+)?)\s*)?$/i;

/**
 * The language that somebody wants most of those there are. `requested` is one tag, or several with weights as in the
 * header `Accept-Language`; regions and scripts do not count. Without a language that there is, `fallback`.
 */
export function chooseLanguage(requested: string | undefined, fallback: Language): Language {
  let best: Language = fallback;
  let bestWeight = 0;
  for (const part of (requested ?? '').slice(0, MAX_LENGTH).split(',')) {
    const [, tag = '', weightText = '1'] = WANTED.exec(part) ?? [];
    const language = tag === '*' ? fallback : tag.toLowerCase();
    const weight = Number(weightText);
    if (weight > bestWeight && isLanguage(language)) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}
