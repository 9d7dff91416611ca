import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** How often an answer is asked for again that did not come: a server that starts again is there within seconds. */
const MAX_RETRIES = 5;
const FRESH_MS = 5_000;

/** What keeps answers of the server for the views. Refusals are final; a server that does not answer is asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The server may be on this machine, whatever the browser says of the network.
        networkMode: 'always',
        retry: (count, error) => count < MAX_RETRIES && isWorthAnother(error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

function isWorthAnother(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}
