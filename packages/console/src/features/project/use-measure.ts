import { useEffect, useState } from 'react';
import { type Measure, measureDatabase } from '../../server/databases.ts';
import { useApi } from '../../session/session.ts';

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
