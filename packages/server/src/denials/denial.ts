import type { RuleKind } from '@hearth/core/rules/rule-set.ts';
import type { QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { Span } from '@hearth/core/rules/span.ts';
import type { TraceValue } from '@hearth/core/rules/trace.ts';
import type { KeptValues } from './kept-values.ts';
import type { OperationName } from './operation-name.ts';

/** What is left of a value that came out of data: enough to see what a rule saw, but not the value. */
export type RedactedValue =
  | { readonly kind: 'redacted'; readonly of: 'string'; readonly length: number }
  | { readonly kind: 'redacted'; readonly of: 'number' }
  /** A place whose path was made of data. */
  | { readonly kind: 'redacted'; readonly of: 'snapshot'; readonly tree: 'before' | 'after' };

/** The start of a value that is too long to be shown: of a text, or of the JSON of an object. */
export interface CutValue {
  readonly kind: 'cut';
  readonly of: 'string' | 'json';
  readonly start: string;
  /** Of the whole, in UTF-16 units. */
  readonly length: number;
}

/** What a sub-expression came to; `TraceStep` of what is kept. */
export interface KeptStep {
  /** Within the text of its rule. */
  readonly span: Span;
  readonly value: TraceValue | RedactedValue | CutValue;
  readonly steps: readonly KeptStep[];
}

/** A rule that was asked. */
export interface KeptRule {
  readonly kind: RuleKind;
  /** As `/rooms/$id`. */
  readonly location: string;
  /** The place it was asked for, as `/rooms/r1`. */
  readonly place: string;
  /** Where its expression stands in the document. */
  readonly documentSpan: Span;
  /** Its expression, printed: comments, white space and needless parentheses are gone. */
  readonly text: string;
  readonly holds: boolean;
  readonly step: KeptStep;
}

/** Who was denied: never an administrator. */
export type DeniedIdentity =
  | { readonly kind: 'guest' }
  /** `auth` as rules saw it, without the credential; a text, ending in `…`, where it was too long to be kept. */
  | { readonly kind: 'user'; readonly auth: unknown };

/** How much of an entry was left out because it was too long; each leaves out what those above it do, too. */
export type Cut =
  | 'nothing'
  | 'values'
  /** Rules other than those whose failing was the reason. */
  | 'other-rules'
  /** Also what conditions were made of: only what they came to is there. */
  | 'details'
  /** All but the verdict: texts are cut, and end in `…`. */
  | 'all-but-verdict';

/** One operation that rules denied, and why. */
export interface RecordedDenial {
  readonly timeMs: number;
  readonly operation: OperationName;
  /** At most `MAX_PATHS`; a priority is written as a last segment. */
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly identity: DeniedIdentity;
  /** Of a read. */
  readonly query: QueryVariables | null;
  /** SHA-256 of the rules document, in hexadecimal. */
  readonly rulesHash: string;
  /** Index of the deciding rule in `rules`; `null` where no rule was there to grant anything. */
  readonly deciding: number | null;
  /** In the order in which they were asked. */
  readonly rules: readonly KeptRule[];
  readonly cut: Cut;
  /** What was read and to be written, if the owner wants values to be kept, and they were not too long. */
  readonly values: KeptValues | null;
}

/** An entry of the log. */
export interface Denial extends RecordedDenial {
  /** Ascends within the database. */
  readonly id: number;
}

/** Most paths of an update that are listed. */
export const MAX_PATHS = 20;
