import type { ACTION_MODES, CodeKind } from '../../accounts/codes/code-purpose.ts';
import type { Answer } from '../answer.ts';
import type { BuiltPages } from '../built-pages.ts';
import { pageHeaders } from '../page-headers.ts';
import { renderBuiltPage } from '../render-built-page.ts';

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

/**
 * The page behind the link of a mail, with its parameters. A refused link is answered 400, and 503 says that the page was
 * not built. `styleNonce` is not to be guessed, and differs from answer to answer.
 */
export function renderActionPage(
  pages: BuiltPages,
  { page, lang }: ActionPageParameters,
  styleNonce: string,
): Answer {
  return renderBuiltPage(pages, {
    status: page.kind === 'refused' ? 400 : 200,
    headers: pageHeaders(styleNonce),
    parameters: { page, lang, styleNonce },
  });
}
