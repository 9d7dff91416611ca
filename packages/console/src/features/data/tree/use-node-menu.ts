import { useTranslation } from 'react-i18next';
import { tell } from '../../../notices/notices.ts';
import { useActing } from '../act-as/acting.ts';
import type { NodeAct } from '../edit/node-menu.tsx';
import type { NodePath } from '../model/node-path.ts';
import type { NodeRow } from './tree-rows.ts';

interface NodeMenuActs {
  readonly enter: (path: NodePath) => void;
  readonly showJson: (path: NodePath) => void;
  readonly edit: (row: NodeRow) => void;
  readonly add: (path: NodePath) => void;
  readonly move: (kind: 'rename' | 'move' | 'duplicate', path: NodePath) => void;
  readonly remove: (path: NodePath) => void;
  /** Gives up what is staged for the node; absent where nothing is. */
  readonly dropStaged?: (() => void) | undefined;
}

/** What can be done with the node of a line, in groups. */
export function useNodeMenu(
  mayChange: boolean,
): (row: NodeRow, acts: NodeMenuActs) => readonly (readonly NodeAct[])[] {
  const { t } = useTranslation('data');
  const { explain } = useActing();
  const copy = (text: string) => () =>
    void navigator.clipboard.writeText(text).then(
      () => tell({ kind: 'done', text: t('menu.copied') }),
      () => tell({ kind: 'failed', text: t('menu.notCopied') }),
    );
  return (row, { enter, showJson, edit, add, move, remove, dropStaged }) => {
    const { path, node } = row;
    const looking: readonly NodeAct[] = [
      ...(node.kind === 'object' ? [{ id: 'enter', title: t('menu.enter'), run: () => enter(path) }] : []),
      { id: 'json', title: t('menu.json'), run: () => showJson(path) },
      { id: 'copyPath', title: t('path.copy'), run: copy(path) },
      ...(node.isRefused === true
        ? [{ id: 'why', title: t('actAs.whyRefused'), run: () => explain({ operation: 'read', path }) }]
        : []),
      ...(node.kind === 'object' || node.isRefused === true
        ? []
        : [{ id: 'copyValue', title: t('menu.copyValue'), run: copy(String(node.value)) }]),
    ];
    const giving =
      dropStaged === undefined ? [] : [{ id: 'dropStaged', title: t('staged.dropOne'), run: dropStaged }];
    if (!mayChange) return [looking, giving];
    const changing: readonly NodeAct[] = [
      node.kind === 'object'
        ? { id: 'add', title: t('add.title'), run: () => add(path) }
        : { id: 'edit', title: t('edit.title'), keyName: 'F2', run: () => edit(row) },
      { id: 'rename', title: t('move.rename'), run: () => move('rename', path) },
      { id: 'move', title: t('move.move'), run: () => move('move', path) },
      { id: 'duplicate', title: t('move.duplicate'), run: () => move('duplicate', path) },
    ];
    const removing: NodeAct = {
      id: 'remove',
      title: t('remove.menu'),
      keyName: t('keys.delete'),
      isDestructive: true,
      run: () => remove(path),
    };
    return [looking, changing, giving, [removing]];
  };
}
