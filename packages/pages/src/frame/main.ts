import { NO_REDIRECT } from '../relay/auth-event.ts';
import { AUTH_EVENT, parseSendAuthEvent, WEB_STORAGE_SUPPORT } from '../relay/frame-messages.ts';
import { storeRedirectEvent, takeRedirectEvent } from '../relay/redirect-event.ts';
import { readDataElement } from '../shell/document.ts';
import { type AppChannel, openAppChannel } from './app-channel.ts';
import { parseFrameParameters } from './parameters.ts';

const parameters = parseFrameParameters(readDataElement('parameters'));
let channel: AppChannel | undefined;

/** Returns whether the app accepted an answer. The official script answers with a list. */
function isAccepted(answer: unknown): boolean {
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : undefined;
  return typeof last === 'object' && last !== null && Reflect.get(last, 'status') === 'ACK';
}

// A popup of this origin passes an event on. It confirms the event to the user when the app has accepted it.
addEventListener('message', ({ origin, data, ports }) => {
  if (origin !== location.origin) return;
  const authEvent = parseSendAuthEvent(data, parameters);
  if (authEvent === undefined) return;
  if (channel === undefined) {
    // The first message to the app contains the stored event.
    storeRedirectEvent(sessionStorage, parameters, authEvent);
    ports[0]?.postMessage('ACK');
    return;
  }
  void channel.send(AUTH_EVENT, { type: AUTH_EVENT, authEvent }).then((answer) => {
    ports[0]?.postMessage(isAccepted(answer) ? 'ACK' : 'ERROR');
  });
});

const opened = await openAppChannel(parameters);
if (opened === undefined)
  console.error('Load the script /__/auth/shim.js of this server in the app, before the Firebase SDK.');
opened?.register(WEB_STORAGE_SUPPORT, () => ({ status: 'ACK', webStorageSupport: true }));
const authEvent = takeRedirectEvent(() => sessionStorage, parameters) ?? NO_REDIRECT;
channel = opened;
await channel?.send(AUTH_EVENT, { type: AUTH_EVENT, authEvent });
