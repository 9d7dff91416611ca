import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import { tellFailure } from '../../../notices/tell-failure.ts';
import { readNode, writeNode } from '../../../server/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { addNode, ChangedMeanwhile, copyNode, removeNodes, restoreNodes } from '../edit/change-nodes.ts';
import type { NodeActs } from '../edit/node-acts.ts';
import { useExplained } from '../edit/use-explained.ts';
import { printExact } from '../model/exact-json.ts';
import { joinPath, lastKeyOf } from '../model/node-path.ts';
import { pasteCells } from '../table/paste-cells.ts';

/** Changes of nodes at the server, each at once. */
export function useDirectActs(database: string, onChanged: () => void): NodeActs {
  const { t, i18n } = useTranslation('data');
  const api = useApi();
  const explain = useExplained();
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
        tellFailure(error);
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
      async paste(rows) {
        await attempt(() => pasteCells(api, database, rows));
        const count = rows.reduce((sum, { cells }) => sum + cells.size, 0);
        tell({ kind: 'done', text: t('table.pasted', { count, number: count }) });
      },
      read: (path) => readNode(api, database, path),
      write: (path, node) => writeNode(api, database, path, node),
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
