import { LANGUAGES, type Language } from '@hearth/pages/shell/document.ts';

/** Color schemes; `system` follows the operating system. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** The user's preferences in this browser. */
export interface Preferences {
  readonly theme: ThemeChoice;
  readonly density: Density;
  /** `null` for the language of the browser. */
  readonly language: Language | null;
  readonly isDrawerOpen: boolean;
  /** Whether edits of data are staged for review. */
  readonly isStaging: boolean;
}

const INITIAL: Preferences = {
  theme: 'system',
  density: 'comfortable',
  language: null,
  isDrawerOpen: true,
  isStaging: false,
};

/** `localStorage` key. */
const STORED = 'hearth.console.preferences';

/** Reads the stored preferences; returns the defaults if there are none or the browser blocks the storage. */
export function readPreferences(): Preferences {
  try {
    return { ...INITIAL, ...readStored(JSON.parse(localStorage.getItem(STORED) ?? 'null')) };
  } catch {
    return INITIAL;
  }
}

export function storePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(preferences));
  } catch {
    // Without storage, the preferences last until the page is closed.
  }
}

/** Returns the valid preferences; another version of the console may have stored other values. */
function readStored(kept: unknown): Partial<Preferences> {
  if (typeof kept !== 'object' || kept === null) return {};
  const { theme, density, language, isDrawerOpen, isStaging } = kept as Partial<
    Record<keyof Preferences, unknown>
  >;
  const knownTheme = THEME_CHOICES.find((choice) => choice === theme);
  const knownDensity = DENSITIES.find((choice) => choice === density);
  const knownLanguage = LANGUAGES.find((choice) => choice === language);
  return {
    ...(knownTheme === undefined ? {} : { theme: knownTheme }),
    ...(knownDensity === undefined ? {} : { density: knownDensity }),
    ...(knownLanguage === undefined ? {} : { language: knownLanguage }),
    ...(typeof isDrawerOpen === 'boolean' ? { isDrawerOpen } : {}),
    ...(typeof isStaging === 'boolean' ? { isStaging } : {}),
  };
}
