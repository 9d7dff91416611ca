import { isThisMachine } from './authorized-domains.ts';

/** The page behind the links of mails, and where links for apps go on from. */
export const ACTION_PATH = '/__/auth/action';
export const LINKS_PATH = '/__/auth/links';

export interface ActionLink {
  /** Address of the page for codes. */
  readonly page: string;
  readonly mode: string;
  readonly code: string;
  readonly apiKey: string;
  readonly language: string;
  readonly continueUrl: string | undefined;
  readonly linkDomain: string | undefined;
}

/**
 * A link to the page for a code: its address with `mode`, `oobCode`, `apiKey`, `continueUrl` if there is one, and `lang`. With
 * a link domain it is the parameter `link` of an address there, which phones open in the app.
 */
export function formatActionLink(link: ActionLink): string {
  const url = new URL(link.page);
  url.searchParams.set('mode', link.mode);
  url.searchParams.set('oobCode', link.code);
  url.searchParams.set('apiKey', link.apiKey);
  if (link.continueUrl !== undefined) url.searchParams.set('continueUrl', link.continueUrl);
  url.searchParams.set('lang', link.language);
  if (link.linkDomain === undefined) return url.href;
  const outer = new URL(LINKS_PATH, originOf(link.linkDomain));
  outer.searchParams.set('link', url.href);
  return outer.href;
}

function originOf(host: string): string {
  const { hostname } = new URL(`https://${host}`);
  return `${isThisMachine(hostname) ? 'http' : 'https'}://${host}`;
}
