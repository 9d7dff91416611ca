import type { Language } from '@hearth/pages/shell/document.ts';
import { create } from 'zustand';
import { keepPreferences, type Preferences, readPreferences } from './preferences.ts';

/** What whoever is at the console likes, as all views see it. */
export const usePreferences = create<Preferences>()(readPreferences);

/** Changes some of them, for good. */
export function changePreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
  keepPreferences(usePreferences.getState());
}

/** Each language as it calls itself. */
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
