import type { Language } from '@hearth/pages/shell/document.ts';
import { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { isUnavailable } from '../api/client.ts';
import type { ConsoleParameters } from '../api/session.ts';
import { openTexts, openWriting } from '../language/i18n.ts';
import type { Namespace } from '../language/texts.ts';
import type { Gate } from './gate.ts';
import { App } from './root.tsx';
import { createConsoleRouter, type LoadedView } from './router.tsx';

/** Number of retries before a query fails: enough for a restart of the server, which takes seconds. */
const MAX_RETRIES = 5;
const FRESH_MS = 5_000;

/**
 * Creates the query client. It retries queries after an incomplete or missing response and after status 503, but no
 * mutations.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The server may be on this machine, so the browser's network state does not matter.
        networkMode: 'always',
        retry: (count, error) => count < MAX_RETRIES && isUnavailable(error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Everything that the first render needs. */
interface ConsoleStart {
  readonly parameters: ConsoleParameters;
  readonly language: Language;
  /** Namespaces whose texts are loaded. */
  readonly areas: readonly Namespace[];
  readonly gate: Gate;
  /** The view of the address; `undefined` if there is none or its script could not be loaded. */
  readonly first: LoadedView | undefined;
}

/** Renders the console after the gate is prepared. */
export async function openConsole({ parameters, language, areas, gate, first }: ConsoleStart): Promise<void> {
  const queryClient = createQueryClient();
  const [texts, writing] = await Promise.all([
    openTexts(language, areas),
    openWriting(language, parameters.styleNonce),
    gate.prepare(queryClient),
  ]);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const app = (
    <App
      parameters={parameters}
      texts={texts}
      writing={writing}
      queryClient={queryClient}
      router={createConsoleRouter(texts, first)}
      Gate={gate.Component}
    />
  );
  // A transition renders in short steps, so that the page stays responsive.
  startTransition(() => createRoot(root).render(app));
}
