import type { ACTION_MODES, CodeKind } from '../../accounts/codes/code-purpose.ts';
import { type Answer, wholeText } from '../answer.ts';
import { type BuiltPages, PARAMETERS_PLACE } from './built-pages.ts';
import { pageHeaders } from './page-headers.ts';

/** What the link of a mail can be for, apart from signing in, which the app does itself. */
type ActionMode = Exclude<(typeof ACTION_MODES)[CodeKind], (typeof ACTION_MODES)['EMAIL_SIGNIN']>;

/**
 * What the page is about: a link whose code it shall ask about, or one that is refused without looking at the code.
 * `noContinueUrl` is for a link to sign in that leads to no app which the project allows.
 */
export type ActionPage =
  | {
      readonly kind: 'action';
      readonly mode: ActionMode;
      readonly oobCode: string;
      readonly apiKey: string;
      /** Only an address that the project allows. */
      readonly continueUrl?: string | undefined;
      readonly tenantId?: string | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly reason: 'incomplete' | 'unknownMode' | 'noContinueUrl' | 'wrongProject';
    };

export interface ActionPageParameters {
  readonly page: ActionPage;
  /** As the link names it, which need not be a language; without one the browser's preference counts. */
  readonly lang?: string | undefined;
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

/**
 * The page behind the link of a mail, with its parameters as JSON in an element that holds data. A refused link is answered
 * 400, and 503 says that the page was not built. `styleNonce` is not to be guessed, and differs from answer to answer.
 */
export function renderActionPage(
  { action }: BuiltPages,
  { page, lang }: ActionPageParameters,
  styleNonce: string,
): Answer {
  const headers = pageHeaders(styleNonce);
  if (action === undefined) return { status: 503, headers, body: wholeText(NOT_BUILT) };
  const parameters = printJsonInHtml({ page, lang, styleNonce });
  // A function, because a text in its place would give `$` a meaning.
  const html = action.replace(PARAMETERS_PLACE, () => parameters);
  return { status: page.kind === 'refused' ? 400 : 200, headers, body: wholeText(html) };
}

/** JSON that stays within the element around it: nothing in it begins a tag or a comment. */
function printJsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
