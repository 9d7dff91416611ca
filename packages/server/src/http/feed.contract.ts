import { describe, expect, test } from 'vitest';
import type { FeedSource, FeedStep } from './feed.ts';

/** A source from which no event has been taken, and the changes that it reports. */
export interface FeedSourceTestBed {
  readonly source: FeedSource;
  /** Makes a change that the reader must learn of. */
  change(): void | Promise<void>;
  /** Returns how often the source has woken its feed. */
  readonly wakes: () => number;
  /** Returns whether the source still follows changes. */
  readonly isFollowing: () => boolean;
  /** Advances the clock of the source. */
  pass(ms: number): void;
}

/** Maximum number of events with which a slow reader learns of any number of changes. */
const MAX_EVENTS = 1;

/** Declares the tests that every source of a live feed must pass. */
export function feedSourceContract(name: string, open: () => Promise<FeedSourceTestBed>): void {
  describe(`feed source contract: ${name}`, () => {
    /** Takes all events until the source waits for a change. Advances the clock when the source waits for a time. */
    function takeAll({ source, pass }: FeedSourceTestBed): readonly string[] {
      const events: string[] = [];
      for (let step = 0; step < 100; step += 1) {
        const next = source.next();
        if (next.kind === 'event') events.push(textOf(next));
        else if (Number.isFinite(next.ms)) pass(next.ms);
        else return events;
      }
      throw new Error('The source never waits for a change.');
    }

    test('[H529] a source begins with one event, and then waits for a change', async () => {
      const bed = await open();
      expect(bed.source.next().kind).toBe('event');
      expect(bed.isFollowing()).toBe(true);
      expect(takeAll(bed)).toEqual([]);
      expect(bed.wakes()).toBe(0);
      bed.source.end();
    });

    test('[H529] each change wakes the feed and leads to one event', async () => {
      const bed = await open();
      takeAll(bed);
      for (let count = 1; count <= 3; count += 1) {
        const wakes = bed.wakes();
        await bed.change();
        expect(bed.wakes()).toBeGreaterThan(wakes);
        expect(takeAll(bed)).toHaveLength(1);
      }
      bed.source.end();
    });

    test('[H529] a change between the opening and the first event is not lost', async () => {
      const bed = await open();
      const quiet = await open();
      await bed.change();
      const [first, ...later] = takeAll(bed);
      expect(first !== takeAll(quiet)[0] || later.length > 0).toBe(true);
      for (const { source } of [bed, quiet]) source.end();
    });

    test('[H529] a slow reader gets the latest state instead of every change', async () => {
      const bed = await open();
      takeAll(bed);
      for (let count = 0; count < 50; count += 1) await bed.change();
      expect(takeAll(bed).length).toBeLessThanOrEqual(MAX_EVENTS);
      bed.source.end();
    });

    test('[H529] events are text of an event stream', async () => {
      const bed = await open();
      const [first = ''] = takeAll(bed);
      await bed.change();
      for (const text of [first, ...takeAll(bed)])
        expect(text).toMatch(/^event: [a-z]+\ndata: [^\r\n]+\n\n$/);
      bed.source.end();
    });

    test('[H529] a source that has ended follows nothing and wakes no feed', async () => {
      const bed = await open();
      takeAll(bed);
      bed.source.end();
      expect(bed.isFollowing()).toBe(false);
      await bed.change();
      expect(bed.wakes()).toBe(0);
      const unread = await open();
      unread.source.end();
      expect(unread.isFollowing()).toBe(false);
    });
  });
}

function textOf({ parts }: FeedStep & { readonly kind: 'event' }): string {
  return Buffer.concat([...parts]).toString();
}
