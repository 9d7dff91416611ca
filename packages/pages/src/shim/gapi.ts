import { isHandover, ORIGIN_PARAMETER } from '../relay/frame-messages.ts';
import { PortChannel } from '../relay/port-channel.ts';

/** The parameters that the SDK passes to `open`. */
interface FrameOptions {
  readonly where: HTMLElement;
  readonly url: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The object with which the SDK talks to the frame. */
interface SdkFrame {
  restyle(): Promise<void>;
  ping(answered: () => void): Promise<void>;
  register(name: string, handler: (message: unknown) => unknown): void;
  send(name: string, message: unknown, answered: (answers: readonly unknown[]) => void): void;
}

/**
 * Installs the part of Google's script that the SDK's resolver for popups and redirects needs, so that the SDK does
 * not load that script. Does nothing if the page has loaded it.
 */
export function installGapi(page: Window): void {
  const known: unknown = Reflect.get(page, 'gapi');
  if (typeof known === 'object' && known !== null && 'load' in known) return;
  const gapi = {
    load: (_name: string, options: { callback(): void } | (() => void)) =>
      typeof options === 'function' ? options() : options.callback(),
    iframes: {
      // The SDK only tests that this exists.
      Iframe: class {},
      CROSS_ORIGIN_IFRAMES_FILTER: {},
      getContext: () => ({ open: (options: FrameOptions, ready: Ready) => ready(openFrame(page, options)) }),
    },
  };
  Reflect.set(page, 'gapi', gapi);
}

type Ready = (frame: SdkFrame) => unknown;

function openFrame(page: Window, { where, url, attributes = {} }: FrameOptions): SdkFrame {
  const address = new URL(url, page.location.href);
  address.searchParams.set(ORIGIN_PARAMETER, page.location.origin);
  const element = page.document.createElement('iframe');
  setAttributes(element, attributes);
  element.src = address.href;
  const opened = receivePort(page, element, address.origin).then((port) => new PortChannel(port));
  where.append(element);
  return {
    restyle: () => Promise.resolve(),
    ping: (answered) => opened.then(() => answered()),
    register: (name, handler) => {
      // The SDK expects the answers of all handlers, as a list.
      void opened.then((channel) => channel.register(name, (message) => [handler(message)]));
    },
    send: (name, message, answered) => {
      void opened
        .then((channel) => channel.send(name, message))
        .then((answer) => answered([answer]))
        // The SDK throws after it has used the answer about storage. The error has no effect.
        .catch(() => {});
    },
  };
}

/** Resolves to the port that the page in the frame sends. Ignores messages from anywhere else. */
function receivePort(page: Window, element: HTMLIFrameElement, origin: string): Promise<MessagePort> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent): void => {
      const [port] = event.ports;
      const isFromFrame = event.source === element.contentWindow && event.origin === origin;
      if (!isFromFrame || port === undefined || !isHandover(event.data)) return;
      page.removeEventListener('message', receive);
      resolve(port);
    };
    page.addEventListener('message', receive);
  });
}

/** Sets the attributes as Google's script does: `style` may be an object. */
function setAttributes(element: HTMLElement, attributes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style' && typeof value === 'object' && value !== null)
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, String(text));
    else element.setAttribute(name, String(value));
  }
}
