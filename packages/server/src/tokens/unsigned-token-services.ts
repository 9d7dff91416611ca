import type { PublishedKeys } from './key-ring.ts';
import type { TokenServices } from './token-services.ts';
import { unsignedCustomTokens } from './unsigned-custom-tokens.ts';
import { unsignedTokens } from './unsigned-tokens.ts';

const NO_KEYS: PublishedKeys = { published: () => [] };

/** As the official emulators do it. Development mode only: anybody can make such tokens. */
export const unsignedTokenServices: TokenServices = {
  idTokens: unsignedTokens,
  sessionCookies: unsignedTokens,
  customTokens: unsignedCustomTokens,
  publishedKeys: { idToken: NO_KEYS, sessionCookie: NO_KEYS },
};
