import type { AppKey } from './app-key.ts';
import type { AuthEvent } from './auth-event.ts';
import { sendAuthEventMessage } from './frame-messages.ts';

/** `lost`: the app no longer waits for the event, or its window is gone. */
export type Delivery = 'delivered' | 'lost';

/** How long the app has to confirm that it got the event, in ms. */
const TIMEOUT_MS = 10_000;

export interface PopupTarget extends AppKey {
  /** The origin of the app. The event is sent to no other. */
  readonly origin: string;
}

/**
 * Passes an event to the app that opened this popup: to the frame of this origin in the app if there is one, or else to
 * the app itself. Resolves when the app has confirmed it, or after `TIMEOUT_MS`.
 */
export async function deliverToOpener(
  opener: Window | null,
  target: PopupTarget,
  event: AuthEvent,
): Promise<Delivery> {
  if (opener === null || opener.closed) return 'lost';
  const frame = findFrame(opener, target);
  const channel = new MessageChannel();
  const confirmed = new Promise<Delivery>((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data === 'ACK' ? 'delivered' : 'lost');
    setTimeout(() => resolve('lost'), TIMEOUT_MS);
  });
  if (frame === undefined)
    opener.postMessage({ type: 'fb-auth-event', eventId: event.eventId, event }, target.origin, [
      channel.port2,
    ]);
  else {
    await isLoaded(frame);
    frame.postMessage(sendAuthEventMessage(target, event), location.origin, [channel.port2]);
  }
  const delivery = await confirmed;
  channel.port1.close();
  return delivery;
}

/** Returns the frame of this origin that belongs to the app. Frames of other origins cannot be examined. */
function findFrame(opener: Window, { apiKey, appName }: AppKey): Window | undefined {
  for (let index = 0; index < opener.frames.length; index += 1) {
    const frame = opener.frames[index];
    if (frame === undefined) continue;
    const query = findQuery(frame);
    if (query?.get('apiKey') === apiKey && query.get('appName') === appName) return frame;
  }
  return undefined;
}

function findQuery(frame: Window): URLSearchParams | undefined {
  try {
    return new URLSearchParams(frame.location.search);
  } catch {
    // The frame belongs to another origin.
    return undefined;
  }
}

/** Resolves when the script of a frame can receive messages. */
async function isLoaded(frame: Window): Promise<void> {
  if (frame.document.readyState === 'complete') return;
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
}
