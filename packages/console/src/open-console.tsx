import type { Language } from '@hearth/pages/shell/language.ts';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import type { Gate } from './gate/gate.ts';
import { openTexts } from './language/i18n.ts';
import type { Namespace } from './language/namespaces.ts';
import { openWriting } from './language/use-language.ts';
import { createConsoleRouter, type LoadedView } from './router.tsx';
import type { ConsoleParameters } from './server/console-parameters.ts';
import { createQueryClient } from './server/query-client.ts';

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
