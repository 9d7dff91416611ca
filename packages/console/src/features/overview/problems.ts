import type { ListedQuery } from '@hearth/core/api/activity.ts';
import type { AlertKind, ProjectAlerts } from '@hearth/core/api/alerts.ts';
import type { ServerActivity } from '../../api/activity.ts';
import type { DenialPage, ListedDenial } from '../../api/denials.ts';
import type { CurrentRules } from '../../api/rules.ts';
import type { DeadMail } from '../../api/settings.ts';
import { findOpenAccess, type OpenAccess } from './open-rules.ts';

/** A problem that needs the attention of a member. */
export type Problem =
  | ({ readonly kind: 'open-rules' } & OpenAccess)
  | { readonly kind: 'no-rules' }
  | { readonly kind: 'alerts'; readonly alerts: readonly AlertKind[] }
  | { readonly kind: 'disk'; readonly freeShare: number }
  | {
      readonly kind: 'denials';
      readonly count: number;
      /** Whether there may be more denials than were counted. */
      readonly isMore: boolean;
      /** The rule that caused the most denials; `null` if more denials had no applicable rule. */
      readonly rule: ListedDenial['rule'];
    }
  | { readonly kind: 'unindexed'; readonly count: number }
  | { readonly kind: 'event-loop'; readonly delayMs: number }
  | { readonly kind: 'mails'; readonly count: number };

export type Severity = 'error' | 'warning' | 'info';

/** Severity of each kind of problem. Problems are listed in the order of these keys. */
export const SEVERITIES: Readonly<Record<Problem['kind'], Severity>> = {
  'open-rules': 'error',
  alerts: 'error',
  disk: 'error',
  denials: 'warning',
  unindexed: 'warning',
  'event-loop': 'warning',
  mails: 'warning',
  'no-rules': 'info',
};

/** Data in which problems are found. A property is absent if its data could not be loaded. */
export interface Findings {
  /** Absent in development mode, where open rules are the default. */
  readonly rules?: CurrentRules | undefined;
  readonly denials?: DenialPage | undefined;
  readonly queries?: readonly ListedQuery[] | undefined;
  readonly server?: ServerActivity | undefined;
  readonly mails?: readonly DeadMail[] | undefined;
  readonly alerts?: ProjectAlerts | undefined;
}

/** Number of denials that are requested: the maximum that the server returns. */
export const MAX_DENIALS = 200;
const HOUR_MS = 3_600_000;

/** Share of the disk below which free space is low. */
const LOW_DISK_SHARE = 0.1;

/** Delay of the event loop above which users of apps notice it. */
const LONG_DELAY_MS = 50;

/** Returns the problems, most severe first. */
export function problemsOf(
  { rules, denials, queries = [], server, mails = [], alerts }: Findings,
  nowMs: number,
): readonly Problem[] {
  const unindexed = queries.filter(({ isIndexed }) => !isIndexed).length;
  const found: readonly (Problem | undefined)[] = [
    rules && problemOfRules(rules),
    alerts && problemOfAlerts(alerts),
    denials && problemOfDenials(denials, nowMs),
    unindexed > 0 ? { kind: 'unindexed', count: unindexed } : undefined,
    server && problemOfDisk(server),
    server && server.eventLoop.longestDelayMs > LONG_DELAY_MS
      ? { kind: 'event-loop', delayMs: server.eventLoop.longestDelayMs }
      : undefined,
    mails.length > 0 ? { kind: 'mails', count: mails.length } : undefined,
  ];
  const kinds = Object.keys(SEVERITIES);
  return found
    .filter((problem) => problem !== undefined)
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

function problemOfRules({ source, version }: CurrentRules): Problem | undefined {
  if (version === null) return { kind: 'no-rules' };
  const access = findOpenAccess(source);
  return access.isReadOpen || access.isWriteOpen ? { kind: 'open-rules', ...access } : undefined;
}

function problemOfAlerts({ alerts }: ProjectAlerts): Problem | undefined {
  const raised = alerts.filter(({ isRaised }) => isRaised).map(({ kind }) => kind);
  return raised.length > 0 ? { kind: 'alerts', alerts: raised } : undefined;
}

function problemOfDenials({ denials }: DenialPage, nowMs: number): Problem | undefined {
  const recent = denials.filter(({ timeMs }) => timeMs >= nowMs - HOUR_MS);
  const counts = new Map<string, { readonly rule: ListedDenial['rule']; count: number }>();
  for (const { rule } of recent) {
    const name = rule === null ? '' : `${rule.kind} ${rule.location}`;
    const entry = counts.get(name) ?? { rule, count: 0 };
    entry.count += 1;
    counts.set(name, entry);
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (most === undefined) return undefined;
  return { kind: 'denials', count: recent.length, isMore: recent.length === MAX_DENIALS, rule: most.rule };
}

function problemOfDisk({ disk: { freeBytes, totalBytes } }: ServerActivity): Problem | undefined {
  const freeShare = totalBytes === 0 ? 1 : freeBytes / totalBytes;
  return freeShare < LOW_DISK_SHARE ? { kind: 'disk', freeShare } : undefined;
}
