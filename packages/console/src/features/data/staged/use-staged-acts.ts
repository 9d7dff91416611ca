import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { tell } from '../../../notices/notices.ts';
import type { NodeActs } from '../edit/node-acts.ts';
import { useExplained } from '../edit/use-explained.ts';
import { printExact } from '../model/exact-json.ts';
import { joinPath, lastKeyOf } from '../model/node-path.ts';
import { changesOf } from '../table/paste-cells.ts';
import {
  readStaged,
  type StageDesk,
  stageChanges,
  stageChild,
  stageCopy,
  stageRemoval,
  stageText,
} from './stage-nodes.ts';

/** Changes of nodes that are staged, to be applied together. */
export function useStagedActs(desk: StageDesk): NodeActs {
  const { t, i18n } = useTranslation('data');
  const explain = useExplained();
  return useMemo(() => {
    async function attempt<T>(act: () => Promise<T>): Promise<T> {
      try {
        return await act();
      } catch (error) {
        throw explain(error);
      }
    }
    /** Tells of what was just staged. */
    function tellStaged(text: string): void {
      const made = desk.list();
      tell({
        kind: 'done',
        text,
        undo: () =>
          desk.takeBack(made)
            ? tell({ kind: 'done', text: t('undone') })
            : tell({ kind: 'failed', text: t('staged.notUndone') }),
      });
    }
    return {
      isStaged: true,
      async add(parent, key, value) {
        await attempt(() => stageChild(desk, joinPath(parent, key), printExact(value, 0)));
        tellStaged(t('staged.done', { path: showControls(key) }));
      },
      async move({ kind, path }, to) {
        await attempt(() => stageCopy(desk, path, to, kind !== 'duplicate'));
        tellStaged(t('staged.done', { path: showControls(to) }));
      },
      async remove(paths) {
        await attempt(() => stageRemoval(desk, paths));
        const number = paths.length.toLocaleString(i18n.language);
        tellStaged(t('staged.removed', { number }));
      },
      async paste(rows) {
        const changes = changesOf(rows);
        await attempt(() => stageChanges(desk, changes));
        const number = changes.length.toLocaleString(i18n.language);
        tellStaged(t('staged.pasted', { number }));
      },
      read: (path) => attempt(() => readStaged(desk, path)),
      write: (path, node) => attempt(() => stageText(desk, path, node)),
      tellSaved: (path) => tellStaged(t('staged.done', { path: showControls(lastKeyOf(path)) })),
    };
  }, [desk, explain, t, i18n.language]);
}
