import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isKey } from '@hearth/core/tree/key.ts';
import { onValue, ref } from 'firebase/database';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Api, ApiError, isForbidden, isUnavailable } from '../../../api/client.ts';
import { MAX_TEXT_BYTES, measureNode, type NodeText } from '../../../api/data-nodes.ts';
import { RETRY_MS, useRetry } from '../../../api/query-state.ts';
import { openDatabase } from '../../../api/realtime.ts';
import { useSession } from '../../../session/session.ts';
import type { NodeActions } from '../edit/node-actions.ts';
import { findRoundedNumber } from '../model/exact-numbers.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import type { StagedList } from '../staging/store.ts';
import { Delay } from '../tree/tree-model.ts';

/** Members that are not children: value and priority of the export format, and server values. */
const SPECIAL = new Set(['.value', '.priority', '.sv']);

/** Returns the first invalid key in a JSON value; `undefined` if all are valid. */
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
 * Returns a function that requests a run of `action`. Runs never overlap. All requests during a run cause one more run after it,
 * so that the last run starts after the last request.
 */
export function runSerially(action: () => Promise<void>): () => void {
  let isRunning = false;
  let isRequested = false;
  return async () => {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await action();
      }
    } finally {
      isRunning = false;
    }
  };
}

/** A node as text, and the progress of its edit. */
export type JsonNode =
  | { readonly kind: 'loading' }
  | { readonly kind: 'forbidden'; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: Error }
  /** The node is larger than `MAX_TEXT_BYTES`. */
  | { readonly kind: 'too-large' }
  | {
      readonly kind: 'ready';
      readonly seen: NodeText;
      /** The text in the editor. */
      readonly text: string;
      /** The formatted text before the user typed. */
      readonly original: string;
      readonly isDirty: boolean;
      readonly phase: JsonPhase;
    };

export type JsonPhase =
  | { readonly kind: 'editing' }
  /** The text is not valid JSON. */
  | { readonly kind: 'problem'; readonly message: string }
  /** The text has an invalid key. */
  | { readonly kind: 'bad-key'; readonly key: string }
  /** The database cannot store all digits of a number. */
  | { readonly kind: 'digits'; readonly number: string }
  | { readonly kind: 'saving' }
  /** The server does not respond, or is overloaded. The text is saved once it is available. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Another user changed the node since it was read. */
  | { readonly kind: 'outdated' }
  /** A save failed, because another user changed the node since it was read. */
  | { readonly kind: 'stale'; readonly current: NodeText };

export interface JsonNodeEditor {
  readonly node: JsonNode;
  change(text: string): void;
  save(): void;
  overwrite(): void;
  /** Discards the edits and reads the node again. */
  reload(): void;
}

type Ready = Extract<JsonNode, { kind: 'ready' }>;

/**
 * Returns an editor for a node as text. Until the user edits the text, it follows changes by others. The official SDK reports
 * changes, but the text is read over HTTP, because values of the SDK have no priorities and lose the digits of integers beyond 53
 * bits.
 */
export function useJsonNode(
  database: string,
  path: NodePath,
  { read: readNode, write: writeNode, showSaved }: NodeActions,
  staged: StagedList,
): JsonNodeEditor {
  const { api, credential } = useSession();
  const [node, setNode] = useState<JsonNode>({ kind: 'loading' });

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
  /** Number of saves. A read that started before a save may return older data, so it is ignored. */
  const saves = useRef(0);
  useEffect(() => {
    let isRemoved = false;
    let stop: (() => void) | null = null;
    /**
     * Reads the node again; `merge` keeps unsaved text. Reads run one after another, because an older response must not replace
     * a newer one.
     */
    const follow = runSerially(async () => {
      const savesBefore = saves.current;
      const fresh = await read();
      if (isRemoved || saves.current !== savesBefore) return;
      if (fresh.kind === 'failed' && isUnavailable(fresh.error)) retrying.begin();
      setNode((before) => merge(before, fresh));
      // The SDK loads all data that it listens to, so it must not listen to a node that is too large.
      if (fresh.kind === 'ready') stop ??= listen();
      else if (fresh.kind === 'too-large') {
        stop?.();
        stop = null;
      }
    });
    const retrying = new Delay(RETRY_MS, follow);
    function listen(): () => void {
      const connection = openDatabase(database, credential);
      // `follow` also runs when the server cancels the listen, such as when new rules do not allow the listen.
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
        // A write that was sent before the connection broke may have been applied.
        if (outcome.kind === 'stale' && pretty(outcome.current.text) !== pretty(text)) {
          setNode((before) => withPhase(before, outcome));
          return;
        }
        const hash = outcome.kind === 'written' ? outcome.hash : outcome.current.hash;
        showSaved(path, outcome.kind === 'written' ? outcome.change : null);
        const saved = readyNode({ text, hash });
        // Text typed while saving stays, as an unsaved change.
        setNode((before) =>
          before.kind === 'ready' && before.text !== text
            ? { ...saved, text: before.text, isDirty: true }
            : saved,
        );
        saves.current += 1;
        // The server may store the value in another form.
        followNow.current();
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        const phase: JsonPhase = isUnavailable(cause) ? { kind: 'waiting' } : { kind: 'failed', error };
        setNode((before) => withPhase(before, phase));
      }
    },
    [path, writeNode, showSaved],
  );

  const saveAgain = useCallback(() => {
    if (node.kind === 'ready' && node.phase.kind === 'waiting') void write(node, node.seen);
  }, [node, write]);
  useRetry(node.kind === 'ready' && node.phase.kind === 'waiting', saveAgain);

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
      setNode(withoutEdits);
      followNow.current();
    },
  };
}

async function isTooLarge(api: Api, database: string, path: NodePath): Promise<boolean> {
  try {
    return (await measureNode(api, database, path, MAX_TEXT_BYTES)) === null;
  } catch (cause) {
    // A database that does not exist is empty.
    if (cause instanceof ApiError && cause.status === 404) return false;
    throw cause;
  }
}

function readyNode(seen: NodeText): Ready {
  const text = pretty(seen.text);
  return { kind: 'ready', seen, text, original: text, isDirty: false, phase: { kind: 'editing' } };
}

/** Returns the node without the typed text, as it was last read; `loading` if it was never read. */
function withoutEdits(node: JsonNode): JsonNode {
  if (node.kind !== 'ready') return { kind: 'loading' };
  return readyNode(node.phase.kind === 'stale' ? node.phase.current : node.seen);
}

function withPhase(node: JsonNode, phase: JsonPhase): JsonNode {
  return node.kind === 'ready' ? { ...node, phase } : node;
}

/** Returns the phase after typing: a save continues, and an outdated node stays outdated. */
function phaseOnTyping(phase: JsonPhase): JsonPhase {
  return phase.kind === 'saving' || phase.kind === 'outdated' ? phase : { kind: 'editing' };
}

/** Combines a fresh read with the current state. Unsaved text is never discarded. */
function merge(before: JsonNode, fresh: JsonNode): JsonNode {
  // `useJsonNode` repeats the read after a delay.
  if (before.kind === 'ready' && fresh.kind === 'failed' && isUnavailable(fresh.error)) return before;
  if (before.kind !== 'ready' || !before.isDirty) return fresh;
  switch (before.phase.kind) {
    case 'saving':
    case 'waiting':
    case 'stale':
      // The server checks the hash when the text is saved.
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
    if (key !== undefined) return { kind: 'bad-key', key };
    const number = findRoundedNumber(text);
    return number === undefined ? null : { kind: 'digits', number };
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}
