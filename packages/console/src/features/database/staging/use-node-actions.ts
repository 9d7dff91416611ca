import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readNode, writeNode } from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { showControls } from '../../../ui/text.tsx';
import {
  addNode,
  ConcurrentChange,
  changesOf,
  copyNode,
  pasteCells,
  removeNodes,
  restoreNodes,
} from '../edit/change-nodes.ts';
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
    async (action: () => Promise<void>): Promise<void> => {
      try {
        await action();
        onChanged();
      } catch (error) {
        throw explain(error);
      }
    },
    [explain, onChanged],
  );
  const undo = useCallback(
    (action: () => Promise<void>) => async () => {
      try {
        await attempt(action);
        notify({ kind: 'done', text: t('undone') });
      } catch (error) {
        reportFailure(error);
      }
    },
    [attempt, t],
  );
  return useMemo(
    () => ({
      isStaged: false,
      async add(parent, key, value) {
        const path = joinPath(parent, key);
        await attempt(() => addNode(api, database, path, printExact(value, 0)));
        notify({
          kind: 'done',
          text: t('add.done', { key: showControls(key) }),
          undo: undo(async () => void (await removeNodes(api, database, [path]))),
        });
      },
      async move({ kind, path }, to) {
        const isMove = kind !== 'duplicate';
        await attempt(() => copyNode(api, database, path, to, isMove));
        notify({
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
        notify({
          kind: 'done',
          text: t('remove.done', { count: paths.length, number: paths.length.toLocaleString(i18n.language) }),
          ...(kept === null ? {} : { undo: undo(() => restoreNodes(api, database, kept)) }),
        });
      },
      async paste(rows) {
        await attempt(() => pasteCells(api, database, rows));
        const count = rows.reduce((sum, { cells }) => sum + cells.size, 0);
        notify({ kind: 'done', text: t('table.pasted', { count, number: count }) });
      },
      read: (path) => readNode(api, database, path),
      write: (path, node) => writeNode(api, database, path, node),
      showSaved(path, before, hashAfter) {
        onChanged();
        notify({
          kind: 'done',
          text: t('edit.done', { key: showControls(lastKeyOf(path)) }),
          undo: undo(async () => {
            const outcome = await writeNode(api, database, path, { text: before.text, hash: hashAfter });
            if (outcome.kind === 'stale') throw new ConcurrentChange();
          }),
        });
      },
    }),
    [api, database, attempt, undo, onChanged, t, i18n.language],
  );
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
