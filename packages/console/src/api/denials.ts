import type { NoProposalReason } from '@hearth/core/api/rule-proposal.ts';
import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Span } from '@hearth/core/rules/syntax/problems.ts';
import type { Api } from './client.ts';
import type { EvaluatedRule, ReplayReport, StepValue } from './rules.ts';

export type DeniedIdentity =
  | { readonly kind: 'guest' }
  /** The `auth` variable of the rules. If it was too long to store, a text that ends in `…`. */
  | { readonly kind: 'user'; readonly auth: unknown };

/** A rule in the denial log; the spans of its steps refer to `text`. */
export interface StoredRule extends EvaluatedRule {
  readonly text: string;
  /** Position of the text in the rules document at the time of the denial. */
  readonly documentSpan: Span;
}

/** The fields that all denials have. */
interface DenialHead {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly timeMs: number;
  readonly operation: string;
  /** The first paths of the operation; `pathCount` is the number of all. */
  readonly paths: readonly string[];
  readonly pathCount: number;
  readonly identity: DeniedIdentity;
  readonly query: Readonly<Record<string, unknown>> | null;
  /** SHA-256 of the published rules, in hex. */
  readonly rulesHash: string;
  /** The part that is not stored, because the denial was too large. */
  readonly cut: 'nothing' | 'values' | 'other-rules' | 'details' | 'all-but-verdict';
}

export interface ListedDenial extends DenialHead {
  readonly rule: { readonly kind: RuleKind; readonly location: string; readonly text: string } | null;
  /** `null` without a rule. */
  readonly reason: DenialReason | null;
}

/** The condition that made a rule fail. */
export interface DenialReason {
  /** The source text of the condition, which ends in `…` if it was too long. */
  readonly condition: string;
  readonly outcome: 'false' | 'error';
  /** Why the condition had no value; `null` if it was false. */
  readonly error: string | null;
  /** The values that the condition compared, at most two. */
  readonly values: readonly { readonly text: string; readonly value: StepValue }[];
}

export interface WholeDenial extends DenialHead {
  readonly rules: readonly StoredRule[];
  /** Index of the deciding rule; `null` if no rule decided. */
  readonly deciding: number | null;
  readonly values: DeniedValues | null;
}

/** The denied writes, and the data that the rules read, if the log records values. */
export interface DeniedValues {
  readonly writes: readonly (
    | { readonly kind: 'node'; readonly path: string; readonly json: string }
    | { readonly kind: 'priority'; readonly path: string; readonly priority: string | number | null }
  )[];
  readonly reads: readonly { readonly kind: string; readonly path: string; readonly value?: unknown }[];
}

export interface DenialPage {
  readonly denials: readonly ListedDenial[];
  /** Number of denials that were counted but not recorded, because there were too many at the same time. */
  readonly sampledOut: number;
}

/** An event of the denial stream: first a page, then new denials. Each event lists the latest denial first. */
export type DenialEvent = DenialPage & { readonly kind: 'page' | 'denials' };

export interface DenialFilter {
  readonly path?: string | undefined;
  readonly rule?: string | undefined;
  /** Empty for clients that are not signed in. */
  readonly uid?: string | undefined;
}

export interface DenialSettings {
  readonly isOn: boolean;
  /** Maximum number of stored denials. */
  readonly keep: number;
  /** Maximum age of stored denials, in days. */
  readonly days: number;
  readonly keepValues: boolean;
}

/** The decision of a draft about a recorded denial. */
export interface DenialResult {
  readonly isAllowed: boolean;
  readonly rules: readonly StoredRule[];
  readonly deciding: number | null;
  /** The basis of the result: recorded values, recorded outcomes of conditions, or only the recorded decision. */
  readonly basis: 'values' | 'outcomes' | 'verdict';
  /** The paths that the draft reads and the denial did not record. */
  readonly missing: readonly string[];
}

function denialsPath(database: string, rest = ''): string {
  return `/api/databases/${encodeURIComponent(database)}/denials${rest}`;
}

/**
 * Returns the latest denials, at most `limit`. `path` selects denials at or below it, `rule` those decided by a rule at
 * this location, or by none if it is empty.
 */
export function listDenials(
  api: Api,
  database: string,
  { path, rule, uid }: DenialFilter,
  limit: number,
): Promise<DenialPage> {
  return api.json(denialsPath(database), { query: { limit, path, rule, uid } });
}

/** Yields the latest denials, then new ones, until the stream ends. The filter is that of `listDenials`. */
export async function* followDenials(
  api: Api,
  database: string,
  { path, rule, uid }: DenialFilter,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<DenialEvent, void, undefined> {
  const events = api.events(denialsPath(database), { query: { limit, path, rule, uid }, signal });
  for await (const { event, data } of events)
    if (event === 'page' || event === 'denials') yield { kind: event, ...(JSON.parse(data) as DenialPage) };
}

/** The property by which denials are grouped. */
export type Grouping = 'rule' | 'user';

/** Denials of one rule or user; see docs/reference/api.md. */
export interface DenialGroup {
  readonly count: number;
  /** Times of the first and the last denial of the group, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Numbers of denials in equal parts of the period, oldest first. */
  readonly trend: readonly number[];
  readonly rules: readonly {
    /** `null` if no rule could grant the operation. */
    readonly rule: { readonly kind: RuleKind; readonly location: string } | null;
    readonly count: number;
  }[];
  readonly ruleCount: number;
  readonly users: readonly {
    /** `null` for clients that are not signed in. */
    readonly user: { readonly uid: string; readonly email: string | null } | null;
    readonly count: number;
  }[];
  readonly userCount: number;
  readonly latest: ListedDenial;
}

export interface DenialGroups {
  /** The largest group first. */
  readonly groups: readonly DenialGroup[];
  readonly otherCount: number;
  /** Whether all denials of the period were counted. */
  readonly isComplete: boolean;
}

/** Counts the denials of the last `periodMs` milliseconds by rule or by user. */
export function groupDenials(
  api: Api,
  database: string,
  by: Grouping,
  periodMs: number,
  { path, rule, uid }: DenialFilter,
  signal: AbortSignal,
): Promise<DenialGroups> {
  return api.json(denialsPath(database, '/groups'), {
    query: { by, period: periodMs, path, rule, uid },
    signal,
  });
}

export function readDenial(api: Api, database: string, id: number): Promise<WholeDenial> {
  return api.json(denialsPath(database, `/${id}`));
}

/** Evaluates a draft of the rules for a recorded denial. */
export function evaluateDenial(
  api: Api,
  database: string,
  id: number,
  source: string,
): Promise<DenialResult> {
  return api.json(denialsPath(database, `/${id}/evaluate`), { method: 'POST', body: { source } });
}

/** A change of the rules that would allow a denied operation, or the reason why there is none; see docs/reference/api.md. */
export type Proposal =
  | { readonly kind: 'none'; readonly reason: NoProposalReason }
  | {
      readonly kind: 'draft';
      readonly source: string;
      readonly changes: readonly {
        readonly kind: RuleKind;
        readonly location: string;
        /** The condition that is added. */
        readonly condition: string;
      }[];
      /** Whether the written value was recorded, so that `.validate` rules were evaluated too. */
      readonly isValueKnown: boolean;
      readonly effect: {
        readonly report: ReplayReport;
        /** Newly allowed operations of the user, and of all others. */
        readonly ofUser: number;
        readonly ofOthers: number;
      };
    };

/** Proposes a change of the rules in `source` that would allow a recorded denial. */
export function proposeRules(
  api: Api,
  database: string,
  id: number,
  source: string,
  signal: AbortSignal,
): Promise<Proposal> {
  return api.json(denialsPath(database, `/${id}/proposal`), { method: 'POST', body: { source }, signal });
}

export function readDenialSettings(api: Api, database: string): Promise<DenialSettings> {
  return api.json(denialsPath(database, '/settings'));
}

export function changeDenialSettings(
  api: Api,
  database: string,
  change: Partial<DenialSettings>,
): Promise<DenialSettings> {
  return api.json(denialsPath(database, '/settings'), { method: 'PUT', body: change });
}
