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
import type { NodeRow } from './rows.ts';

/** Something that can be done with a node. */
export interface NodeAction {
  readonly id: string;
  readonly title: string;
  /** The key that does the same in the tree. */
  readonly keyName?: string;
  readonly isDestructive?: boolean;
  run(): void;
}

interface NodeMenuProps {
  readonly label: string;
  /** Groups of acts, with a line between them. */
  readonly groups: readonly (readonly NodeAction[])[];
  readonly at: { readonly left: number; readonly top: number };
  readonly close: () => void;
}

/** What can be done with a node, beside its line. */
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
              // The keyboard is back in the tree before it is taken elsewhere.
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
): (row: NodeRow, actions: NodeMenuActions) => readonly (readonly NodeAction[])[] {
  const { t } = useTranslation('data');
  const { explain } = useImpersonation();
  const copy = (text: string) => () =>
    void navigator.clipboard.writeText(text).then(
      () => notify({ kind: 'done', text: t('menu.copied') }),
      () => notify({ kind: 'failed', text: t('menu.notCopied') }),
    );
  return (row, { enter, showJson, edit, add, move, remove, dropStaged }) => {
    const { path, node } = row;
    const viewing: readonly NodeAction[] = [
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
    if (!mayChange) return [viewing, giving];
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
    return [viewing, changing, giving, [removing]];
  };
}
