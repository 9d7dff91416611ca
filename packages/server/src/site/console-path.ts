/** The server renders this page itself, because it exists before the console can be used. */
const SETUP_PATH = '/console/setup';

/** Returns the path of a request for any view of the console; `undefined` for other requests. */
export function consolePathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  return (pathname === '/console' || pathname.startsWith('/console/')) && pathname !== SETUP_PATH
    ? pathname
    : undefined;
}
