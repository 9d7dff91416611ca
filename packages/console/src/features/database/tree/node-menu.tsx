import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../ui/notices.tsx';
import { useImpersonation } from '../impersonation/model.ts';
import type { NodePath } from '../model/node-path.ts';
import { dropPaths } from '../staging/store.ts';
import type { Stage } from '../staging/use-staging.ts';
import type { NodeRow } from './rows.ts';

/** An entry of the node menu. */
export interface NodeAction {
  readonly id: string;
  readonly title: string;
  /** Name of the key for the same action in the tree. */
  readonly keyName?: string;
  readonly isDestructive?: boolean;
  run(): void;
}

interface NodeMenuProps {
  readonly label: string;
  /** Groups of actions, separated by dividers. */
  readonly groups: readonly (readonly NodeAction[])[];
  readonly at: { readonly left: number; readonly top: number };
  readonly close: () => void;
}

/** The menu of a node, next to its row. */
export function NodeMenu({ label, groups, at, close }: NodeMenuProps) {
  const { t } = useTranslation('data');
  const filled = groups.filter((actions) => actions.length > 0);
  return (
    <Menu
      open
      onClose={close}
      anchorReference="anchorPosition"
      anchorPosition={at}
      slotProps={{
        paper: { role: 'region', 'aria-label': label },
        list: { 'aria-label': `${t('menu.title')} ${label}`, dense: true },
      }}
    >
      {filled.flatMap((actions, group) => [
        ...(group === 0 ? [] : [<Divider key={`line-${actions[0]?.id}`} component="li" />]),
        ...actions.map(({ id, title, keyName, isDestructive, run }) => (
          <MenuItem
            key={id}
            onClick={() => {
              // Closing returns the focus to the tree before the action may move it elsewhere.
              flushSync(close);
              run();
            }}
          >
            <ListItemText sx={{ color: isDestructive === true ? 'error.main' : undefined }}>
              {title}
            </ListItemText>
            {keyName !== undefined && (
              <Typography variant="body2" color="textSecondary" sx={{ marginInlineStart: 3 }}>
                <kbd>{keyName}</kbd>
              </Typography>
            )}
          </MenuItem>
        )),
      ])}
    </Menu>
  );
}

interface NodeMenuActions {
  readonly enter: (path: NodePath) => void;
  readonly showJson: (path: NodePath) => void;
  readonly showLastWrite: (path: NodePath) => void;
  readonly edit: (row: NodeRow) => void;
  readonly add: (path: NodePath) => void;
  readonly move: (kind: 'rename' | 'move' | 'duplicate', path: NodePath) => void;
  readonly remove: (path: NodePath) => void;
}

/** Returns a function that returns the menu entries of a row, in groups. */
export function useNodeMenu(
  mayChange: boolean,
  { list, stagingStore }: Stage,
): (row: NodeRow, actions: NodeMenuActions) => readonly (readonly NodeAction[])[] {
  const { t } = useTranslation('data');
  const { explain } = useImpersonation();
  const copy = (text: string) => () =>
    void navigator.clipboard.writeText(text).then(
      () => notify({ kind: 'done', text: t('menu.copied') }),
      () => notify({ kind: 'failed', text: t('menu.notCopied') }),
    );
  return (row, { enter, showJson, showLastWrite, edit, add, move, remove }) => {
    const { path, node } = row;
    const viewing: readonly NodeAction[] = [
      ...(node.kind === 'object' ? [{ id: 'enter', title: t('menu.enter'), run: () => enter(path) }] : []),
      { id: 'json', title: t('menu.json'), run: () => showJson(path) },
      { id: 'lastWrite', title: t('lastWrite.menu'), run: () => showLastWrite(path) },
      { id: 'copyPath', title: t('path.copy'), run: copy(path) },
      ...(node.isDenied === true
        ? [{ id: 'why', title: t('actAs.whyDenied'), run: () => explain({ operation: 'read', path }) }]
        : []),
      ...(node.kind === 'object' || node.isDenied === true
        ? []
        : [{ id: 'copyValue', title: t('menu.copyValue'), run: copy(String(node.value)) }]),
    ];
    const isStaged = list.some((edit) => edit.path === path);
    const dropStaged = () => stagingStore.put(dropPaths(list, new Set([path])));
    const unstaging = isStaged ? [{ id: 'dropStaged', title: t('staged.dropOne'), run: dropStaged }] : [];
    if (!mayChange) return [viewing, unstaging];
    const changing: readonly NodeAction[] = [
      node.kind === 'object'
        ? { id: 'add', title: t('add.title'), run: () => add(path) }
        : { id: 'edit', title: t('edit.title'), keyName: 'F2', run: () => edit(row) },
      { id: 'rename', title: t('move.rename'), run: () => move('rename', path) },
      { id: 'move', title: t('move.move'), run: () => move('move', path) },
      { id: 'duplicate', title: t('move.duplicate'), run: () => move('duplicate', path) },
    ];
    const removing: NodeAction = {
      id: 'remove',
      title: t('remove.menu'),
      keyName: t('keys.delete'),
      isDestructive: true,
      run: () => remove(path),
    };
    return [viewing, changing, unstaging, [removing]];
  };
}
