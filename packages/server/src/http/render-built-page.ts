import { type Answer, type Headers, wholeText } from './answer.ts';
import { type BuiltPages, PARAMETERS_PLACE } from './built-pages.ts';

interface PageAnswer {
  readonly status: number;
  /** Those of `pageHeaders`, with the nonce that the parameters name. */
  readonly headers: Headers;
  /** What is said in the page itself. The nonce is not to be guessed, and differs from answer to answer. */
  readonly parameters: Readonly<Record<string, unknown>> & { readonly styleNonce: string };
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<title>Not built</title>
<h1>This page was not built</h1>
<p>Start the server with <code>npm start</code>, which builds its pages first.</p>
</html>
`;

/** A built page with its parameters as JSON in an element that holds data. 503 says that it was not built. */
export function renderBuiltPage({ html }: BuiltPages, { status, headers, parameters }: PageAnswer): Answer {
  if (html === undefined) return { status: 503, headers, body: wholeText(NOT_BUILT) };
  const json = printJsonInHtml(parameters);
  // A function, because a text in its place would give `$` a meaning.
  return { status, headers, body: wholeText(html.replace(PARAMETERS_PLACE, () => json)) };
}

/** JSON that stays within the element around it: nothing in it begins a tag or a comment. */
function printJsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
