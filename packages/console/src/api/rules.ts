import type { RulesVersion, WholeRulesVersion } from '@hearth/core/api/rules-version.ts';
import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { TraceValue } from '@hearth/core/rules/explain/trace.ts';
import type { Span } from '@hearth/core/rules/syntax/problems.ts';
import { type Api, ApiError } from './client.ts';

/** The value of an expression: complete, truncated because it is long, or only its type. */
export type StepValue =
  | TraceValue
  /** `length` is the length of the complete text. */
  | { readonly kind: 'cut'; readonly of: 'string' | 'json'; readonly start: string; readonly length: number }
  | {
      readonly kind: 'redacted';
      readonly of: 'string' | 'number' | 'snapshot';
      /** Set for strings. */
      readonly length?: number;
      /** Set for snapshots. */
      readonly tree?: 'before' | 'after';
    };

/** The value of an expression, and the steps of the parts that were evaluated, except literals. */
export interface Step {
  readonly span: Span;
  readonly value: StepValue;
  readonly steps: readonly Step[];
}

/** A rule that was evaluated. */
export interface EvaluatedRule {
  readonly kind: RuleKind;
  /** The location of the rule, for example `/rooms/$id`. */
  readonly location: string;
  /** The path for which the rule was evaluated, for example `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: Step;
}

export interface CurrentRules {
  /** ID of the version; 0 for the initial rules of a database. */
  readonly id: number;
  readonly source: string;
  /** `null` if no version was published. */
  readonly version: RulesVersion | null;
}

/** An operation whose decision the server explains. */
export interface RulesQuestion {
  readonly operation: 'read' | 'write' | 'update';
  readonly path: string;
  /** The `auth` variable; `null` if not signed in. */
  readonly auth: unknown;
  readonly value?: unknown;
  readonly query?: unknown;
  /** Rules to evaluate instead of the current ones. */
  readonly source?: string;
}

/** The decision about an operation, and the rules that were evaluated for it. */
export interface RulesAnswer {
  readonly isAllowed: boolean;
  /** The denied path: no rule allows the operation there, or its new value is not valid; `null` if allowed. */
  readonly deniedPath: string | null;
  readonly rules: readonly EvaluatedRule[];
  /** The rule that decided; `null` if no rule applies. */
  readonly deciding: EvaluatedRule | null;
  /** The text that the spans refer to. */
  readonly source: string;
}

/** Operations that a draft decides differently because of the same rule. */
export interface FlippedDecisions {
  readonly rule: { readonly kind: RuleKind; readonly location: string; readonly text: string } | null;
  readonly count: number;
  /** Cases for `hearth rules test` that expect the results of the current rules. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** The recorded operations, and those that a draft decides differently. */
export interface ReplayReport {
  readonly operations: number;
  /** Number of operations that were too long to be recorded. */
  readonly notRecorded: number;
  /** Number of operations that arrived too fast to be recorded. */
  readonly sampledOut: number;
  readonly allowedToDenied: readonly FlippedDecisions[];
  readonly deniedToAllowed: readonly FlippedDecisions[];
}

/** Whether the server records operations of a database, to evaluate drafts of rules for them. */
export interface RecordingSettings {
  readonly isOn: boolean;
  /** Share of operations that is recorded, from 0 to 1. */
  readonly share: number;
}

function rulesPath(database: string, rest: string): string {
  return `/api/databases/${encodeURIComponent(database)}/rules/${rest}`;
}

/** Number of versions that the server stores. */
const MAX_VERSIONS = 100;

/** Lists the latest versions, newest first; by default all that are stored. */
export async function listRulesVersions(
  api: Api,
  database: string,
  limit = MAX_VERSIONS,
): Promise<readonly RulesVersion[]> {
  const { versions } = await api.json<{ readonly versions: readonly RulesVersion[] }>(
    rulesPath(database, 'versions'),
    { query: { limit } },
  );
  return versions;
}

export function readRulesVersion(api: Api, database: string, id: number): Promise<WholeRulesVersion> {
  return api.json(rulesPath(database, `versions/${id}`));
}

/** Reads the current rules. */
export async function readCurrentRules(api: Api, database: string): Promise<CurrentRules> {
  const [latest] = await listRulesVersions(api, database, 1);
  if (latest !== undefined) {
    const { source, difference: _, ...version } = await readRulesVersion(api, database, latest.id);
    return { id: latest.id, source, version };
  }
  const response = await api.send('/.settings/rules.json', { query: { ns: database } });
  return { id: 0, source: await response.text(), version: null };
}

/** Publishes rules and returns the ID of the version. Rejects with status 409 if `expected` is not the current version. */
export async function publishRules(
  api: Api,
  database: string,
  body: { readonly source: string; readonly message?: string; readonly expected: number },
): Promise<number> {
  return (await api.json<{ readonly id: number }>(rulesPath(database, 'publish'), { method: 'POST', body }))
    .id;
}

/**
 * Publishes the source of version `to` again and returns the ID of the new version. Rejects with status 409 if
 * `expected` is not the current version.
 */
export async function rollBackRules(
  api: Api,
  database: string,
  body: { readonly to: number; readonly message?: string; readonly expected: number },
): Promise<number> {
  return (await api.json<{ readonly id: number }>(rulesPath(database, 'rollback'), { method: 'POST', body }))
    .id;
}

/** Returns whether publishing or rolling back failed because another version was published first. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** Evaluates the rules for an operation and returns the trace. Writes nothing. */
export function explainRules(api: Api, database: string, question: RulesQuestion): Promise<RulesAnswer> {
  return api.json(rulesPath(database, 'explain'), { method: 'POST', body: question });
}

/** Returns counts and examples of the recorded operations that `source` would decide differently. */
export function replayRules(
  api: Api,
  database: string,
  source: string,
  signal: AbortSignal,
): Promise<ReplayReport> {
  return api.json(rulesPath(database, 'replay'), { method: 'POST', body: { source }, signal });
}

export function readRecording(api: Api, database: string): Promise<RecordingSettings> {
  return api.json(rulesPath(database, 'recording'));
}

export function changeRecording(
  api: Api,
  database: string,
  change: Partial<RecordingSettings>,
): Promise<RecordingSettings> {
  return api.json(rulesPath(database, 'recording'), { method: 'PUT', body: change });
}
