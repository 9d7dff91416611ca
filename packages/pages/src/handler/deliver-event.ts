import type { AuthEvent } from '../relay/auth-event.ts';
import { deliverToOpener } from '../relay/deliver.ts';
import { storeRedirectEvent } from '../relay/redirect-event.ts';
import type { HandlerProblem, WaitingApp } from './parameters.ts';

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
  try {
    storeRedirectEvent(sessionStorage, app, event);
  } catch {
    return { kind: 'problem', problem: 'noStorage' };
  }
  location.replace(app.redirectUrl);
  return { kind: 'leaving' };
}
