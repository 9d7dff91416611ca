import { createDebugToken, deleteDebugToken, listDebugTokens } from '../app-check/debug-tokens.ts';
import {
  exchangeCaptcha,
  exchangeChallengeOfApp,
  exchangeCustomToken,
  exchangeDebugToken,
  listAppCheckCounts,
  verifyAppCheckToken,
} from '../app-check/exchange.ts';
import { jwks, KEY_CACHE_CONTROL } from '../tokens/key-ring.ts';
import type { AuthApiRoute, PublicRoute } from './router.ts';

const PROJECT = '/v1/projects/{project}';
const APP = `${PROJECT}/apps/{app}`;
const DEBUG_TOKENS = `${APP}/debugTokens`;
/** An App Check token belongs to a project, not to a tenant. Apps send their API key and name the project too. */
const EXCHANGE = { method: 'POST', audience: 'anyone', isOfProject: true, namesProject: true } as const;
const CHANGING = { audience: 'admin', role: 'identity.configAdmin', isOfProject: true } as const;
const READING = { audience: 'admin', role: 'identity.viewer', isOfProject: true } as const;

function keysAt(path: string): PublicRoute {
  return {
    method: 'GET',
    path,
    audience: 'public',
    headers: { 'cache-control': KEY_CACHE_CONTROL },
    publish: (_request, { appCheckKeys }) => ({ ...jwks(appCheckKeys) }),
  };
}

/** Routes that issue and check App Check tokens, and those with which administrators configure them. */
export const APP_CHECK_ROUTES: readonly AuthApiRoute[] = [
  {
    method: 'POST',
    audience: 'anyone',
    path: '/__/app-check/exchange',
    isOfProject: true,
    isKeyInBody: true,
    maxBodyBytes: 8_192,
    run: exchangeChallengeOfApp,
  },
  { ...EXCHANGE, path: `${APP}:exchangeRecaptchaV3Token`, run: exchangeCaptcha },
  { ...EXCHANGE, path: `${APP}:exchangeRecaptchaEnterpriseToken`, run: exchangeCaptcha },
  { ...EXCHANGE, path: `${APP}:exchangeDebugToken`, run: exchangeDebugToken },
  {
    ...EXCHANGE,
    path: `${APP}:exchangeCustomToken`,
    role: 'identity.tokenCreator',
    run: exchangeCustomToken,
  },
  {
    method: 'POST',
    path: '/v1beta/projects/{project}:verifyAppCheckToken',
    audience: 'admin',
    role: 'identity.tokenCreator',
    isOfProject: true,
    run: verifyAppCheckToken,
  },
  { ...CHANGING, method: 'POST', path: DEBUG_TOKENS, run: createDebugToken },
  { ...READING, method: 'GET', path: DEBUG_TOKENS, run: listDebugTokens },
  { ...CHANGING, method: 'DELETE', path: `${DEBUG_TOKENS}/{id}`, run: deleteDebugToken },
  { ...READING, method: 'GET', path: `${PROJECT}/appCheckRequests`, run: listAppCheckCounts },
  keysAt('/v1/jwks'),
  keysAt('/.well-known/appcheck-jwks.json'),
];
