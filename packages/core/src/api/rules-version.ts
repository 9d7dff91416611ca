/** The author of published rules. */
export type RulesAuthor =
  | { readonly kind: 'admin' }
  | { readonly kind: 'guest' }
  | { readonly kind: 'user'; readonly uid: string }
  /**
   * A member of the project. The admin API adds `email` if it knows the project: `null` if the author is no longer a member.
   */
  | { readonly kind: 'member'; readonly uid: string; readonly email?: string | null }
  /** A program that signs in as a service account of the project. */
  | { readonly kind: 'service-account'; readonly email: string }
  /** A rules file that the server watches. `name` is the file's name for display. */
  | { readonly kind: 'file'; readonly name: string }
  /** Rules published before the server recorded versions. */
  | { readonly kind: 'unknown' };

/** One version of published rules, without the source. */
export interface RulesVersion {
  /** Number of the version within its database: 1, 2, 3 … without gaps. */
  readonly id: number;
  /** In milliseconds since 1970; `null` if it is not known. */
  readonly timeMs: number | null;
  readonly author: RulesAuthor;
  /** Length of the source in UTF-8 bytes. */
  readonly bytes: number;
  /** The author's message. */
  readonly message: string | null;
  /** The version whose source was published again; `null` if there is none. */
  readonly rolledBackTo: number | null;
}

/** A version of published rules with its source and its changes. */
export interface WholeRulesVersion extends RulesVersion {
  readonly source: string;
  /** Unified diff from the previous version; `null` if there is no previous version or it is not stored. */
  readonly difference: string | null;
}
