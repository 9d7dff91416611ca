import type { AuthEvent } from '../relay/auth-event.ts';
import { deliverToOpener } from '../relay/deliver.ts';
import { storeRedirectEvent } from '../relay/redirect-event.ts';
import { type HandlerProblem, parseWebAddress, type WaitingApp } from './parameters.ts';

/** `leaving`: the browser loads the app. */
export type Outcome =
  | { readonly kind: 'delivered' | 'leaving' }
  | { readonly kind: 'problem'; readonly problem: HandlerProblem };

/** Passes the event to the app: in its window, or after a redirect. */
export async function deliverEvent(app: WaitingApp, event: AuthEvent): Promise<Outcome> {
  if (app.authType.endsWith('ViaPopup')) {
    const target = { ...app, origin: app.redirectUrl.origin };
    const delivery = await deliverToOpener(window.opener, target, event);
    return delivery === 'delivered' ? { kind: 'delivered' } : { kind: 'problem', problem: 'lost' };
  }
  if (app.challenge !== null) return leaveForTab(app, app.challenge, event);
  try {
    storeRedirectEvent(sessionStorage, app, event);
  } catch {
    return { kind: 'problem', problem: 'noStorage' };
  }
  location.replace(app.redirectUrl);
  return { kind: 'leaving' };
}

/** Navigates to the tab in which the redirect began, which exchanges a code for the event. Only in development mode. */
async function leaveForTab(
  { apiKey, redirectUrl }: WaitingApp,
  challenge: string,
  event: AuthEvent,
): Promise<Outcome> {
  const response = await fetch(`/__/auth/redirect-event?key=${encodeURIComponent(apiKey)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirectUrl, challenge, event }),
  }).catch(() => undefined);
  const json: unknown = response?.ok === true ? await response.json() : undefined;
  const address = parseWebAddress(Object(json).address);
  if (address === undefined) return { kind: 'problem', problem: 'providerFailed' };
  location.replace(address);
  return { kind: 'leaving' };
}
