import { type IncomingHttpHeaders, request } from 'node:http';
import { inject, onTestFinished } from 'vitest';
import { until } from './until.ts';

/** An event of a stream: its name, and its data unparsed. */
export type StreamEvent = readonly [name: string, data: string];

/** A client of an event stream over a connection of its own. */
export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Returns the text received so far. */
  text(): string;
  /**
   * Waits until this many events have arrived, and returns all events so far. Keep-alives do not count and are omitted,
   * because their number depends on the time.
   */
  events(count: number): Promise<readonly StreamEvent[]>;
  /** Waits until the server has ended the connection. */
  untilEnded(): Promise<void>;
}

export interface StreamOptions {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests a stream of an address such as `/a.json?ns=x`; the connection ends with the running test. */
export function openStream(address: string, options: StreamOptions = {}): Promise<StreamClient> {
  const headers = { accept: 'text/event-stream', ...options.headers };
  const sent = request(new URL(address, options.url ?? inject('serverUrl')), { agent: false, headers });
  onTestFinished(() => void sent.destroy());
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      let isEnded = false;
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        isEnded = true;
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events: (count) =>
          until(() => {
            const events = parseEvents(text).filter(([name]) => name !== 'keep-alive');
            if (events.length < count) throw new Error(`Only ${events.length} events have arrived: ${text}`);
            return events;
          }),
        untilEnded: () =>
          until(() => {
            if (!isEnded) throw new Error('The stream has not ended.');
          }),
      });
    });
    sent.end();
  });
}

/** Returns the complete events of a text; omits an event that has arrived only in part. */
function parseEvents(text: string): readonly StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block): StreamEvent => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (name === undefined || data === undefined) throw new Error(`Not an event: ${block}`);
      return [name, data];
    });
}
