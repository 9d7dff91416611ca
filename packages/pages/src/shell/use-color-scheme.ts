import { useSyncExternalStore } from 'react';
import type { ColorScheme } from './palette.ts';

const DARK = '(prefers-color-scheme: dark)';

function watch(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

function readScheme(): ColorScheme {
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

/** The colours that the reader's system asks for, also when it changes its mind. */
export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(watch, readScheme);
}
