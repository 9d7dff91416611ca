import type { HostedStart } from './parameters.ts';

/**
 * Returns the address of the app with the code in its fragment, which browsers send to no server. With an empty code, the
 * app starts a sign-in of its own: its tab is not the one that began.
 */
export function returnAddress({ state }: Pick<HostedStart, 'state'>, redirectUrl: URL, code: string): URL {
  const url = new URL(redirectUrl);
  const before = url.hash === '' || url.hash === '#' ? '' : `${url.hash.slice(1)}&`;
  url.hash = `${before}__hearth=${encodeURIComponent(code)}&state=${encodeURIComponent(state)}`;
  return url;
}

/** How long the app has to confirm that it got the code, in ms. */
const TIMEOUT_MS = 10_000;

/** Sends the code to the app that opened this popup. Resolves to whether the app has confirmed it. */
export async function sendToOpener(
  opener: Window | null,
  { state }: Pick<HostedStart, 'state'>,
  redirectUrl: URL,
  code: string,
): Promise<boolean> {
  if (opener === null || opener.closed) return false;
  const channel = new MessageChannel();
  const confirmed = new Promise<boolean>((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data === 'ACK');
    setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  // Browsers deliver the message only if the window shows a page of this origin.
  opener.postMessage({ type: 'hearth-sign-in', code, state }, redirectUrl.origin, [channel.port2]);
  const isDelivered = await confirmed;
  channel.port1.close();
  return isDelivered;
}
