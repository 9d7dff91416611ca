/** Why the server proposes no change of the rules that would allow a denied operation. */
export type NoProposalReason =
  /** The current rules allow the operation. */
  | 'allowed'
  /** The client was not signed in. A rule that allows such clients allows every client. */
  | 'guest'
  /** The stored `auth` is not complete. */
  | 'auth-unknown'
  /** A `.validate` rejects the value, so the value is wrong. */
  | 'invalid'
  /** The written value is not known, and the decision depends on it. */
  | 'value-unknown'
  /** Rules below the path allow parts of what was read. A rule that allows all of it would also allow other parts. */
  | 'list'
  /** Rules decide on users by the data at the path. */
  | 'privilege'
  /** Neither the path nor the data near it names the user. */
  | 'unlinked';
