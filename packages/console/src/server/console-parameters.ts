import { readDataElement } from '@hearth/pages/shell/read-data-element.ts';

/** What the server says in the page itself. */
export interface ConsoleParameters {
  /** In development nobody signs in. */
  readonly mode: 'development' | 'serve';
  /** The project of whoever names none; `null` in `serve`. */
  readonly defaultProject: string | null;
  readonly version: string;
  /** What style elements must carry to be allowed by the policy of the page. */
  readonly styleNonce: string;
}

/** Reads them from the page. Throws when they are not there, which is a bug of the server. */
export function readConsoleParameters(): ConsoleParameters {
  return readDataElement('parameters') as ConsoleParameters;
}
