import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Api } from '../api/client.ts';
import { readSession } from '../api/projects.ts';
import { DEVELOPMENT_CREDENTIAL } from '../api/session.ts';
import { type Session, SessionContext } from '../session/session.ts';
import { Failure, LoadingBar } from '../ui/states.tsx';
import type { Gate, GateProps } from './gate.ts';

const api = new Api(DEVELOPMENT_CREDENTIAL);
const SESSION = queryOptions({ queryKey: ['session'], queryFn: () => readSession(api) });

/** The gate of development mode, in which every user of this machine has full access without a sign-in. */
export const developmentGate: Gate = {
  Component: DevelopmentGate,
  // No retries here: `DevelopmentGate` repeats the query, and shows a loading bar while it retries.
  prepare: (client) => client.prefetchQuery({ ...SESSION, retry: false }),
};

function DevelopmentGate({ parameters, children }: GateProps) {
  const { data, error, refetch } = useQuery(SESSION);
  const session = useMemo(
    (): Session | undefined =>
      data && {
        parameters,
        api,
        credential: DEVELOPMENT_CREDENTIAL,
        user: null,
        projects: data.projects,
        signOut: null,
        chooseProject: null,
      },
    [parameters, data],
  );
  if (session !== undefined) return <SessionContext value={session}>{children}</SessionContext>;
  return error === null ? <LoadingBar /> : <Failure error={error} retry={() => void refetch()} />;
}
