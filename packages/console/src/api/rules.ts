import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { TraceValue } from '@hearth/core/rules/explain/trace.ts';
import type { Span } from '@hearth/core/rules/syntax/problems.ts';
import { type Api, ApiError } from './client.ts';

/** What a part of a rule came to: whole, cut because it is long, or only of what kind it was. */
export type StepValue =
  | TraceValue
  /** `length` is that of the whole. */
  | { readonly kind: 'cut'; readonly of: 'string' | 'json'; readonly start: string; readonly length: number }
  | {
      readonly kind: 'redacted';
      readonly of: 'string' | 'number' | 'snapshot';
      /** Of a string. */
      readonly length?: number;
      /** Of a snapshot. */
      readonly tree?: 'before' | 'after';
    };

/** What an expression came to, and what was evaluated for it. Literals and what was not needed are not there. */
export interface Step {
  readonly span: Span;
  readonly value: StepValue;
  readonly steps: readonly Step[];
}

/** A rule that was evaluated. */
export interface EvaluatedRule {
  readonly kind: RuleKind;
  /** For example `/rooms/$id`. */
  readonly location: string;
  /** The path for which it was evaluated, for example `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: Step;
}

export type RulesAuthor =
  | { readonly kind: 'admin' }
  | { readonly kind: 'user'; readonly uid: string }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'unknown' };

/** One publication of rules. */
export interface RulesVersion {
  readonly id: number;
  /** In milliseconds since 1970; `null` if it is not known. */
  readonly timeMs: number | null;
  readonly author: RulesAuthor;
  readonly bytes: number;
  readonly message: string | null;
  /** The version whose source was published again; `null` if there is none. */
  readonly rolledBackTo: number | null;
}

export interface WholeRulesVersion extends RulesVersion {
  readonly source: string;
  /** What it changed, as `diff -u` prints it; `null` where nothing before it is kept. */
  readonly difference: string | null;
}

export interface RulesInForce {
  /** Id of the version; 0 for the rules that a database has before any are published. */
  readonly id: number;
  readonly source: string;
  /** `null` as long as none was published. */
  readonly version: RulesVersion | null;
}

export interface RulesQuestion {
  readonly operation: 'read' | 'write' | 'update';
  readonly path: string;
  /** The variable `auth`; `null` for a guest. */
  readonly auth: unknown;
  readonly value?: unknown;
  readonly query?: unknown;
  /** Rules to decide by instead of those in force. */
  readonly source?: string;
}

export interface RulesAnswer {
  readonly isAllowed: boolean;
  /** The place that nothing grants or that would not be valid. */
  readonly refused: string | null;
  readonly rules: readonly EvaluatedRule[];
  readonly deciding: EvaluatedRule | null;
  /** The text that the spans refer to. */
  readonly source: string;
}

/** Operations of which the verdict changes because of the same rule. */
export interface FlippedDecisions {
  readonly rule: { readonly kind: RuleKind; readonly location: string; readonly text: string } | null;
  readonly count: number;
  /** Cases for `hearth rules test` that expect what the rules in force say. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

export interface ReplayReport {
  readonly operations: number;
  readonly notRecorded: number;
  readonly sampledOut: number;
  readonly allowedToDenied: readonly FlippedDecisions[];
  readonly deniedToAllowed: readonly FlippedDecisions[];
}

export interface RecordingSettings {
  readonly isOn: boolean;
  /** Which part of all operations is recorded, 0 to 1. */
  readonly share: number;
}

function rulesPath(database: string, rest: string): string {
  return `/api/databases/${encodeURIComponent(database)}/rules/${rest}`;
}

const PAGE = 100;

/** All versions that are kept, newest first. */
export async function listRulesVersions(api: Api, database: string): Promise<readonly RulesVersion[]> {
  const { versions } = await api.json<{ readonly versions: readonly RulesVersion[] }>(
    rulesPath(database, 'versions'),
    { query: { limit: PAGE } },
  );
  return versions;
}

export function readRulesVersion(api: Api, database: string, id: number): Promise<WholeRulesVersion> {
  return api.json(rulesPath(database, `versions/${id}`));
}

/** The rules that decide now. */
export async function readRulesInForce(api: Api, database: string): Promise<RulesInForce> {
  const { versions } = await api.json<{ readonly versions: readonly RulesVersion[] }>(
    rulesPath(database, 'versions'),
    { query: { limit: 1 } },
  );
  const [latest] = versions;
  if (latest !== undefined) {
    const { source, difference: _, ...version } = await readRulesVersion(api, database, latest.id);
    return { id: latest.id, source, version };
  }
  const response = await api.send('/.settings/rules.json', { query: { ns: database } });
  return { id: 0, source: await response.text(), version: null };
}

/** Puts rules in force and resolves with the id of the version. Rejects with 409 if `expected` is not in force. */
export async function publishRules(
  api: Api,
  database: string,
  body: { readonly source: string; readonly message?: string; readonly expected: number },
): Promise<number> {
  return (await api.json<{ readonly id: number }>(rulesPath(database, 'publish'), { method: 'POST', body }))
    .id;
}

/** Publishes the source of an earlier version once more. Rejects with 409 if `expected` is not in force. */
export async function rollBackRules(
  api: Api,
  database: string,
  body: { readonly to: number; readonly message?: string; readonly expected: number },
): Promise<number> {
  return (await api.json<{ readonly id: number }>(rulesPath(database, 'rollback'), { method: 'POST', body }))
    .id;
}

/** Were other rules published meanwhile? */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** Why rules would allow an operation now, or not. Nothing is written. */
export function explainRules(api: Api, database: string, question: RulesQuestion): Promise<RulesAnswer> {
  return api.json(rulesPath(database, 'explain'), { method: 'POST', body: question });
}

/** What rules would have decided otherwise of what was asked for lately. */
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
