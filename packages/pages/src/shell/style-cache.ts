import createCache, { type EmotionCache } from '@emotion/cache';
import type { Direction } from './language.ts';

/**
 * Where the styles of components go: style elements that carry the nonce which the policy of the page allows. For writing
 * from right to left, what stands left stands right.
 */
export async function openStyleCache(direction: Direction, nonce: string | undefined): Promise<EmotionCache> {
  const options = nonce === undefined ? {} : { nonce };
  if (direction === 'ltr') return createCache({ key: 'h', ...options });
  // Loaded only where it is needed: it is larger than all the texts of a language.
  const { default: mirror } = await import('@mui/stylis-plugin-rtl');
  return createCache({ key: 'hr', stylisPlugins: [mirror], ...options });
}
