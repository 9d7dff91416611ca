import type { Entry } from '@hearth/core/query/query.ts';
import { Frame } from '../commit/frame.ts';
import type { Turn } from '../commit/turn.ts';
import type { CommitWrite } from '../log/commit.ts';
import type { ListenRegistry, QueryListen, Watcher } from './listen-registry.ts';
import { changePush, DefaultFrames, type TaggedPush, wholePush } from './push-text.ts';
import { collectPlaces, type TouchedPlace, touchedKeys } from './touched-places.ts';
import type { TreeView } from './tree-view.ts';
import { findWindowChange, type Places, readPlaces } from './window-change.ts';
import { unlessTooBig, WriteTexts } from './write-texts.ts';

const NO_PLACES: Places = new Map();

/**
 * Tells listeners about one commit. Made before the commit is applied, because what a query shows afterwards depends on
 * what it showed before; `send` is called once it is applied, and so must not refuse: a listener that cannot be told
 * what it should know is ended. Each distinct message is encoded once.
 */
export class Publication {
  readonly #listens: ListenRegistry;
  #before: Map<QueryListen, Places> | undefined;

  /** `view` is the state before the commit; `writes` are its writes, and perhaps some that turn out to do nothing. */
  constructor(listens: ListenRegistry, view: TreeView, writes: readonly CommitWrite[]) {
    this.#listens = listens;
    for (const touched of collectPlaces(listens, writes)) {
      const keys = touchedKeys(touched);
      this.#before ??= new Map();
      for (const listen of touched.place.queries.values())
        this.#before.set(listen, readPlaces(view, listen, keys));
    }
  }

  /**
   * `view` is the state after the commit, and `writes` are those that had an effect; several of the constructor's may
   * have become one write above them.
   */
  send(turn: Turn, view: TreeView, writes: readonly CommitWrite[]): void {
    const places = collectPlaces(this.#listens, writes);
    if (places.length === 0) return;
    const texts = new WriteTexts(view);
    const frames = new DefaultFrames(view, texts);
    for (const touched of places) {
      const { defaults, queries, watchers } = touched.place;
      if (defaults.size > 0) {
        const frame = unlessTooBig(() => frames.at(touched));
        for (const receiver of defaults)
          if (frame === undefined) turn.afterwards(() => receiver.end());
          else turn.send(receiver, frame);
      }
      for (const listen of queries.values())
        sendToQuery(turn, { view, texts }, listen, touched, this.#before?.get(listen) ?? NO_PLACES);
      if (watchers.size > 0) tellWatchers(turn, watchers, touched);
    }
  }
}

function tellWatchers(turn: Turn, watchers: ReadonlySet<Watcher>, touched: TouchedPlace): void {
  const keys = touched.over === null ? touchedKeys(touched) : null;
  turn.afterwards(() => {
    for (const watcher of watchers) watcher.noteTouched(keys);
  });
}

/** The state after a commit, and the texts of what it wrote. */
interface After {
  readonly view: TreeView;
  readonly texts: WriteTexts;
}

function sendToQuery(
  turn: Turn,
  { view, texts }: After,
  listen: QueryListen,
  { over, below }: TouchedPlace,
  before: Places,
): void {
  if (over !== null) {
    sendWhole(turn, view, listen);
    return;
  }
  const { path } = listen;
  const change = findWindowChange(view, listen, before);
  if (listen.window !== null) replaceWindow(turn, listen, change.window);
  const stayed = new Set(change.stayed);
  const inside = below.filter((write) => {
    const key = write.path[path.length];
    return key !== undefined && stayed.has(key);
  });
  const push = unlessTooBig(() =>
    changePush(path, change.left, view.childrenJson(path, change.entered), inside, texts),
  );
  if (push === undefined) endAll(turn, listen);
  else sendTagged(turn, listen, push);
}

/** Everything that a query shows may have changed: its listeners get all of it. */
function sendWhole(turn: Turn, view: TreeView, listen: QueryListen): void {
  const entries = view.readQuery(listen.path, listen.query);
  const hadEntries = listen.window === null || listen.window.length > 0;
  if (listen.window !== null) replaceWindow(turn, listen, entries);
  if (entries.length === 0 && !hadEntries) return;
  const keys = entries.map((entry) => entry.key);
  const json = unlessTooBig(() => view.childrenJson(listen.path, keys));
  if (json === undefined) endAll(turn, listen);
  else sendTagged(turn, listen, wholePush(listen.path, json));
}

function replaceWindow(turn: Turn, listen: QueryListen, window: readonly Entry[]): void {
  const before = listen.window;
  if (window === before) return;
  listen.window = window;
  turn.onUndo(() => {
    listen.window = before;
  });
}

/** Clients number their queries alike, so most tags are shared by many connections. */
function sendTagged(turn: Turn, listen: QueryListen, push: TaggedPush | null): void {
  if (push === null) return;
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

/** Those who listen to a query cannot be told what it shows now; when they come back, their listen is refused. */
function endAll(turn: Turn, listen: QueryListen): void {
  for (const { receiver } of listen.subscriptions) turn.afterwards(() => receiver.end());
}
