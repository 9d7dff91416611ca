import type { Area, AreaPolicy } from '../http/area.ts';
import { COMMON_HEADERS, PUBLIC_HEADERS } from '../http/errors.ts';
import type { ConsolePages } from './console-pages.ts';
import { consolePathOf } from './console-path.ts';
import { type HostedPages, hostedPathOf } from './hosted-pages.ts';

/** Owns the pages that Hearth hosts for apps. */
export const HOSTED_POLICY: AreaPolicy = {
  owns: ({ url = '' }) => hostedPathOf(url) !== undefined,
  headers: PUBLIC_HEADERS,
};

/** Owns the pages of the console. `/console.json` is not one of them, because it requests data of a database. */
export const CONSOLE_POLICY: AreaPolicy = {
  owns: ({ url = '' }) => consolePathOf(url) !== undefined,
  headers: PUBLIC_HEADERS,
};

/** Returns the areas of the server that answer requests for the hosted pages and for the console. */
export function pageAreas(
  hostedPages: Pick<HostedPages, 'answer'>,
  consolePages: Pick<ConsolePages, 'answer'>,
): readonly Area[] {
  const errors = { headers: COMMON_HEADERS };
  return [
    {
      policy: HOSTED_POLICY,
      errors,
      answer: (request, response) =>
        hostedPages.answer(request, response, hostedPathOf(request.url ?? '') ?? ''),
    },
    {
      policy: CONSOLE_POLICY,
      errors,
      answer: (request, response) =>
        consolePages.answer(request, response, consolePathOf(request.url ?? '') ?? ''),
    },
  ];
}
