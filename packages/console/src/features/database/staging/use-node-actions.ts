import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readNode, writeNode } from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { showControls } from '../../../ui/text.tsx';
import { useUndo } from '../changes/use-undo.ts';
import { addNode, changesOf, copyNode, pasteCells, removeNodes } from '../edit/change-nodes.ts';
import type { NodeActions } from '../edit/node-actions.ts';
import { printExact } from '../model/leaf-value.ts';
import { joinPath, lastKeyOf } from '../model/node-path.ts';
import {
  readStaged,
  type StagingStore,
  stageChanges,
  stageChild,
  stageCopy,
  stageRemoval,
  stageText,
} from './stage-nodes.ts';
import { useExplainError, useStage } from './use-staging.ts';

/** Returns actions that stage their changes. */
function useStagedActions(stagingStore: StagingStore): NodeActions {
  const { t, i18n } = useTranslation('data');
  const explain = useExplainError();
  return useMemo(() => {
    async function attempt<T>(action: () => Promise<T>): Promise<T> {
      try {
        return await action();
      } catch (error) {
        throw explain(error);
      }
    }
    /** Shows a notice of the latest staged change, with an undo. */
    function showStaged(text: string): void {
      const made = stagingStore.list();
      notify({
        kind: 'done',
        text,
        undo: () =>
          stagingStore.undo(made)
            ? notify({ kind: 'done', text: t('undone') })
            : notify({ kind: 'failed', text: t('staged.notUndone') }),
      });
    }
    return {
      isStaged: true,
      async add(parent, key, value) {
        await attempt(() => stageChild(stagingStore, joinPath(parent, key), printExact(value, 0)));
        showStaged(t('staged.done', { path: showControls(key) }));
      },
      async move({ kind, path }, to) {
        await attempt(() => stageCopy(stagingStore, path, to, kind !== 'duplicate'));
        showStaged(t('staged.done', { path: showControls(to) }));
      },
      async remove(paths) {
        await attempt(() => stageRemoval(stagingStore, paths));
        const number = paths.length.toLocaleString(i18n.language);
        showStaged(t('staged.removed', { number }));
      },
      async paste(rows) {
        const changes = changesOf(rows);
        await attempt(() => stageChanges(stagingStore, changes));
        const number = changes.length.toLocaleString(i18n.language);
        showStaged(t('staged.pasted', { number }));
      },
      read: (path) => attempt(() => readStaged(stagingStore, path)),
      write: (path, node) => attempt(() => stageText(stagingStore, path, node)),
      showSaved: (path) => showStaged(t('staged.done', { path: showControls(lastKeyOf(path)) })),
    };
  }, [stagingStore, explain, t, i18n.language]);
}

/** Returns actions that write to the server immediately. */
function useLiveActions(database: string, onChanged: () => void): NodeActions {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const explain = useExplainError();
  const attempt = useCallback(
    async <T>(action: () => Promise<T>): Promise<T> => {
      try {
        const result = await action();
        onChanged();
        return result;
      } catch (error) {
        throw explain(error);
      }
    },
    [explain, onChanged],
  );
  const { undo } = useUndo(database, onChanged);
  return useMemo(() => {
    /** Shows the notice of a change, with its undo. */
    function showDone(text: string, change: number | null): void {
      notify({ kind: 'done', text, ...(change === null ? {} : { undo: () => undo(change) }) });
    }
    return {
      isStaged: false,
      async add(parent, key, value) {
        const path = joinPath(parent, key);
        const change = await attempt(() => addNode(api, database, path, printExact(value, 0)));
        showDone(t('add.done', { key: showControls(key) }), change);
      },
      async move({ kind, path }, to) {
        const isMove = kind !== 'duplicate';
        const change = await attempt(() => copyNode(api, database, path, to, isMove));
        showDone(t(isMove ? 'move.done' : 'move.copied', { to: showControls(to) }), change);
      },
      async remove(paths) {
        const change = await attempt(() => removeNodes(api, database, paths));
        const number = paths.length.toLocaleString(i18n.language);
        showDone(t('remove.done', { count: paths.length, number }), change);
      },
      async paste(rows) {
        const change = await attempt(() => pasteCells(api, database, rows));
        const count = rows.reduce((sum, { cells }) => sum + cells.size, 0);
        showDone(t('table.pasted', { count, number: count }), change);
      },
      read: (path) => readNode(api, database, path),
      write: (path, node) => writeNode(api, database, path, node),
      showSaved(path, change) {
        onChanged();
        showDone(t('edit.done', { key: showControls(lastKeyOf(path)) }), change);
      },
    };
  }, [api, database, attempt, undo, onChanged, t, i18n.language]);
}

/**
 * Returns actions that write immediately, or that stage. Calls `onChanged` after each written change, for views that do not
 * follow changes.
 */
export function useNodeActions(database: string, onChanged: () => void): NodeActions {
  const { isStaging, stagingStore } = useStage(database);
  const direct = useLiveActions(database, onChanged);
  const staged = useStagedActions(stagingStore);
  return isStaging ? staged : direct;
}
