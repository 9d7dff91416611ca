import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import { type NodeText, writeNode } from '../../../server/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import {
  addNode,
  ChangedMeanwhile,
  copyNode,
  removeNodes,
  restoreNodes,
  TooLarge,
  ValueAbove,
} from '../edit/change-nodes.ts';
import type { MoveRequest } from '../edit/move-dialog.tsx';
import { printExact } from '../model/exact-json.ts';
import { joinPath, lastKeyOf, type NodePath } from '../model/node-path.ts';

/** Changes of nodes, each told in passing and, where that is possible, taken back from there. */
export interface NodeActs {
  add(parent: NodePath, key: string, value: unknown): Promise<void>;
  move(request: MoveRequest, to: NodePath): Promise<void>;
  remove(paths: readonly NodePath[]): Promise<void>;
  /** `hashAfter` is that of what was written: only that is taken back. */
  tellSaved(path: NodePath, before: NodeText, hashAfter: string): void;
}

/** `onChanged` is called after each change, for views that do not follow changes by themselves. */
export function useNodeActs(database: string, onChanged: () => void): NodeActs {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  /** Says what to do in words of the page, where the failure is one that the page knows. */
  const explain = useCallback(
    (error: unknown): Error => {
      if (error instanceof ChangedMeanwhile) return new Error(t('changedMeanwhile'), { cause: error });
      if (error instanceof ValueAbove) return new Error(t('valueAbove'), { cause: error });
      if (error instanceof TooLarge) return new Error(t('tooLarge'), { cause: error });
      return error instanceof Error ? error : new Error(String(error));
    },
    [t],
  );
  const attempt = useCallback(
    async (act: () => Promise<void>): Promise<void> => {
      try {
        await act();
        onChanged();
      } catch (error) {
        throw explain(error);
      }
    },
    [explain, onChanged],
  );
  const undo = useCallback(
    (act: () => Promise<void>) => async () => {
      try {
        await attempt(act);
        tell({ kind: 'done', text: t('undone') });
      } catch (error) {
        tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
      }
    },
    [attempt, t],
  );
  return useMemo(
    () => ({
      async add(parent, key, value) {
        const path = joinPath(parent, key);
        await attempt(() => addNode(api, database, path, printExact(value, 0)));
        tell({
          kind: 'done',
          text: t('add.done', { key: showControls(key) }),
          undo: undo(async () => void (await removeNodes(api, database, [path]))),
        });
      },
      async move({ kind, path }, to) {
        const isMove = kind !== 'duplicate';
        await attempt(() => copyNode(api, database, path, to, isMove));
        tell({
          kind: 'done',
          text: t(isMove ? 'move.done' : 'move.copied', { to: showControls(to) }),
          undo: undo(async () =>
            isMove ? copyNode(api, database, to, path, true) : void (await removeNodes(api, database, [to])),
          ),
        });
      },
      async remove(paths) {
        let former: Awaited<ReturnType<typeof removeNodes>> = null;
        await attempt(async () => {
          former = await removeNodes(api, database, paths);
        });
        const kept = former;
        tell({
          kind: 'done',
          text: t('remove.done', { count: paths.length, number: paths.length.toLocaleString(i18n.language) }),
          ...(kept === null ? {} : { undo: undo(() => restoreNodes(api, database, kept)) }),
        });
      },
      tellSaved(path, before, hashAfter) {
        onChanged();
        tell({
          kind: 'done',
          text: t('edit.done', { key: showControls(lastKeyOf(path)) }),
          undo: undo(async () => {
            const outcome = await writeNode(api, database, path, { text: before.text, hash: hashAfter });
            if (outcome.kind === 'stale') throw new ChangedMeanwhile();
          }),
        });
      },
    }),
    [api, database, attempt, undo, onChanged, t, i18n.language],
  );
}
