import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Account, findAccounts } from '../../api/accounts.ts';
import { type AuditEntry, readAudit } from '../../api/audit.ts';
import type { Api } from '../../api/client.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { listRulesVersions } from '../../api/rules.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { CHANGE_AREAS, type Change, findChange, latestChanges, MAX_CHANGES, uidsIn } from './changes.ts';

const REFRESH_MS = 15_000;

interface RecentChanges {
  readonly changes: readonly Change[];
  /** Names of accounts, by their user ID. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Loads the latest administrative changes from the rules versions and the audit log. If one of these is not available,
 * returns the changes from the other.
 */
export function useRecentChanges(database: string): Loadable<RecentChanges> {
  const api = useApi();
  const project = useProjectId();
  const refetchInterval = REFRESH_MS;
  const versions = useQuery({
    queryKey: ['overview', 'rules-versions', database],
    queryFn: () => listRulesVersions(api, database, MAX_CHANGES),
    refetchInterval,
  });
  const audit = useQuery({
    queryKey: ['overview', 'audit', project],
    queryFn: () => readChanges(api, project),
    refetchInterval,
  });
  const isSettled = [versions, audit].every(({ data, error }) => data !== undefined || error !== null);
  const isKnown = isSettled && (versions.data ?? audit.data) !== undefined;
  const changes = isKnown ? latestChanges(versions.data ?? [], audit.data ?? []) : undefined;
  const uids = uidsIn(changes ?? []);
  const accounts = useQuery({
    queryKey: ['overview', 'accounts', project, uids],
    queryFn: () => findAccounts(api, project, uids),
    enabled: uids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const names = new Map(accounts.data?.map((account) => [account.localId, nameOf(account)]));
  return loadable(changes && { changes, names }, isSettled ? versions.error : null, () => {
    void versions.refetch();
    void audit.refetch();
  });
}

function nameOf({ email, displayName, localId }: Account): string {
  return email ?? displayName ?? localId;
}

/** The events that are changes, as a filter. */
const CHANGE_EVENTS = Object.keys(CHANGE_AREAS).join(',');

/** Reads the latest changes from the audit log. */
async function readChanges(api: Api, project: string): Promise<readonly AuditEntry[]> {
  const filter = { event: CHANGE_EVENTS, series: 'administration' } as const;
  const { entries } = await readAudit(api, project, filter, undefined, MAX_CHANGES);
  return entries.filter((entry) => findChange(entry) !== undefined);
}
