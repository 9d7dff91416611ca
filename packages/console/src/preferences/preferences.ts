import { LANGUAGES, type Language } from '@hearth/pages/shell/language.ts';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Colours as chosen, or as the system has them. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** What whoever is at the console likes, kept by the browser. */
export interface Preferences {
  readonly theme: ThemeChoice;
  readonly density: Density;
  /** `null` for the language of the browser. */
  readonly language: Language | null;
  readonly isDrawerOpen: boolean;
}

const INITIAL: Preferences = { theme: 'system', density: 'comfortable', language: null, isDrawerOpen: true };

export const usePreferences = create<Preferences>()(
  persist(() => INITIAL, {
    name: 'hearth.console.preferences',
    merge: (kept, initial) => ({ ...initial, ...readKept(kept) }),
  }),
);

/** Changes some of them. */
export function changePreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
}

/** What another version of the console has kept may be anything. */
function readKept(kept: unknown): Partial<Preferences> {
  if (typeof kept !== 'object' || kept === null) return {};
  const { theme, density, language, isDrawerOpen } = kept as Partial<Record<keyof Preferences, unknown>>;
  const knownTheme = THEME_CHOICES.find((choice) => choice === theme);
  const knownDensity = DENSITIES.find((choice) => choice === density);
  const knownLanguage = LANGUAGES.find((choice) => choice === language);
  return {
    ...(knownTheme === undefined ? {} : { theme: knownTheme }),
    ...(knownDensity === undefined ? {} : { density: knownDensity }),
    ...(knownLanguage === undefined ? {} : { language: knownLanguage }),
    ...(typeof isDrawerOpen === 'boolean' ? { isDrawerOpen } : {}),
  };
}
