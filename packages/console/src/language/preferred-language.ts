import { chooseLanguage, type Language } from '@hearth/pages/shell/language.ts';
import { readPreferences } from '../preferences/kept-preferences.ts';

/** The language that is preferred, by the preference or by the browser. */
export function preferredLanguage(): Language {
  return chooseLanguage([readPreferences().language ?? undefined, ...navigator.languages]);
}
