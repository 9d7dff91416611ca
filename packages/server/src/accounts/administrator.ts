import type { Grant } from '../identity/identity.ts';
import type { AdminRole } from '../tokens/service-account.ts';

/** Somebody above the rules and methods of apps. */
export interface Administrator {
  /** As audits and logs call it. */
  readonly name: string;
  /** The only project that it is an administrator of; `null` for all. */
  readonly projectId: string | null;
  readonly roles: readonly AdminRole[];
  /** When its token runs out, or `null` when it does not. */
  readonly expiresAtMs: number | null;
  /** What its rights end with, or `null` when they end with the token alone. */
  readonly grant: Grant | null;
}
