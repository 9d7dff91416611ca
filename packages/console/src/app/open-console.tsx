import type { Language } from '@hearth/pages/shell/document.ts';
import { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api/client.ts';
import type { ConsoleParameters } from '../api/session.ts';
import { openTexts, openWriting } from '../language/i18n.ts';
import type { Namespace } from '../language/texts.ts';
import type { Gate } from './gate.ts';
import { App } from './root.tsx';
import { createConsoleRouter, type LoadedView } from './router.tsx';

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

/** What is there when the console is drawn for the first time. */
interface ConsoleStart {
  readonly parameters: ConsoleParameters;
  readonly language: Language;
  /** Those whose texts are loaded. */
  readonly areas: readonly Namespace[];
  readonly gate: Gate;
  /** The view of the address; `undefined` where there is none, or its script could not be loaded. */
  readonly first: LoadedView | undefined;
}

/** Draws the console, once it is known who is there. */
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
  // In steps of milliseconds, so that the page answers whoever uses it while it is made.
  startTransition(() => createRoot(root).render(app));
}
