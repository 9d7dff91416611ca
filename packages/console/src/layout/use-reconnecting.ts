import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askHealth } from '../server/ask-health.ts';
import { useConnectivity } from '../server/connectivity.ts';

/** How often a server that does not answer is asked again, in milliseconds. */
const AGAIN_MS = 2_000;

/** Asks a server that does not answer until it does, and then for everything on the screen once more. */
export function useReconnecting(): void {
  const isOffline = useConnectivity(({ kind }) => kind === 'offline');
  const queryClient = useQueryClient();
  useEffect(() => {
    // What the browser says of the network is a reason to look, not the answer.
    const look = (): void => void askHealth();
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  useEffect(() => {
    if (!isOffline) return;
    const timer = setInterval(() => void askHealth(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [isOffline, queryClient]);
}
