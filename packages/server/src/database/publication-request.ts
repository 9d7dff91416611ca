import type { RulesAuthor } from './rule-versions.ts';

/** How rules are to be published. */
export interface PublicationRequest {
  /** Unless it is who asks for it. */
  readonly author?: RulesAuthor;
  readonly message?: string;
  /** The version that must be in force before, 0 for none: so that nobody replaces what somebody else has published. */
  readonly expected?: number;
}
