import { createSignInCode, redeemSignInCode } from '../hosted/code-methods.ts';
import { closePageSession, openPageSession, readPageSession } from '../hosted/page-session.ts';
import type { AuthHandler } from '../services.ts';
import type { MethodRoute } from './router.ts';

/** Routes of the hosted sign-in page, and the one with which an app takes over a sign-in. */
export const HOSTED_ROUTES: readonly MethodRoute[] = [
  ofPage('session:open', openPageSession),
  ofPage('session:read', readPageSession),
  ofPage('session:close', closePageSession),
  ofPage('session:code', createSignInCode),
  post('redirect-result', redeemSignInCode),
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
