import { createHash } from 'node:crypto';
import type { Key } from '@hearth/core/tree/key.ts';
import type { FeedStep } from '../feed/feed-source.ts';
import type { Clock } from '../ops/clock.ts';
import type { ChildPage, PageEdges } from '../tree/child-page.ts';
import { childPageJson } from './explorer-json.ts';
import type { PageVerdict } from './judge-page.ts';

/** What is remembered of a page that was told. */
export interface ShownPage extends PageEdges {
  /** Of its children, in order. */
  readonly keys: readonly Key[];
  /** Of the whole page: equal for equal pages. */
  readonly digest: string;
}

/** A page as it was read at one time, for everybody who follows it. */
export interface PageReading {
  readonly shown: ShownPage;
  /** The event that tells it, without what closes its JSON. */
  readonly text: Buffer;
  /** How long it took to read and to encode it. */
  readonly tookMs: number;
}

/** A page, and what somebody may read of it if not all of it is meant. */
export interface ReadPage extends ChildPage {
  readonly verdict?: PageVerdict;
}

/** Reads a page, and encodes it. */
export function takePageReading(clock: Clock, readPage: () => ReadPage): PageReading {
  const startedMs = clock.elapsedMs();
  const { node, previous, next, children, verdict } = readPage();
  const keys = children.map(({ key }) => key);
  const json = childPageJson({ node, previous, next, children }, verdict);
  const text = Buffer.from(`event: page\ndata: ${json.slice(0, -1)}`);
  const digest = createHash('sha256').update(text).digest('base64');
  return {
    shown: { node, previous, next, keys, digest },
    text,
    tookMs: clock.elapsedMs() - startedMs,
  };
}

/** The event that tells a page, perhaps with the keys of what has changed on it. */
export function pageEvent({ text }: PageReading, changed?: readonly Key[]): FeedStep {
  const end = changed === undefined ? '' : `,"changed":${JSON.stringify(changed)}`;
  return { kind: 'event', parts: [text, Buffer.from(`${end}}\n\n`)] };
}
