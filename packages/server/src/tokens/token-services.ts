import type { CustomTokenVerifier } from './custom-token.ts';
import type { PublishedKeys } from './key-ring.ts';
import type { TokenSigner, TokenVerifier } from './token-codec.ts';
import type { TokenUse } from './token-use.ts';

/** All that is done with tokens about users. */
export interface TokenServices {
  readonly idTokens: TokenSigner & TokenVerifier;
  readonly sessionCookies: TokenSigner;
  readonly customTokens: CustomTokenVerifier;
  /** What others verify tokens with. */
  readonly publishedKeys: Readonly<Record<TokenUse, PublishedKeys>>;
}
