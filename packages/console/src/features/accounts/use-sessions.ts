import { useQuery } from '@tanstack/react-query';
import { endAllSessions } from '../../server/accounts.ts';
import { type AccountSession, endSession, listSessions } from '../../server/accounts-sessions.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface Sessions {
  readonly sessions: Loadable<readonly AccountSession[]>;
  end(session: string): Promise<void>;
  endAll(): Promise<void>;
}

/** Where somebody is signed in. Changes reject with an `ApiError`. */
export function useSessions(uid: string): Sessions {
  const api = useApi();
  const project = useProjectId();
  const change = useChanges(['account', project, uid]);
  return {
    sessions: loadableOf(
      useQuery({
        queryKey: ['account', project, uid, 'sessions'],
        queryFn: () => listSessions(api, project, uid),
      }),
    ),
    end: (session) => change(() => endSession(api, project, uid, session)),
    endAll: () => change(() => endAllSessions(api, project, uid)),
  };
}
