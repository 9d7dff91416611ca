import type { Language } from '@hearth/pages/shell/document.ts';
import { create } from 'zustand';
import { type Preferences, readPreferences, storePreferences } from './preferences.ts';

/** The user's preferences as shared state. */
export const usePreferences = create<Preferences>()(readPreferences);

/** Changes preferences and stores them. */
export function changePreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
  storePreferences(usePreferences.getState());
}

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  pt: 'Português',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
};
