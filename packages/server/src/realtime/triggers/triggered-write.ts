import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import type { Commit, ValueWrite } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { DatabaseTree } from '../database/tree-view.ts';
import { type TriggeredEvent, valueDelta, valueJson } from './event.ts';
import { matchingPaths, type Trigger, type TriggerEvent } from './trigger.ts';

/** Maximum number of functions that one write may trigger. */
const MAX_EVENTS = 1_000;
/** Longest value that is sent to a function, in bytes of JSON text. */
const MAX_VALUE_BYTES = 2 ** 20;
/**
 * Maximum number of bytes of JSON text that one write may read and write at watched paths. Limits the time and
 * memory that triggers take.
 */
const MAX_WATCHED_BYTES = 32 * 2 ** 20;
/** Cost of a read in addition to its text, in bytes. */
const READ_BYTES = 256;

/** A path that a trigger watches, with its value before the write. */
interface WatchedLocation {
  readonly trigger: Trigger;
  readonly path: Path;
  /** The value as JSON text in export format. */
  readonly before: string;
}

/** A path of a trigger that a write may change. */
interface Candidate {
  readonly trigger: Trigger;
  readonly path: Path;
  readonly write: ValueWrite & { readonly kind: 'node' };
}

/**
 * The events that one write triggers. Created before the write is applied, because functions receive the values
 * before it. If the write would trigger too much, a strict database rejects it with `write/trigger-too-big`;
 * otherwise the excess is dropped.
 */
export class TriggeredWrite {
  readonly #transaction: WriteTransaction;
  readonly #tree: DatabaseTree;
  readonly #isStrict: boolean;
  readonly #watched: readonly WatchedLocation[];
  #bytesLeft = MAX_WATCHED_BYTES;

  constructor(
    transaction: WriteTransaction,
    tree: DatabaseTree,
    triggers: readonly Trigger[],
    writes: readonly ValueWrite[],
    isStrict: boolean,
  ) {
    this.#transaction = transaction;
    this.#tree = tree;
    this.#isStrict = isStrict;
    this.#watched = this.#watch(triggers, writes);
  }

  /** Returns the events for functions. Called after the write is applied. */
  events(commit: Commit, identity: Principal): readonly TriggeredEvent[] {
    const { database, timeMs, seq } = commit;
    const events: TriggeredEvent[] = [];
    for (const { trigger, path, before: beforeText } of this.#watched) {
      const afterText = this.#read(path);
      if (afterText === undefined) continue;
      const [before, after] = [parseNodeJson(beforeText), parseNodeJson(afterText)];
      const delta = valueDelta(before, after);
      if (delta === undefined || !isEvent(trigger.event, before, after)) continue;
      const id = `${database}-${seq}-${events.length}`;
      events.push({ trigger, database, path, identity, timeMs, id, before: valueJson(before), delta });
    }
    return events;
  }

  #watch(triggers: readonly Trigger[], writes: readonly ValueWrite[]): readonly WatchedLocation[] {
    const paths: WatchedLocation[] = [];
    for (const { trigger, path, write } of this.#candidates(triggers, writes)) {
      if (paths.length === MAX_EVENTS) {
        this.#rejectExcess(`The write triggers more than ${MAX_EVENTS} functions.`);
        return paths;
      }
      const before = this.#read(path);
      const units = writtenUnits(write, path);
      this.#bytesLeft -= units;
      if (this.#bytesLeft < 0) {
        this.#rejectExcess('Functions would receive more than 32 MB in total.');
        return paths;
      }
      if (before === undefined || units > MAX_VALUE_BYTES)
        this.#rejectExcess('A function would receive more than 1 MB of one value.');
      else paths.push({ trigger, path, before });
    }
    return paths;
  }

  /**
   * Yields the watched paths that the writes may change, each once per trigger. Stops searching for children when the
   * byte limit is exceeded.
   */
  *#candidates(triggers: readonly Trigger[], writes: readonly ValueWrite[]): Generator<Candidate> {
    for (const trigger of triggers) {
      const found = new Set<string>();
      for (const write of writes) {
        // A priority is not part of a value.
        if (write.kind === 'priority') continue;
        for (const path of matchingPaths(trigger.pattern, write, (at) => this.#keysAt(at))) {
          const name = formatPath(path);
          if (found.has(name)) continue;
          found.add(name);
          yield { trigger, path, write };
        }
      }
    }
  }

  /** Throws in a strict database because the limits are exceeded. Otherwise the caller drops the excess. */
  #rejectExcess(sentence: string): void {
    if (this.#isStrict) throw new RequestError('write/trigger-too-big', sentence);
  }

  /** Returns the keys of children, at most as many as the event limit can use. */
  #keysAt(path: Path): readonly Key[] {
    if (this.#bytesLeft < 0) {
      this.#rejectExcess('Functions would receive more than 32 MB in total.');
      return [];
    }
    const selection = { kind: 'shallow', startAfter: null, limit: MAX_EVENTS + 1 } as const;
    const json = parseJsonText(this.#text(this.#tree.selectionJson(path, selection, 'export')) ?? 'null');
    // Stored keys are valid.
    return typeof json === 'object' && json !== null ? (Object.keys(json) as Key[]) : [];
  }

  /** Returns the value at a path as text, or `undefined` if it exceeds the limit for functions. */
  #read(path: Path): string | undefined {
    return this.#text(this.#tree.selectionJson(path, { kind: 'node' }, 'export'));
  }

  #text(read: ReturnType<DatabaseTree['selectionJson']>): string | undefined {
    this.#bytesLeft -= READ_BYTES;
    const pieces: Buffer[] = [];
    let bytes = 0;
    const reader = read(this.#transaction.tx);
    for (let next = reader.next(); next.done !== true; next = reader.next()) {
      pieces.push(next.value);
      bytes += next.value.length;
      this.#bytesLeft -= next.value.length;
      if (bytes > MAX_VALUE_BYTES) return undefined;
    }
    return Buffer.concat(pieces).toString();
  }
}

function isEvent(event: TriggerEvent, before: TreeNode | null, after: TreeNode | null): boolean {
  switch (event) {
    case 'written':
      return true;
    case 'created':
      return before === null;
    case 'updated':
      return before !== null && after !== null;
    case 'deleted':
      return after === null;
    default:
      return event satisfies never;
  }
}

/**
 * Returns the size of the part of a write at a path, in UTF-16 code units of JSON text. Each unit takes at
 * least one byte.
 */
function writtenUnits({ path, node, json }: ValueWrite & { readonly kind: 'node' }, location: Path): number {
  if (location.length <= path.length) return json.length;
  let there: TreeNode | null = node;
  for (const key of location.slice(path.length))
    there = there?.kind === 'inner' ? (there.children.get(key) ?? null) : null;
  return valueJson(there).length;
}
