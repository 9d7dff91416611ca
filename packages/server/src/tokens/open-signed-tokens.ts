import type { Books } from '../books/books.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import { secretBox } from '../secrets/secret-box.ts';
import type { SecretKey } from '../secrets/secret-key.ts';
import { KeyRotation } from './key-rotation.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import { signedCustomTokens } from './signed-custom-tokens.ts';
import { SignedTokens } from './signed-tokens.ts';
import { SigningKeys } from './signing-keys.ts';
import type { TokenServices } from './token-services.ts';

export interface SignedTokensOptions {
  readonly books: Books;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly serviceAccounts: ServiceAccounts;
}

/** Signed tokens, whose keys are replaced when they are due until it is disposed of. */
export interface OpenTokens extends Disposable {
  readonly services: TokenServices;
}

/** Opens the keys of this server, or makes them. Rejects with a `StartFailure` when the secret key does not fit. */
export async function openSignedTokens(options: SignedTokensOptions): Promise<OpenTokens> {
  const { books, clock, logger, randomBytes, secretKey, serviceAccounts } = options;
  const { nowMs } = clock;
  const keys = await SigningKeys.open({ books, box: secretBox(secretKey, randomBytes), nowMs, randomBytes });
  const [idToken, sessionCookie] = [keys.ring('idToken'), keys.ring('sessionCookie')];
  const rotation = new KeyRotation(keys, logger);
  return {
    services: {
      idTokens: new SignedTokens(idToken, nowMs),
      sessionCookies: new SignedTokens(sessionCookie, nowMs),
      customTokens: signedCustomTokens(serviceAccounts.find, nowMs),
      publishedKeys: { idToken, sessionCookie },
    },
    [Symbol.dispose]: () => rotation[Symbol.dispose](),
  };
}
