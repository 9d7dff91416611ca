import type { Clock } from '../../platform/clock.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { ProviderDocuments } from './provider-documents.ts';

/** The services for sign-in with other providers. */
export interface ProviderServices {
  /** Sends requests to providers. Throws a `ProviderFailure` if there is no reply. */
  readonly send: HttpSend;
  readonly documents: ProviderDocuments;
}

export function openProviderServices(send: HttpSend, clock: Clock): ProviderServices {
  return { send, documents: new ProviderDocuments(send, clock) };
}
