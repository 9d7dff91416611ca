import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/** Carries out changes of what a query shows, and asks for it again afterwards, whatever came of the change. */
export function useChanges(queryKey: QueryKey): <T>(change: () => Promise<T>) => Promise<T> {
  const client = useQueryClient();
  const hash = JSON.stringify(queryKey);
  return useCallback(
    async (change) => {
      try {
        return await change();
      } finally {
        await client.invalidateQueries({ queryKey: JSON.parse(hash) as QueryKey });
      }
    },
    [client, hash],
  );
}
