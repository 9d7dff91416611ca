import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isKey } from '@hearth/core/tree/key.ts';
import { onValue, ref } from 'firebase/database';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Api, ApiError, isForbidden, isUnanswered, useConnectivity } from '../../../api/client.ts';
import { MAX_TEXT_BYTES, measureNode, type NodeText } from '../../../api/data-nodes.ts';
import { openDatabase } from '../../../api/realtime.ts';
import { useSession } from '../../../session/session.ts';
import type { NodeActions } from '../edit/node-actions.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import type { StagedList } from '../staging/store.ts';
import { Delay } from '../tree/tree-model.ts';

/** Members that are no children: value and priority in export form, and what the server puts in. */
const SPECIAL = new Set(['.value', '.priority', '.sv']);

/** The first key in a JSON value that no node can have; `undefined` if all can. */
export function findBadKey(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  for (const [key, member] of Object.entries(json)) {
    if (!SPECIAL.has(key) && !isKey(key)) return key;
    const found = findBadKey(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Does something one time after the other. However often it is asked for while it is under way, it is done once more after that,
 * so that the last time has begun after all that asked for it.
 */
export function oneAtATime(action: () => Promise<void>): () => void {
  let isRunning = false;
  let isAskedFor = false;
  return async () => {
    isAskedFor = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isAskedFor) {
        isAskedFor = false;
        await action();
      }
    } finally {
      isRunning = false;
    }
  };
}

/** A node as text, and how far an edit of it has come. */
export type JsonNode =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error }
  /** It is longer than is shown. */
  | { readonly kind: 'too-large' }
  | {
      readonly kind: 'ready';
      readonly seen: NodeText;
      /** What is in the editor; as it was seen while nobody has typed. */
      readonly text: string;
      /** What was in it at first. */
      readonly original: string;
      readonly isDirty: boolean;
      readonly phase: JsonPhase;
    };

export type JsonPhase =
  | { readonly kind: 'editing' }
  /** What was typed is no JSON. */
  | { readonly kind: 'problem'; readonly message: string }
  /** One of its keys can be none. */
  | { readonly kind: 'bad-key'; readonly key: string }
  | { readonly kind: 'saving' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Others have changed the node since it was read. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'stale'; readonly current: NodeText };

export interface JsonNodeEditor {
  readonly node: JsonNode;
  change(text: string): void;
  save(): void;
  overwrite(): void;
  /** Reads the node again, and gives up what was typed. */
  reload(): void;
}

/** How soon the server is asked again that did not answer. */
const RETRY_MS = 1_000;

type Ready = Extract<JsonNode, { kind: 'ready' }>;

/**
 * A node as text that follows changes while nobody edits it. The official SDK tells of changes; the text itself comes
 * over HTTP, because the SDK has no digits of integers beyond 53 bits, and no priorities in its values.
 */
export function useJsonNode(
  database: string,
  path: NodePath,
  { read: readNode, write: writeNode, showSaved }: NodeActions,
  staged: StagedList,
): JsonNodeEditor {
  const { api, credential } = useSession();
  const [node, setNode] = useState<JsonNode>({ kind: 'loading' });
  const isOnline = useConnectivity(({ kind }) => kind === 'online');

  const read = useCallback(async (): Promise<JsonNode> => {
    try {
      return (await isTooLarge(api, database, path))
        ? { kind: 'too-large' }
        : readyNode(await readNode(path));
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { kind: isForbidden(cause) ? 'forbidden' : 'failed', error };
    }
  }, [api, database, path, readNode]);

  const followNow = useRef<() => void>(() => {});
  /** How often somebody has saved here: what was read before may be older than what was saved. */
  const saves = useRef(0);
  useEffect(() => {
    let isRemoved = false;
    let stop: (() => void) | null = null;
    /** Somebody's own text stays; what nobody has touched follows. An answer that is overtaken by a later one would be shown for good. */
    const follow = oneAtATime(async () => {
      const savesBefore = saves.current;
      const fresh = await read();
      if (isRemoved || saves.current !== savesBefore) return;
      if (fresh.kind === 'failed' && isUnanswered(fresh.error)) retrying.begin();
      setNode((before) => merge(before, fresh));
      // The SDK gets all of what it listens to, which must not be more than is shown.
      if (fresh.kind === 'ready') stop ??= listen();
      else if (fresh.kind === 'too-large') {
        stop?.();
        stop = null;
      }
    });
    const retrying = new Delay(RETRY_MS, follow);
    function listen(): () => void {
      const connection = openDatabase(database, credential);
      // It is cancelled when rules are published that do not let it be read any more.
      const end = onValue(ref(connection.database, path), follow, follow);
      return () => {
        end();
        connection.close();
      };
    }
    followNow.current = follow;
    follow();
    return () => {
      isRemoved = true;
      retrying.cancel();
      stop?.();
    };
  }, [credential, database, path, read]);

  const shown = useRef(staged);
  useEffect(() => {
    if (shown.current === staged) return;
    shown.current = staged;
    followNow.current();
  }, [staged]);

  const write = useCallback(
    async (ready: Ready, seen: NodeText) => {
      const problem = findProblem(ready.text);
      if (problem !== null) {
        setNode({ ...ready, phase: problem });
        return;
      }
      setNode({ ...ready, phase: { kind: 'saving' } });
      const { text } = ready;
      try {
        const outcome = await writeNode(path, { text, hash: seen.hash });
        // What was sent before the connection broke may have arrived.
        if (outcome.kind === 'stale' && pretty(outcome.current.text) !== pretty(text)) {
          setNode((before) => withPhase(before, outcome));
          return;
        }
        const hash = outcome.kind === 'written' ? outcome.hash : outcome.current.hash;
        showSaved(path, seen, hash);
        const saved = readyNode({ text, hash });
        // What was typed while it was saved is there to be saved next.
        setNode((before) =>
          before.kind === 'ready' && before.text !== text
            ? { ...saved, text: before.text, isDirty: true }
            : saved,
        );
        saves.current += 1;
        // The server may keep it in another form.
        followNow.current();
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        const phase: JsonPhase = isUnanswered(cause) ? { kind: 'waiting' } : { kind: 'failed', error };
        setNode((before) => withPhase(before, phase));
      }
    },
    [path, writeNode, showSaved],
  );

  useEffect(() => {
    if (isOnline && node.kind === 'ready' && node.phase.kind === 'waiting') void write(node, node.seen);
  }, [isOnline, node, write]);

  return {
    node,
    change: (text) =>
      setNode((before) =>
        before.kind === 'ready'
          ? { ...before, text, isDirty: text !== before.original, phase: phaseOnTyping(before.phase) }
          : before,
      ),
    save: () => {
      if (node.kind === 'ready' && node.phase.kind !== 'saving') void write(node, node.seen);
    },
    overwrite: () => {
      if (node.kind === 'ready' && node.phase.kind === 'stale') void write(node, node.phase.current);
    },
    reload: () => {
      setNode(asSeenLast);
      followNow.current();
    },
  };
}

async function isTooLarge(api: Api, database: string, path: NodePath): Promise<boolean> {
  try {
    return (await measureNode(api, database, path, MAX_TEXT_BYTES)) === null;
  } catch (cause) {
    // Nothing was ever written to a database that does not exist.
    if (cause instanceof ApiError && cause.status === 404) return false;
    throw cause;
  }
}

function readyNode(seen: NodeText): Ready {
  const text = pretty(seen.text);
  return { kind: 'ready', seen, text, original: text, isDirty: false, phase: { kind: 'editing' } };
}

/** Without what was typed, as far as it has been read. */
function asSeenLast(node: JsonNode): JsonNode {
  if (node.kind !== 'ready') return { kind: 'loading' };
  return readyNode(node.phase.kind === 'stale' ? node.phase.current : node.seen);
}

function withPhase(node: JsonNode, phase: JsonPhase): JsonNode {
  return node.kind === 'ready' ? { ...node, phase } : node;
}

/** What is being saved goes on being saved, and what others have changed stays changed. */
function phaseOnTyping(phase: JsonPhase): JsonPhase {
  return phase.kind === 'saving' || phase.kind === 'outdated' ? phase : { kind: 'editing' };
}

/** What is there now, beside what somebody has typed, which is never given up for it. */
function merge(before: JsonNode, fresh: JsonNode): JsonNode {
  // It is asked for again.
  if (before.kind === 'ready' && fresh.kind === 'failed' && isUnanswered(fresh.error)) return before;
  if (before.kind !== 'ready' || !before.isDirty) return fresh;
  switch (before.phase.kind) {
    case 'saving':
    case 'waiting':
    case 'stale':
      // The server decides when it is saved.
      return before;
    default:
  }
  if (fresh.kind === 'ready' && fresh.seen.hash === before.seen.hash) return before;
  const isUnread = fresh.kind === 'failed' || fresh.kind === 'forbidden';
  return withPhase(before, isUnread ? { kind: 'failed', error: fresh.error } : { kind: 'outdated' });
}

function pretty(text: string): string {
  return printExact(parseJsonText(text));
}

function findProblem(text: string): JsonPhase | null {
  try {
    const key = findBadKey(parseJsonText(text));
    return key === undefined ? null : { kind: 'bad-key', key };
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}
