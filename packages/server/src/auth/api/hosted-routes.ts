import { createRedirectCode } from '../flows/development-redirect.ts';
import { createSignInCode, redeemCode } from '../hosted/code-methods.ts';
import { closePageSession, openPageSession, readPageSession } from '../hosted/page-session.ts';
import type { AuthHandler } from '../services.ts';
import type { MethodRoute } from './router.ts';

/** Longest request with an event, in bytes. */
const MAX_EVENT_BYTES = 32_768;

/** Routes of the hosted sign-in page, and those with which an app gets the result of a page. */
export const HOSTED_ROUTES: readonly MethodRoute[] = [
  ofPage('session:open', openPageSession),
  ofPage('session:read', readPageSession),
  ofPage('session:close', closePageSession),
  ofPage('session:code', createSignInCode),
  post('redirect-result', redeemCode),
  { ...ofPage('redirect-event', createRedirectCode), maxBodyBytes: MAX_EVENT_BYTES },
];

function ofPage(name: string, run: AuthHandler): MethodRoute {
  return { ...post(name, run), isOfPage: true };
}

function post(name: string, run: AuthHandler): MethodRoute {
  return {
    method: 'POST',
    path: `/__/auth/${name}`,
    audience: 'anyone',
    isKeyInBody: true,
    maxBodyBytes: 8_192,
    run,
  };
}
