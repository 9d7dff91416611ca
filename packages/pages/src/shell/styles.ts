import type { EmotionCache } from '@emotion/cache';
import createCache from '@emotion/cache';
import { useSyncExternalStore } from 'react';
import type { Direction } from './document.ts';

export type ColorScheme = 'light' | 'dark';

/** The color schemes. Text has a contrast of at least 4.5 to 1 on each background. */
export const PALETTES = {
  light: {
    mode: 'light',
    primary: { main: '#a83c0c', dark: '#842d06', contrastText: '#ffffff' },
    success: { main: '#1d6b3a' },
    error: { main: '#b3261e' },
    // `main` is the text color. The background is a faint tint of `light`.
    warning: { main: '#8f4e00', light: '#ff9800' },
    background: { default: '#f7f2ee', paper: '#ffffff' },
    text: { primary: '#221a15', secondary: '#63564d' },
    divider: '#e6dcd4',
  },
  dark: {
    mode: 'dark',
    primary: { main: '#ffb48a', dark: '#ffcaac', contrastText: '#3b1500' },
    success: { main: '#82d69c' },
    error: { main: '#ffb4ab' },
    background: { default: '#15110e', paper: '#211b17' },
    text: { primary: '#f2e9e3', secondary: '#c6b8ae' },
    divider: '#40362f',
  },
} as const;

/** The bundled fonts for Latin and Arabic (`fonts.css`), then system fonts, which support every other script. */
export const FONTS = 'Inter, Vazirmatn, system-ui, sans-serif';

const DARK = '(prefers-color-scheme: dark)';

function watch(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

function readScheme(): ColorScheme {
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

/** Returns the color scheme of the operating system and follows its changes. */
export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(watch, readScheme);
}

/**
 * Creates the style cache of the components. Its style elements have the nonce that the Content Security Policy requires. For
 * right-to-left languages, it mirrors the styles.
 */
export async function openStyleCache(direction: Direction, nonce: string | undefined): Promise<EmotionCache> {
  // `speedy` is the default in production. Otherwise, each rule gets a style element of its own, which makes tests slow.
  const options = { speedy: true, ...(nonce === undefined ? {} : { nonce }) };
  if (direction === 'ltr') return createCache({ key: 'h', ...options });
  // Loaded on demand, because it is larger than the texts of a language.
  const { default: mirror } = await import('@mui/stylis-plugin-rtl');
  return createCache({ key: 'hr', stylisPlugins: [mirror], ...options });
}
