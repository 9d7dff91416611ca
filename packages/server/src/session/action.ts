import type { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Fields } from '@hearth/core/wire/up.ts';
import type { Receiver, Turn } from '../commit/turn.ts';
import type { Database } from '../database/database.ts';
import type { Identity } from '../identity/identity.ts';
import type { Credential } from '../identity/verifier.ts';
import type { SessionListens } from './session-listens.ts';

/** What an action sees of the session that asks for it. */
export interface ActionSession extends Receiver {
  readonly id: string;
  readonly database: Database;
  readonly identity: Identity;
  readonly listens: SessionListens;
  /** What the client says that it is. */
  sdk: string | null;
  /** Becomes somebody else: reads that are no longer allowed are revoked. */
  changeIdentity(turn: Turn, identity: Identity): void;
}

/** Executes a request and returns the JSON text of its answer, or throws a `Refusal`. */
export type Action = (session: ActionSession, turn: Turn, body: Fields) => string;

/** What to do with a request, by its action. */
export type ActionEntry =
  | {
      readonly kind: 'decide';
      readonly run: Action;
      /** Does it change nothing but what the client is told? Once the client is gone it need not be done. */
      readonly isForClient: boolean;
    }
  /** Who the client is has to be found out first; requests behind it wait. */
  | { readonly kind: 'credential'; readonly parse: (body: Fields) => Credential | Refusal };
