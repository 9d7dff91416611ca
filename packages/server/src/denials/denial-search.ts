import type { Denial, KeptRule } from './denial.ts';

/** What entries that are sought have in common. */
export interface DenialFilter {
  /** Entries with a path at or below this one. */
  readonly path?: string;
  /** Entries that a rule of this location decided, as `/rooms/$id`. */
  readonly rule?: string;
}

/** Which entries are sought. */
export interface DenialSearch extends DenialFilter {
  /** Entries with lower ids. */
  readonly before: number;
  readonly limit: number;
}

/** An entry as it is listed: without its trace. */
export interface DenialSummary extends Omit<Denial, 'rules' | 'deciding' | 'values'> {
  readonly rule: Omit<KeptRule, 'step'> | null;
  readonly hasValues: boolean;
}

export function isSought({ paths, rule: deciding }: DenialSummary, { path, rule }: DenialFilter): boolean {
  if (path !== undefined && !paths.some((place) => isWithin(path, place))) return false;
  return rule === undefined || deciding?.location === rule;
}

/** As it is listed. */
export function summarize(denial: Denial): DenialSummary {
  const { rules, deciding, values, ...rest } = denial;
  const rule = findDeciding(denial);
  return { ...rest, rule: rule === undefined ? null : withoutStep(rule), hasValues: values !== null };
}

function findDeciding({ rules, deciding }: Denial): KeptRule | undefined {
  return deciding === null ? undefined : rules[deciding];
}

function withoutStep({ step, ...rule }: KeptRule): Omit<KeptRule, 'step'> {
  return rule;
}

function isWithin(path: string, place: string): boolean {
  const above = path === '/' ? '' : path;
  return place === above || place.startsWith(`${above}/`);
}
