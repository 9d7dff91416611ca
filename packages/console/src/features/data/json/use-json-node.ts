import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { onValue, ref } from 'firebase/database';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, isForbidden } from '../../../server/api-error.ts';
import { useConnectivity } from '../../../server/connectivity.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  type NodeText,
  readNode,
  writeNode,
} from '../../../server/data-nodes.ts';
import { openDatabase } from '../../../server/realtime.ts';
import { useSession } from '../../../session/session.ts';
import { printExact } from '../model/exact-json.ts';
import type { NodePath } from '../model/node-path.ts';

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
      readonly isDirty: boolean;
      readonly phase: JsonPhase;
    };

export type JsonPhase =
  | { readonly kind: 'editing' }
  | { readonly kind: 'problem'; readonly message: string }
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

type Ready = Extract<JsonNode, { kind: 'ready' }>;

/**
 * A node as text that follows changes while nobody edits it. The official SDK tells of changes; the text itself comes
 * over HTTP, because the SDK has no digits of integers beyond 53 bits, and no priorities in its values.
 */
export function useJsonNode(
  database: string,
  path: NodePath,
  onSaved: (path: NodePath, before: NodeText, hashAfter: string) => void,
): JsonNodeEditor {
  const { api, credential } = useSession();
  const [node, setNode] = useState<JsonNode>({ kind: 'loading' });
  const isOnline = useConnectivity(({ kind }) => kind === 'online');

  const read = useCallback(async (): Promise<JsonNode> => {
    try {
      if ((await measureNode(api, database, path, MAX_TEXT_BYTES)) === null) return { kind: 'too-large' };
      return readyNode(await readNode(api, database, path));
    } catch (cause) {
      // Nothing was ever written to a database that does not exist.
      if (cause instanceof ApiError && cause.status === 404)
        return readyNode(await readNode(api, database, path));
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { kind: isForbidden(cause) ? 'forbidden' : 'failed', error };
    }
  }, [api, database, path]);

  useEffect(() => {
    let isGone = false;
    /** Somebody's own text stays; what nobody has touched follows. */
    async function follow(): Promise<void> {
      const fresh = await read();
      if (!isGone) setNode((before) => merge(before, fresh));
    }
    void follow().then(() => undefined);
    const connection = openDatabase(database, credential);
    let isFirst = true;
    const stop = onValue(ref(connection.database, path), () => {
      if (!isFirst) void follow();
      isFirst = false;
    });
    return () => {
      isGone = true;
      stop();
      connection.close();
    };
  }, [credential, database, path, read]);

  const write = useCallback(
    async (ready: Ready, seen: NodeText) => {
      const problem = findProblem(ready.text);
      if (problem !== null) {
        setNode({ ...ready, phase: { kind: 'problem', message: problem } });
        return;
      }
      setNode({ ...ready, phase: { kind: 'saving' } });
      try {
        const outcome = await writeNode(api, database, path, { text: ready.text, hash: seen.hash });
        if (outcome.kind === 'stale') {
          setNode({ ...ready, phase: outcome });
          return;
        }
        onSaved(path, seen, outcome.hash);
        setNode(await read());
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        const isUnanswered = cause instanceof ApiError && cause.status === 0;
        setNode({ ...ready, phase: isUnanswered ? { kind: 'waiting' } : { kind: 'failed', error } });
      }
    },
    [api, database, path, onSaved, read],
  );

  useEffect(() => {
    if (isOnline && node.kind === 'ready' && node.phase.kind === 'waiting') void write(node, node.seen);
  }, [isOnline, node, write]);

  return {
    node,
    change: (text) =>
      setNode((before) =>
        before.kind === 'ready'
          ? {
              ...before,
              text,
              isDirty: text !== pretty(before.seen.text),
              phase: before.phase.kind === 'outdated' ? before.phase : { kind: 'editing' },
            }
          : before,
      ),
    save: () => {
      if (node.kind === 'ready' && node.phase.kind !== 'saving') void write(node, node.seen);
    },
    overwrite: () => {
      if (node.kind === 'ready' && node.phase.kind === 'stale') void write(node, node.phase.current);
    },
    reload: () => void read().then(setNode),
  };
}

function readyNode(seen: NodeText): Ready {
  return { kind: 'ready', seen, text: pretty(seen.text), isDirty: false, phase: { kind: 'editing' } };
}

function merge(before: JsonNode, fresh: JsonNode): JsonNode {
  if (before.kind !== 'ready' || !before.isDirty || fresh.kind !== 'ready') return fresh;
  return fresh.seen.hash === before.seen.hash ? before : { ...before, phase: { kind: 'outdated' } };
}

function pretty(text: string): string {
  return printExact(parseJsonText(text));
}

function findProblem(text: string): string | null {
  try {
    parseJsonText(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
