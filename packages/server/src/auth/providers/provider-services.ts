import type { Clock } from '../../platform/clock.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { FlowStore } from '../flows/flow-store.ts';
import { RedirectCodes } from '../flows/redirect-codes.ts';
import { SignInCodes } from '../hosted/sign-in-codes.ts';
import { SamlThread } from '../saml/thread.ts';
import { ProviderDocuments } from './provider-documents.ts';
import { RequestShares } from './request-shares.ts';

/** The services for sign-ins that leave the page of the app. */
export interface ProviderServices {
  /** Sends requests to providers. Throws a `ProviderFailure` if there is no reply. */
  readonly requests: RequestShares;
  readonly documents: ProviderDocuments;
  /** The popups and redirects that have begun. */
  readonly flows: FlowStore;
  /** The events that redirects take back to apps. */
  readonly redirectCodes: RedirectCodes;
  /** Works on SAML documents. The owner of the services disposes of it. */
  readonly saml: SamlThread;
  /** The codes with which apps take over sign-ins on hosted pages. */
  readonly signInCodes: SignInCodes;
}

export function openProviderServices(
  send: HttpSend,
  clock: Clock,
  randomBytes: (count: number) => Uint8Array,
): ProviderServices {
  return {
    requests: new RequestShares(send, clock.elapsedMs),
    documents: new ProviderDocuments(send, clock),
    flows: new FlowStore({ clock, randomBytes }),
    redirectCodes: new RedirectCodes({ clock, randomBytes }),
    saml: new SamlThread(clock.elapsedMs),
    signInCodes: new SignInCodes({ clock, randomBytes }),
  };
}
