import type { Area, AreaPolicy } from '../http/area.ts';
import { COMMON_HEADERS, PUBLIC_HEADERS } from '../http/errors.ts';
import { sendAnswer } from '../http/response.ts';
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

/**
 * Owns the root page. Any query, such as the `ns` of a database URL that a user opens in a browser, is ignored. Other
 * methods are left to the area of unknown addresses.
 */
export const ROOT_POLICY: AreaPolicy = {
  owns: ({ method, url = '' }) => (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/',
  headers: PUBLIC_HEADERS,
};

/** Redirects to the console. The redirect is temporary, so that no browser keeps it. */
const ROOT_AREA: Area = {
  policy: ROOT_POLICY,
  errors: { headers: COMMON_HEADERS },
  answer: (request, response) =>
    sendAnswer(
      request,
      response,
      { status: 302, headers: { location: '/console/' }, body: null },
      PUBLIC_HEADERS,
    ),
};

/** Returns the areas of the server that answer requests for the hosted pages, the console and the root page. */
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
    ROOT_AREA,
  ];
}
