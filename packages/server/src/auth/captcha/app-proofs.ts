import { AppChecks } from '../app-check/app-checks.ts';
import type { AppCheckKeys } from '../tokens/services.ts';
import { Captcha, type CaptchaOptions } from './captcha.ts';

/** The services that check proofs of clients. */
export interface AppProofServices {
  readonly captcha: Captcha;
  readonly appChecks: AppChecks;
}

export interface AppProofOptions extends CaptchaOptions {
  readonly appCheckKeys: AppCheckKeys;
  readonly isDevelopment: boolean;
}

/** Creates the services that check challenges and App Check tokens. */
export function createAppProofs({
  appCheckKeys,
  isDevelopment,
  ...options
}: AppProofOptions): AppProofServices {
  const { clock, randomBytes } = options;
  return {
    captcha: new Captcha(options),
    appChecks: new AppChecks({ keys: appCheckKeys, clock, randomBytes, isDevelopment }),
  };
}
