import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import type { TraceValue } from '@hearth/core/rules/explain/trace.ts';
import type { Span } from '@hearth/core/rules/syntax/problems.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import type { OperationName } from '../../access/authorization-request.ts';

/** A proposed write, with its placeholders resolved. */
export type StoredWrite =
  /** `json` is in export form. */
  | { readonly kind: 'node'; readonly path: string; readonly json: string }
  | { readonly kind: 'priority'; readonly path: string; readonly priority: Priority };

/** The result of one read that rules made from the tree before the operation. */
export type StoredRead =
  | { readonly kind: 'value'; readonly path: string; readonly value: boolean | number | string | null }
  | { readonly kind: 'object'; readonly path: string }
  | { readonly kind: 'priority'; readonly path: string; readonly priority: Priority }
  /** The first children of a node; all of them if there are fewer than `limit`. */
  | {
      readonly kind: 'keys';
      readonly path: string;
      readonly limit: number;
      readonly keys: readonly string[];
    };

/** All values on which a decision is based. */
export interface CapturedInputs {
  readonly writes: readonly StoredWrite[];
  readonly reads: readonly StoredRead[];
}

/** A redacted value of the data. It shows the type, and the length of a string, but not the value. */
export type RedactedValue =
  | { readonly kind: 'redacted'; readonly of: 'string'; readonly length: number }
  | { readonly kind: 'redacted'; readonly of: 'number' }
  /** A location whose path was derived from data. */
  | { readonly kind: 'redacted'; readonly of: 'snapshot'; readonly tree: 'before' | 'after' };

/** The start of a text, or of the JSON of an object, that is too long to show. */
export interface CutValue {
  readonly kind: 'cut';
  readonly of: 'string' | 'json';
  readonly start: string;
  /** Length of the whole value, in UTF-16 code units. */
  readonly length: number;
}

/** The value of a sub-expression: a stored `TraceStep`. */
export interface StoredStep {
  /** Position within the text of the rule. */
  readonly span: Span;
  readonly value: TraceValue | RedactedValue | CutValue;
  readonly steps: readonly StoredStep[];
}

/** A rule that was evaluated. */
export interface StoredRule {
  readonly kind: RuleKind;
  /** For example `/rooms/$id`. */
  readonly location: string;
  /** The path for which the rule was evaluated, for example `/rooms/r1`. */
  readonly place: string;
  /** Position of the rule's expression in the rules document. */
  readonly documentSpan: Span;
  /** The expression on one line, without comments and needless parentheses. */
  readonly text: string;
  readonly holds: boolean;
  readonly step: StoredStep;
}

/** The principal whose operation was denied: never an administrator. */
export type DeniedIdentity =
  | { readonly kind: 'guest' }
  /** `auth` as rules saw it, without the credential. If it was too long to store, a text that ends in `…`. */
  | { readonly kind: 'user'; readonly auth: unknown };

/** A user in the log. */
export interface NamedUser {
  /** Empty if `auth` was too long to store. */
  readonly uid: string;
  /** The address in the token. */
  readonly email: string | null;
}

/**
 * The parts that an entry leaves out because it would be too long. Each level also leaves out the parts of the
 * previous levels.
 */
export type CutLevel =
  | 'nothing'
  | 'values'
  /** The rules that did not cause the denial. */
  | 'other-rules'
  /** The steps of conditions. Only the values of the conditions remain. */
  | 'details'
  /** Everything except the decision. Texts are truncated and end in `…`. */
  | 'all-but-verdict';

/** An operation that the rules denied, with the reasons. */
export interface RecordedDenial {
  readonly timeMs: number;
  readonly operation: OperationName;
  /** At most `MAX_PATHS`. The path of a priority ends in `.priority`. */
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly identity: DeniedIdentity;
  /** The query of a read. */
  readonly query: QueryVariables | null;
  /** SHA-256 of the rules document, in hexadecimal. */
  readonly rulesHash: string;
  /** Index of the deciding rule in `rules`; `null` if there is no rule that could grant the operation. */
  readonly deciding: number | null;
  /** In the order in which they were evaluated. */
  readonly rules: readonly StoredRule[];
  readonly cut: CutLevel;
  /**
   * The data that was read and the data to be written; present if the owner has enabled `keepValues` and this data is
   * not too long.
   */
  readonly values: CapturedInputs | null;
}

/** An entry of the log of denials. */
export interface Denial extends RecordedDenial {
  /** Increases with each entry of a database. */
  readonly id: number;
}

/** Maximum number of paths of an update that are listed. */
export const MAX_PATHS = 20;

/**
 * Returns the rules that may have caused the denial: the `.validate` that failed, or otherwise all rules that
 * did not hold.
 */
export function failedRules({ rules, deciding }: Pick<Denial, 'rules' | 'deciding'>): readonly StoredRule[] {
  const rule = deciding === null ? undefined : rules[deciding];
  return rule?.kind === 'validate' ? [rule] : rules.filter(({ holds }) => !holds);
}

/** Returns the user ID of a principal, and the address in its token. `null` if it was not signed in. */
export function userOf(identity: DeniedIdentity): NamedUser | null {
  if (identity.kind === 'guest') return null;
  const { uid, token }: { readonly uid?: unknown; readonly token?: unknown } = Object(identity.auth);
  const { email }: { readonly email?: unknown } = Object(token);
  return {
    uid: typeof uid === 'string' ? uid : '',
    email: typeof email === 'string' ? email : null,
  };
}
