import { LANGUAGES, type Language } from '@hearth/pages/shell/document.ts';

/** Colours as chosen, or as the system has them. */
export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** What whoever is at the console likes. */
export interface Preferences {
  readonly theme: ThemeChoice;
  readonly density: Density;
  /** `null` for the language of the browser. */
  readonly language: Language | null;
  readonly isDrawerOpen: boolean;
  /** Are edits of data staged, to be reviewed and applied together? */
  readonly isStaging: boolean;
}

const INITIAL: Preferences = {
  theme: 'system',
  density: 'comfortable',
  language: null,
  isDrawerOpen: true,
  isStaging: false,
};

/** Under which the browser keeps them. */
const STORED = 'hearth.console.preferences';

/** Those that the browser has kept; a browser that keeps nothing has none. */
export function readPreferences(): Preferences {
  try {
    return { ...INITIAL, ...readStored(JSON.parse(localStorage.getItem(STORED) ?? 'null')) };
  } catch {
    return INITIAL;
  }
}

export function keepPreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(preferences));
  } catch {
    // Then they last as long as the page.
  }
}

/** What another version of the console has kept may be anything. */
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
