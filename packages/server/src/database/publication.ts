import { type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import { applyToWindow, type TouchedChild, type WindowChange } from '@hearth/core/query/window.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { nodeAt } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { mergePush, setPush } from '@hearth/core/wire/down.ts';
import { Frame } from '../commit/frame.ts';
import type { Turn } from '../commit/turn.ts';
import { type CommitWrite, writePath } from '../log/commit.ts';
import type { ListenPlace, ListenRegistry, QueryListen } from './listen-registry.ts';
import type { TreeView } from './tree-view.ts';

/** A place with listens that a commit touches: by one write at or above it, or by writes below it. */
interface TouchedPlace {
  readonly place: ListenPlace;
  readonly over: CommitWrite | null;
  readonly below: CommitWrite[];
}

/** A query that a commit touches, and what must be known from before the commit to tell what it does. */
interface TouchedQuery {
  readonly listen: QueryListen;
  readonly touched: TouchedPlace;
  /** For a query without a limit: which of the touched children it showed. */
  readonly shownBefore: ReadonlySet<Key>;
}

/**
 * Tells listeners about one commit. Made before the commit is applied, because what a query shows afterwards depends on
 * what it showed before; `send` is called once it is applied. Each distinct message is encoded once.
 */
export class Publication {
  readonly #listens: ListenRegistry;
  readonly #shownBefore = new Map<QueryListen, ReadonlySet<Key>>();

  /** `view` is the state before the commit; `writes` are its writes, and perhaps some that turn out to do nothing. */
  constructor(listens: ListenRegistry, view: TreeView, writes: readonly CommitWrite[]) {
    this.#listens = listens;
    for (const touched of collectPlaces(listens, writes))
      for (const listen of touched.place.queries.values())
        if (listen.window === null) this.#shownBefore.set(listen, findShown(view, listen, touched));
  }

  /** `view` is the state after the commit, and `writes` are those that had an effect. */
  send(turn: Turn, view: TreeView, writes: readonly CommitWrite[]): void {
    const frames = new FrameCache();
    for (const touched of collectPlaces(this.#listens, writes)) {
      if (touched.place.defaults.size > 0) {
        const frame = defaultFrame(frames, touched);
        for (const receiver of touched.place.defaults) turn.send(receiver, frame);
      }
      for (const listen of touched.place.queries.values())
        sendToQuery(turn, view, {
          listen,
          touched,
          shownBefore: this.#shownBefore.get(listen) ?? NOTHING_SHOWN,
        });
    }
  }
}

const NOTHING_SHOWN: ReadonlySet<Key> = new Set();

/** Every place with listens that the writes touch; each once, with all that touches it. */
function collectPlaces(listens: ListenRegistry, writes: readonly CommitWrite[]): readonly TouchedPlace[] {
  const found = new Map<ListenPlace, TouchedPlace>();
  const add = (place: ListenPlace, over: CommitWrite | null, below: CommitWrite | null): void => {
    if (place.defaults.size === 0 && place.queries.size === 0) return;
    const known = found.get(place);
    if (known === undefined) found.set(place, { place, over, below: below === null ? [] : [below] });
    else if (below !== null) known.below.push(below);
  };
  for (const write of writes) {
    let here: ListenPlace | undefined = listens.root;
    for (const key of write.path) {
      if (here === undefined) break;
      add(here, null, write);
      here = here.children.get(key);
    }
    if (here === undefined) continue;
    // A priority is a place below its node: listens there and above hear of it, those further down do not.
    if (write.kind === 'priority') add(here, null, write);
    else addSubtree(here, (place) => add(place, write, null));
  }
  return [...found.values()];
}

function addSubtree(place: ListenPlace, add: (place: ListenPlace) => void): void {
  add(place);
  for (const child of place.children.values()) addSubtree(child, add);
}

/** Keeps the frames of one commit that several places share. */
class FrameCache {
  readonly #frames = new Map<CommitWrite, Frame>();

  /** The push of one write at its own path; the same for every listen above it. */
  ofWrite(write: CommitWrite): Frame {
    let frame = this.#frames.get(write);
    if (frame === undefined) {
      frame = new Frame(setPush(writePath(write), write.json));
      this.#frames.set(write, frame);
    }
    return frame;
  }
}

function defaultFrame(frames: FrameCache, { place, over, below }: TouchedPlace): Frame {
  if (over?.kind === 'node') {
    if (over.path.length === place.path.length) return frames.ofWrite(over);
    const node = nodeAt(over.node, place.path.slice(over.path.length));
    return new Frame(setPush(formatPath(place.path), exportJson(node)));
  }
  const only = below[0];
  if (only !== undefined && below.length === 1) return frames.ofWrite(only);
  return new Frame(
    mergePush(formatPath(place.path), mergeJson(below.map((write) => deepField(place.path, write)))),
  );
}

/** Which of the touched children a query without a limit shows, in the state that `view` has. */
function findShown(view: TreeView, { path, query }: QueryListen, { below }: TouchedPlace): ReadonlySet<Key> {
  const shown = new Set<Key>();
  for (const key of childKeys(path, below)) {
    const entry = view.findEntry(path, key, query.index);
    if (entry !== null && isInRange(query, entry)) shown.add(key);
  }
  return shown;
}

/** Keys of the children of `path` that writes below it touch. A priority of `path` itself touches none. */
function childKeys(path: Path, below: readonly CommitWrite[]): ReadonlySet<Key> {
  const keys = new Set<Key>();
  for (const write of below) {
    const key = write.path[path.length];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}

function sendToQuery(turn: Turn, view: TreeView, { listen, touched, shownBefore }: TouchedQuery): void {
  if (touched.over !== null) {
    sendWhole(turn, view, listen);
    return;
  }
  const change = findChange(view, listen, touched, shownBefore);
  if (listen.window !== null) replaceWindow(turn, listen, change.window);
  const push = changePush(view, listen, touched.below, change);
  if (push !== null) sendTagged(turn, listen, push);
}

/** Everything that a query shows may have changed: its listeners get all of it. */
function sendWhole(turn: Turn, view: TreeView, listen: QueryListen): void {
  const entries = view.readQuery(listen.path, listen.query);
  const hadEntries = listen.window === null || listen.window.length > 0;
  if (listen.window !== null) replaceWindow(turn, listen, entries);
  if (entries.length === 0 && !hadEntries) return;
  const json = view.childrenJson(
    listen.path,
    entries.map((entry) => entry.key),
  );
  sendTagged(turn, listen, (tag) => setPush(formatPath(listen.path), json, tag));
}

function replaceWindow(turn: Turn, listen: QueryListen, window: readonly Entry[]): void {
  const before = listen.window;
  listen.window = window;
  turn.onUndo(() => {
    listen.window = before;
  });
}

function findChange(
  view: TreeView,
  { path, query, window }: QueryListen,
  { below }: TouchedPlace,
  shownBefore: ReadonlySet<Key>,
): WindowChange {
  const touched: TouchedChild[] = [];
  for (const key of childKeys(path, below))
    touched.push({ key, after: view.findEntry(path, key, query.index) });
  if (window !== null && query.limit !== null)
    return applyToWindow(query, query.limit, window, touched, (beyond, count) =>
      view.readQuery(path, queryBeyond(query, beyond, count)),
    );
  const change = { window: [], left: [] as Key[], entered: [] as Key[], stayed: [] as Key[] };
  for (const { key, after } of touched) {
    const isShown = after !== null && isInRange(query, after);
    if (shownBefore.has(key)) (isShown ? change.stayed : change.left).push(key);
    else if (isShown) change.entered.push(key);
  }
  return change;
}

/** The children of a query that come after the outermost one of its window, away from the side the limit counts from. */
function queryBeyond(query: Query, beyond: Entry, count: number): Query {
  const bound = { ...beyond, isInclusive: false };
  return query.from === 'left'
    ? { ...query, lower: bound, limit: count }
    : { ...query, upper: bound, limit: count };
}

/** How to tell listeners with some tag, or `null` when nothing they see has changed. */
function changePush(
  view: TreeView,
  { path }: QueryListen,
  below: readonly CommitWrite[],
  change: WindowChange,
): ((tag: number) => string) | null {
  const stayed = new Set(change.stayed);
  const deep = below.filter((write) => {
    const key = write.path[path.length];
    return key !== undefined && stayed.has(key);
  });
  const only = deep[0];
  if (only !== undefined && deep.length === 1 && change.left.length === 0 && change.entered.length === 0)
    return (tag) => setPush(writePath(only), only.json, tag);
  const fields = [
    ...change.left.map((key) => `${JSON.stringify(key)}:null`),
    ...change.entered.map((key) => `${JSON.stringify(key)}:${view.childJson(path, key)}`),
    ...deep.map((write) => deepField(path, write)),
  ];
  if (fields.length === 0) return null;
  const json = mergeJson(fields);
  return (tag) => mergePush(formatPath(path), json, tag);
}

/** Clients number their queries alike, so most tags are shared by many connections. */
function sendTagged(turn: Turn, listen: QueryListen, push: (tag: number) => string): void {
  const frames = new Map<number, Frame>();
  for (const { receiver, tag } of listen.subscriptions) {
    let frame = frames.get(tag);
    if (frame === undefined) {
      frame = new Frame(push(tag));
      frames.set(tag, frame);
    }
    turn.send(receiver, frame);
  }
}

function deepField(ancestor: Path, write: CommitWrite): string {
  return `${JSON.stringify(writePath(write, ancestor.length))}:${write.json}`;
}

function mergeJson(fields: readonly string[]): string {
  return `{${fields.join(',')}}`;
}
