import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { isNotFound } from '../api/client.ts';
import { listDatabases, type Measure, measureDatabase } from '../api/projects.ts';
import { useApi, useProjectId } from './session.ts';

/** Queries the names of all databases of the current project; `refetchInterval` is in milliseconds. */
export function useDatabases(refetchInterval: number | false = false): UseQueryResult<readonly string[]> {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: ['databases', project],
    queryFn: () => listDatabases(api, project),
    refetchInterval,
  });
}

/** Returns the name of the default database of a project. */
export function mainDatabaseOf(project: string): string {
  return `${project}-default-rtdb`;
}

/** Returns the database in the address, if any. */
export function useDatabaseId(): string | undefined {
  return useParams()['database'];
}

interface Measured {
  /** The progress; `undefined` until the server reports some, and after an error. */
  readonly measure: Measure | undefined;
  readonly error: unknown;
}

/** The progress, and a function that restarts the measurement. */
interface Measuring extends Measured {
  restart(): void;
}

/** The size of a database before the first write. */
const UNUSED: Measure = { bytes: 0, isComplete: true };

const NOTHING: Measured = { measure: undefined, error: undefined };

/**
 * Measures the size of a database and returns the progress. Restarts if the database changes, and stops if the view
 * unmounts.
 */
export function useMeasure(database: string): Measuring {
  const api = useApi();
  const [measured, setMeasured] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the same request.
  useEffect(() => {
    const abort = new AbortController();
    async function follow(): Promise<void> {
      setMeasured(NOTHING);
      try {
        for await (const measure of measureDatabase(api, database, abort.signal))
          setMeasured({ measure, error: undefined });
      } catch (error) {
        if (abort.signal.aborted) return;
        // The first write creates a database.
        const isUnused = isNotFound(error);
        setMeasured(isUnused ? { measure: UNUSED, error: undefined } : { measure: undefined, error });
      }
    }
    void follow();
    return () => abort.abort();
  }, [api, database, attempt]);
  return { ...measured, restart: () => setAttempt((before) => before + 1) };
}
