import { useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { type RulesInForce, readRulesInForce } from '../../server/rules.ts';
import { useApi } from '../../session/session.ts';

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
