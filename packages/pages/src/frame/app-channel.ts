import { HANDOVER } from '../relay/frame-messages.ts';
import { type MessageHandler, PortChannel } from '../relay/port-channel.ts';
import type { FrameParameters } from './parameters.ts';

/** Messages between the frame and the SDK in the app. */
export interface AppChannel {
  send(name: string, message: unknown): Promise<unknown>;
  register(name: string, handler: MessageHandler): void;
}

/**
 * Connects to the app. Resolves to undefined if the app has neither the script of this server nor, in development mode,
 * the official one.
 */
export async function openAppChannel({
  appOrigin,
  officialScript,
}: FrameParameters): Promise<AppChannel | undefined> {
  if (appOrigin !== undefined) return openPort(appOrigin);
  return officialScript === undefined ? undefined : openOfficialChannel(officialScript);
}

function openPort(appOrigin: string): AppChannel {
  const { port1, port2 } = new MessageChannel();
  const channel = new PortChannel(port1);
  parent.postMessage(HANDOVER, appOrigin, [port2]);
  return channel;
}

/** The parts of the official script that the frame uses. */
interface OfficialScript {
  load(name: string, options: { callback(): void; onerror(): void }): void;
  readonly iframes: {
    readonly CROSS_ORIGIN_IFRAMES_FILTER: unknown;
    getContext(): {
      getParentIframe(): {
        send(name: string, message: unknown, answered: (answers: unknown) => void, filter: unknown): void;
        register(name: string, handler: MessageHandler, filter: unknown): void;
      };
    };
  };
}

async function openOfficialChannel(address: string): Promise<AppChannel> {
  const { iframes } = await loadOfficialScript(address);
  const { CROSS_ORIGIN_IFRAMES_FILTER: filter } = iframes;
  const app = iframes.getContext().getParentIframe();
  return {
    send: (name, message) => new Promise((resolve) => app.send(name, message, resolve, filter)),
    register: (name, handler) => app.register(name, handler, filter),
  };
}

function loadOfficialScript(address: string): Promise<OfficialScript> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`${address} cannot be loaded. Load /__/auth/shim.js in the app.`));
    Reflect.set(window, 'hearthFrameLoaded', () => {
      const gapi = Reflect.get(window, 'gapi') as OfficialScript;
      gapi.load('gapi.iframes', { callback: () => resolve(gapi), onerror: failed });
    });
    const script = document.createElement('script');
    script.onerror = failed;
    script.src = `${address}?onload=hearthFrameLoaded`;
    document.head.append(script);
  });
}
