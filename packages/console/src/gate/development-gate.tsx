import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Failure } from '../elements/failure.tsx';
import { LoadingBar } from '../elements/loading-bar.tsx';
import { Api } from '../server/api.ts';
import type { ConsoleParameters } from '../server/console-parameters.ts';
import { DEVELOPMENT_CREDENTIAL } from '../server/credential.ts';
import { readSession } from '../server/read-session.ts';
import { type Session, SessionContext } from '../session/session.ts';

interface DevelopmentGateProps {
  readonly parameters: ConsoleParameters;
  readonly children: ReactNode;
}

/** In development everybody on this machine may do everything. */
export function DevelopmentGate({ parameters, children }: DevelopmentGateProps) {
  const api = useMemo(() => new Api(DEVELOPMENT_CREDENTIAL), []);
  const { data, error, refetch } = useQuery({ queryKey: ['session'], queryFn: () => readSession(api) });
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
    [parameters, api, data],
  );
  if (session !== undefined) return <SessionContext value={session}>{children}</SessionContext>;
  return error === null ? <LoadingBar /> : <Failure error={error} retry={() => void refetch()} />;
}
