import { useEffect, useState } from 'react';
import { type Measure, measureDatabase } from '../../server/databases.ts';
import { useApi } from '../../session/session.ts';

interface Measured {
  /** As far as it has come; undefined before the first line. */
  readonly measure: Measure | undefined;
  readonly error: unknown;
}

const NOTHING: Measured = { measure: undefined, error: undefined };

/** How much a database holds, growing while it is measured. It ends with the view, and when another one is to be measured. */
export function useMeasure(database: string): Measured {
  const api = useApi();
  const [measured, setMeasured] = useState(NOTHING);
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
  }, [api, database]);
  return measured;
}
