import type { Clock } from '../../platform/clock.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { FlowStore } from '../flows/flow-store.ts';
import { SamlThread } from '../saml/thread.ts';
import { ProviderDocuments } from './provider-documents.ts';
import { RequestShares } from './request-shares.ts';

/** The services for sign-in with other providers. */
export interface ProviderServices {
  /** Sends requests to providers. Throws a `ProviderFailure` if there is no reply. */
  readonly requests: RequestShares;
  readonly documents: ProviderDocuments;
  /** The popups and redirects that have begun. */
  readonly flows: FlowStore;
  /** Works on SAML documents. The owner of the services disposes of it. */
  readonly saml: SamlThread;
}

export function openProviderServices(
  send: HttpSend,
  clock: Clock,
  randomBytes: (count: number) => Uint8Array,
): ProviderServices {
  return {
    requests: new RequestShares(send),
    documents: new ProviderDocuments(send, clock),
    flows: new FlowStore({ clock, randomBytes }),
    saml: new SamlThread(),
  };
}
