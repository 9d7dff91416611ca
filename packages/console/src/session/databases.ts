import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { listDatabases, type Measure, measureDatabase } from '../api/projects.ts';
import { useApi, useProjectId } from './session.ts';

/** Names of all databases of the project in view, asked for again every so many milliseconds if at all. */
export function useDatabases(refetchInterval: number | false = false): UseQueryResult<readonly string[]> {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: ['databases', project],
    queryFn: () => listDatabases(api, project),
    refetchInterval,
  });
}

/** The database that apps of a project have without naming one. */
export function mainDatabaseOf(project: string): string {
  return `${project}-default-rtdb`;
}

/** The database of the address, where it names one. */
export function useDatabaseId(): string | undefined {
  return useParams()['database'];
}

interface Measured {
  /** As far as it has come; undefined before the first line. */
  readonly measure: Measure | undefined;
  readonly error: unknown;
}

/** How far it has come, and how it is begun anew. */
interface Measuring extends Measured {
  restart(): void;
}

const NOTHING: Measured = { measure: undefined, error: undefined };

/** How much a database holds, growing while it is measured. It ends with the view, and when another one is to be measured. */
export function useMeasure(database: string): Measuring {
  const api = useApi();
  const [measured, setMeasured] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for the same once more.
  useEffect(() => {
    const abort = new AbortController();
    async function follow(): Promise<void> {
      setMeasured(NOTHING);
      try {
        for await (const measure of measureDatabase(api, database, abort.signal))
          setMeasured({ measure, error: undefined });
      } catch (error) {
        if (!abort.signal.aborted) setMeasured({ measure: undefined, error });
      }
    }
    void follow();
    return () => abort.abort();
  }, [api, database, attempt]);
  return { ...measured, restart: () => setAttempt((before) => before + 1) };
}
