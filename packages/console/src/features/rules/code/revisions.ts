import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { create } from 'zustand';
import { type Loadable, loadableOf, useChanges } from '../../../api/query-state.ts';
import {
  listRulesVersions,
  type RulesInForce,
  type RulesVersion,
  readRulesInForce,
  readRulesVersion,
  rollBackRules,
  type WholeRulesVersion,
} from '../../../api/rules.ts';
import { useApi } from '../../../session/session.ts';

/** Rules that somebody works on, kept by the browser until they are published or thrown away. */
export interface Draft {
  readonly source: string;
  /** The version that it began with; 0 for rules from before any version. */
  readonly basedOn: number;
}

interface Drafts {
  readonly drafts: Readonly<Record<string, Draft | null>>;
  /** Did the browser refuse to keep the latest one? */
  readonly isUnkept: boolean;
}

export interface DraftOfDatabase {
  /** `null` where nothing differs from the rules in force. */
  readonly draft: Draft | null;
  /** Is it lost when the page is closed, because the browser has no room for it? */
  readonly isUnkept: boolean;
  /** Replaces the draft; `null` throws it away. */
  write(draft: Draft | null): void;
}

/** Begins the names under which the browser keeps drafts. */
const PREFIX = 'hearth.console.rules-draft.';

const useDrafts = create<Drafts>()(() => ({ drafts: {}, isUnkept: false }));

/** The draft of the rules of a database. */
export function useDraft(database: string): DraftOfDatabase {
  const kept = useMemo(() => readStored(database), [database]);
  const { drafts, isUnkept } = useDrafts();
  const known = drafts[database];
  const write = useCallback((draft: Draft | null) => writeDraft(database, draft), [database]);
  return { draft: known === undefined ? kept : known, isUnkept, write };
}

/** Whoever works in two windows works on one draft: what is typed in one is seen in the other. */
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === null || !key.startsWith(PREFIX)) return;
  const database = key.slice(PREFIX.length);
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [database]: parseCached(newValue) } }));
});

/** The draft as it is by now, for what is done later than it was asked for. */
export function draftOf(database: string): Draft | null {
  const known = useDrafts.getState().drafts[database];
  return known === undefined ? readStored(database) : known;
}

function writeDraft(database: string, draft: Draft | null): void {
  const isUnkept = !keep(database, draft);
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [database]: draft }, isUnkept }));
}

function nameOf(database: string): string {
  return `${PREFIX}${database}`;
}

function keep(database: string, draft: Draft | null): boolean {
  try {
    if (draft === null) localStorage.removeItem(nameOf(database));
    else localStorage.setItem(nameOf(database), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

function readStored(database: string): Draft | null {
  try {
    return parseCached(localStorage.getItem(nameOf(database)));
  } catch {
    return null;
  }
}

/** What another version of the console has kept may be anything. */
function parseCached(text: string | null): Draft | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { source, basedOn } = kept as Partial<Record<keyof Draft, unknown>>;
    return typeof source === 'string' && typeof basedOn === 'number' ? { source, basedOn } : null;
  } catch {
    return null;
  }
}

/** How often it is asked whether somebody else has published, in milliseconds. */
const ASK_MS = 10_000;

/** The rules that decide now, also when somebody else has put them in force. */
export function useRulesInForce(database: string): Loadable<RulesInForce> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['rules', database, 'in-force'],
      queryFn: () => readRulesInForce(api, database),
      refetchInterval: ASK_MS,
    }),
  );
}

/** The versions of the rules of a database that are kept, newest first; the first is in force. */
export function useVersions(database: string): Loadable<readonly RulesVersion[]> {
  const api = useApi();
  return loadableOf(
    useQuery({ queryKey: ['rules', database, 'versions'], queryFn: () => listRulesVersions(api, database) }),
  );
}

/** One version with its source and what it changed. */
export function useVersion(database: string, id: number): Loadable<WholeRulesVersion> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['rules', database, 'version', id],
      queryFn: () => readRulesVersion(api, database, id),
    }),
  );
}

/** Publishes a version once more, if another is still in force. Rejects with an `ApiError`. */
export function useRollBack(database: string): (to: number, inForce: number) => Promise<number> {
  const api = useApi();
  const change = useChanges(['rules', database]);
  return (to, inForce) => change(() => rollBackRules(api, database, { to, expected: inForce }));
}
