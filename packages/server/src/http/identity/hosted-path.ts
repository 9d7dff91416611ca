import { MAILBOX_PATH } from '../../mail/mailbox-page.ts';

/** Where the pages are, and what they load. */
const PAGES = /^\/__\/(?!.*\.json$)/;
/** Also where data of such a name would be. */
const INIT_JSON = '/__/firebase/init.json';

/** The path of a request for one of the pages that Hearth hosts; `undefined` for others. */
export function hostedPathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  const isMailbox =
    pathname === MAILBOX_PATH ||
    pathname === `${MAILBOX_PATH}.json` ||
    pathname.startsWith(`${MAILBOX_PATH}/`);
  return PAGES.test(pathname) || pathname === INIT_JSON || isMailbox ? pathname : undefined;
}
