import { focusManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/**
 * Has queries asked anew whenever whoever looked elsewhere comes back, also those that are under way: their answers may tell of
 * what was before. Such queries have `refetchOnWindowFocus: false`, by which they would share those answers.
 */
export function useAskOnReturn(queryKey: QueryKey): void {
  const client = useQueryClient();
  useEffect(
    () =>
      focusManager.subscribe((isBack) => {
        if (isBack) void client.invalidateQueries({ queryKey });
      }),
    [client, queryKey],
  );
}
