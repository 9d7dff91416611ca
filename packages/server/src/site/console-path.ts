/** The setup page. The server renders it itself, because users need it before they can use the console. */
const SETUP_PATH = '/console/setup';

/** Returns the path of a request for the console or its files; `undefined` for other requests. */
export function consolePathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  return (pathname === '/console' || pathname.startsWith('/console/')) && pathname !== SETUP_PATH
    ? pathname
    : undefined;
}
