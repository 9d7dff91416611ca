import { useQuery } from '@tanstack/react-query';
import { countAccounts } from '../../server/accounts.ts';
import { listConnections } from '../../server/activity.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { listDenials } from '../../server/rules-denials.ts';
import { useApi, useProjectId } from '../../session/session.ts';

/** A number, or the least that it is: more are not counted. */
export interface Figure {
  readonly count: number;
  readonly isMore: boolean;
}

export interface Figures {
  readonly connections: Loadable<Figure>;
  /** Within the last 24 hours. */
  readonly denials: Loadable<Figure>;
  readonly accounts: Loadable<Figure>;
}

const AGAIN_MS = 5_000;
const DAY_MS = 86_400_000;
const MOST_CONNECTIONS = 500;
const MOST_DENIALS = 200;

/** What goes on in a project, as it is now. */
export function useFigures(database: string): Figures {
  const api = useApi();
  const project = useProjectId();
  const again = { refetchInterval: AGAIN_MS };
  return {
    connections: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'connections', database],
        queryFn: async (): Promise<Figure> => {
          const { connections, next } = await listConnections(api, database, undefined, MOST_CONNECTIONS);
          return { count: connections.length, isMore: next !== null };
        },
      }),
    ),
    denials: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'denials', database],
        queryFn: async (): Promise<Figure> => {
          const { denials } = await listDenials(api, database, {}, MOST_DENIALS);
          const since = Date.now() - DAY_MS;
          const count = denials.filter(({ timeMs }) => timeMs >= since).length;
          return { count, isMore: count === MOST_DENIALS };
        },
      }),
    ),
    accounts: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'accounts', project],
        queryFn: async (): Promise<Figure> => ({ count: await countAccounts(api, project), isMore: false }),
      }),
    ),
  };
}
