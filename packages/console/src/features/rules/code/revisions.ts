import type { RulesVersion, WholeRulesVersion } from '@hearth/core/api/rules-version.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { create } from 'zustand';
import { type Loadable, loadableOf, useChanges } from '../../../api/query-state.ts';
import {
  type CurrentRules,
  listRulesVersions,
  readCurrentRules,
  readRulesVersion,
  rollBackRules,
} from '../../../api/rules.ts';
import { useApi } from '../../../session/session.ts';

/** Unpublished rules, which the browser stores until they are published or discarded. */
export interface Draft {
  readonly source: string;
  /** The version that the draft is based on; 0 for the initial rules. */
  readonly basedOn: number;
}

interface Drafts {
  readonly drafts: Readonly<Record<string, Draft | null>>;
  /** Whether the browser could not store the latest draft. */
  readonly isNotStored: boolean;
}

export interface DraftOfDatabase {
  /** `null` if there is no draft, so that the editor shows the current rules. */
  readonly draft: Draft | null;
  /** Whether the draft is lost when the page is closed, because the browser could not store it. */
  readonly isNotStored: boolean;
  /** Replaces the draft; `null` discards it. */
  write(draft: Draft | null): void;
}

/** Prefix of the storage keys of drafts. */
const PREFIX = 'hearth.console.rules-draft.';

const useDrafts = create<Drafts>()(() => ({ drafts: {}, isNotStored: false }));

/** Returns the draft of the rules of a database, and a function that replaces or discards it. */
export function useDraft(database: string): DraftOfDatabase {
  const kept = useMemo(() => readStored(database), [database]);
  const { drafts, isNotStored } = useDrafts();
  const known = drafts[database];
  const write = useCallback((draft: Draft | null) => writeDraft(database, draft), [database]);
  return { draft: known === undefined ? kept : known, isNotStored, write };
}

/** Updates drafts that were changed in another window, so that all windows share one draft. */
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === null || !key.startsWith(PREFIX)) return;
  const database = key.slice(PREFIX.length);
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [database]: parseStored(newValue) } }));
});

/** Returns the current draft, for callbacks that run after the render in which they were created. */
export function draftOf(database: string): Draft | null {
  const known = useDrafts.getState().drafts[database];
  return known === undefined ? readStored(database) : known;
}

function writeDraft(database: string, draft: Draft | null): void {
  const isNotStored = !keep(database, draft);
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [database]: draft }, isNotStored }));
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
    return parseStored(localStorage.getItem(nameOf(database)));
  } catch {
    return null;
  }
}

/** Parses a stored draft; `null` if it is invalid, because another version of the console may have stored it. */
function parseStored(text: string | null): Draft | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { source, basedOn } = kept as Partial<Record<keyof Draft, unknown>>;
    return typeof source === 'string' && typeof basedOn === 'number' ? { source, basedOn } : null;
  } catch {
    return null;
  }
}

/** Interval in ms between checks whether another user has published. */
const REFETCH_INTERVAL_MS = 10_000;

/** Loads the current rules, and reloads them every `REFETCH_INTERVAL_MS`, because another user may publish. */
export function useCurrentRules(database: string): Loadable<CurrentRules> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['rules', database, 'current'],
      queryFn: () => readCurrentRules(api, database),
      refetchInterval: REFETCH_INTERVAL_MS,
    }),
  );
}

/** Loads the stored versions of the rules of a database, newest first. The first is the current one. */
export function useVersions(database: string): Loadable<readonly RulesVersion[]> {
  const api = useApi();
  return loadableOf(
    useQuery({ queryKey: ['rules', database, 'versions'], queryFn: () => listRulesVersions(api, database) }),
  );
}

/** Loads a version with its source and its difference from the previous version. */
export function useVersion(database: string, id: number): Loadable<WholeRulesVersion> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['rules', database, 'version', id],
      queryFn: () => readRulesVersion(api, database, id),
    }),
  );
}

/**
 * Returns a function that publishes the earlier version `to` as a new version, and resolves to the ID of the new version. The
 * function rejects with an `ApiError`, for example if `currentId` is no longer the current version.
 */
export function useRollBack(database: string): (to: number, currentId: number) => Promise<number> {
  const api = useApi();
  const change = useChanges(['rules', database]);
  return (to, currentId) => change(() => rollBackRules(api, database, { to, expected: currentId }));
}
