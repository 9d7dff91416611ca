/** Made by the server alone: it is there before anybody can use the console. */
const SETUP = '/console/setup';

/** The path of a request for the console, of whatever view; `undefined` for others. */
export function consolePathOf(url: string): string | undefined {
  const pathname = url.split('?', 1).join('');
  return (pathname === '/console' || pathname.startsWith('/console/')) && pathname !== SETUP
    ? pathname
    : undefined;
}
