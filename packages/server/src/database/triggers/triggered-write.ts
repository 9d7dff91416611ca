import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../../commit/turn.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Commit, ValueWrite } from '../../log/commit.ts';
import type { DatabaseTree } from '../tree-view.ts';
import type { TriggeredEvent } from './event-json.ts';
import { matchingPlaces } from './matching-places.ts';
import type { Trigger, TriggerEvent } from './trigger.ts';
import { valueDelta, valueJson } from './value-delta.ts';

/** Functions that one write may trigger, and what one of them may be told, in bytes of JSON text. */
const MAX_EVENTS = 1_000;
const MAX_VALUE_BYTES = 2 ** 20;

/** A place that a trigger watches, before a write that may change it. */
interface WatchedPlace {
  readonly trigger: Trigger;
  readonly path: Path;
  readonly before: TreeNode | null;
}

/**
 * What one write triggers. Made before the write is applied, because functions are told what was there before. In a strict
 * database a write that would trigger too much is refused with `write/trigger-too-big`; otherwise what is too much is left out.
 */
export class TriggeredWrite {
  readonly #turn: Turn;
  readonly #tree: DatabaseTree;
  readonly #isStrict: boolean;
  readonly #places: readonly WatchedPlace[];

  constructor(
    turn: Turn,
    tree: DatabaseTree,
    triggers: readonly Trigger[],
    writes: readonly ValueWrite[],
    isStrict: boolean,
  ) {
    this.#turn = turn;
    this.#tree = tree;
    this.#isStrict = isStrict;
    this.#places = triggers.flatMap((trigger) => this.#watch(trigger, writes));
    if (this.#places.length > MAX_EVENTS && isStrict)
      throw new Refusal('write/trigger-too-big', `The write triggers more than ${MAX_EVENTS} functions.`);
  }

  /** What functions are to be told, once the write is applied. */
  events(commit: Commit, identity: Identity): readonly TriggeredEvent[] {
    const { database, timeMs, seq } = commit;
    const events: TriggeredEvent[] = [];
    for (const { trigger, path, before } of this.#places.slice(0, MAX_EVENTS)) {
      const after = this.#read(path);
      if (after === undefined) continue;
      const delta = valueDelta(before, after);
      if (delta === undefined || !isEvent(trigger.event, before, after)) continue;
      const id = `${database}-${seq}-${events.length}`;
      events.push({ trigger, database, path, identity, timeMs, id, before: valueJson(before), delta });
    }
    return events;
  }

  #watch(trigger: Trigger, writes: readonly ValueWrite[]): readonly WatchedPlace[] {
    const found = new Map<string, WatchedPlace>();
    for (const write of writes) {
      // A priority is no part of a value.
      if (write.kind === 'priority') continue;
      for (const path of matchingPlaces(trigger.pattern, write, (at) => this.#keysAt(at))) {
        const name = formatPath(path);
        if (found.has(name)) continue;
        const before = this.#read(path);
        const isTooBig = before === undefined || writtenUnits(write, path) > MAX_VALUE_BYTES;
        if (isTooBig && this.#isStrict)
          throw new Refusal('write/trigger-too-big', 'A function would be told more than 1 MB of one value.');
        if (before !== undefined && !isTooBig) found.set(name, { trigger, path, before });
        if (found.size > MAX_EVENTS) return [...found.values()];
      }
    }
    return [...found.values()];
  }

  /** Keys of children, as many as could matter. */
  #keysAt(path: Path): readonly Key[] {
    const selection = { kind: 'shallow', startAfter: null, limit: MAX_EVENTS + 1 } as const;
    const json = parseJsonText(this.#text(this.#tree.selectionJson(path, selection, 'export')) ?? 'null');
    // The keys of what is stored are valid.
    return typeof json === 'object' && json !== null ? (Object.keys(json) as Key[]) : [];
  }

  /** The value at a place; `undefined` if it is too big to be told. */
  #read(path: Path): TreeNode | null | undefined {
    const text = this.#text(this.#tree.selectionJson(path, { kind: 'node' }, 'export'));
    return text === undefined ? undefined : parseNodeJson(text);
  }

  #text(read: ReturnType<DatabaseTree['selectionJson']>): string | undefined {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const reader = read(this.#turn.tx);
    for (let next = reader.next(); next.done !== true; next = reader.next()) {
      pieces.push(next.value);
      bytes += next.value.length;
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

/** How much of a write is about a place, in UTF-16 units of its JSON text, of which each is a byte or more. */
function writtenUnits({ path, node, json }: ValueWrite & { readonly kind: 'node' }, place: Path): number {
  if (place.length <= path.length) return json.length;
  let there: TreeNode | null = node;
  for (const key of place.slice(path.length))
    there = there?.kind === 'inner' ? (there.children.get(key) ?? null) : null;
  return valueJson(there).length;
}
