import { useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../../server/loadable.ts';
import {
  listRulesVersions,
  type RulesVersion,
  readRulesVersion,
  rollBackRules,
  type WholeRulesVersion,
} from '../../../server/rules.ts';
import { useChanges } from '../../../server/use-changes.ts';
import { useApi } from '../../../session/session.ts';

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
