import {
  type ColorScheme,
  isColor,
  leastContrast,
  MAX_CORNER_RADIUS,
  MIN_CONTRAST,
} from '@hearth/core/api/page-theme.ts';
import { AuthApiError } from '../errors.ts';
import { type ConfigMember, invalidConfig } from '../projects/config-fields.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { InvalidLogo, parseLogo } from './logo.ts';
import type { ProjectTheme } from './theme.ts';

const THEME = 'hearth.theme';

/** The members of the configuration for the look of pages and mails, which the official configuration does not have. */
export const THEME_MEMBERS: readonly ConfigMember[] = [
  color('lightColor', 'light'),
  color('darkColor', 'dark'),
  {
    path: `${THEME}.cornerRadius`,
    encode: ({ theme }) => theme.cornerRadius ?? undefined,
    apply: (settings, value, path) => withTheme(settings, { cornerRadius: readRadius(value, path) }),
  },
  {
    path: `${THEME}.logo`,
    encode: ({ theme }) => theme.logo ?? undefined,
    apply: (settings, value, path) => withTheme(settings, { logo: readLogo(value, path) }),
  },
];

function color(name: 'lightColor' | 'darkColor', scheme: ColorScheme): ConfigMember {
  return {
    path: `${THEME}.${name}`,
    encode: ({ theme }) => theme[name] ?? undefined,
    apply: (settings, value, path) => withTheme(settings, { [name]: readColor(value, path, scheme) }),
  };
}

/** Returns a color with which text is readable; `null` for none. Throws `INVALID_CONFIG`. */
function readColor(value: unknown, path: string, scheme: ColorScheme): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string' || !isColor(value)) throw invalidConfig(path, 'a color such as #1a73e8');
  const contrast = leastContrast(value, scheme);
  if (contrast < MIN_CONTRAST)
    throw invalidConfig(
      path,
      `${scheme === 'light' ? 'darker' : 'lighter'}: its contrast with the ${scheme} page is ${round(contrast)} to 1, and text needs ${MIN_CONTRAST} to 1`,
    );
  return value.toLowerCase();
}

/** Returns a contrast with one decimal, rounded down so that one that is too small never seems sufficient. */
function round(contrast: number): string {
  return (Math.floor(contrast * 10) / 10).toFixed(1);
}

/** Returns a radius in pixels; `null` for that of Hearth. Throws `INVALID_CONFIG`. */
function readRadius(value: unknown, path: string): number | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_CORNER_RADIUS)
    throw invalidConfig(path, `a whole number of pixels from 0 to ${MAX_CORNER_RADIUS}`);
  return value;
}

/** Returns the stored form of a logo; `null` for none. Throws `INVALID_CONFIG`. */
function readLogo(value: unknown, path: string): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalidConfig(path, 'a PNG image as a data: URL');
  try {
    return parseLogo(value);
  } catch (cause) {
    if (!(cause instanceof InvalidLogo)) throw cause;
    throw new AuthApiError('INVALID_CONFIG', `${path} ${cause.message}.`, { cause });
  }
}

function withTheme(settings: ProjectSettings, change: Partial<ProjectTheme>): ProjectSettings {
  return { ...settings, theme: { ...settings.theme, ...change } };
}
