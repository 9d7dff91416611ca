import type { LiveFeed } from '../feed/live-feed.ts';
import type { Answer } from './answer.ts';

/** Answers with a stream of events, each sent as soon as the reader has taken those before. */
export function feedAnswer(feed: LiveFeed): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // The end of a stream is the end of its connection, so that the server can end.
      connection: 'close',
      // Proxies that collect answers would keep events back.
      'x-accel-buffering': 'no',
    },
    body: { kind: 'parts', parts: feed, areShared: true },
  };
}
