import { parseHostName } from './host-name.ts';

/** This machine, and this machine as Android's emulator names it. */
const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '10.0.2.2']);

/**
 * May a request that was sent to this host be answered? A web page can make any name of its own point to this
 * machine; its requests then carry that name, and the browser would let the page read the answers.
 */
export function isLocalHost(header: string | undefined, allowedNames: readonly string[]): boolean {
  const name = parseHostName(header ?? '');
  if (name === undefined) return false;
  return LOCAL_NAMES.has(name) || name.endsWith('.localhost') || allowedNames.includes(name);
}

/** What a request to another host is told. */
export function unknownHostMessage(header: string | undefined): string {
  const name = parseHostName(header ?? '');
  return name === undefined
    ? 'This server answers only to requests with a Host header that names this machine.'
    : `This server does not answer to the host ${name}: start it with --allow-host ${name} to allow that.`;
}
