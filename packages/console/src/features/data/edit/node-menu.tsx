import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';

/** Something that can be done with a node. */
export interface NodeAct {
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
  readonly groups: readonly (readonly NodeAct[])[];
  readonly at: { readonly left: number; readonly top: number };
  readonly close: () => void;
}

/** What can be done with a node, beside its line. */
export function NodeMenu({ label, groups, at, close }: NodeMenuProps) {
  const { t } = useTranslation('data');
  const filled = groups.filter((acts) => acts.length > 0);
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
      {filled.flatMap((acts, group) => [
        ...(group === 0 ? [] : [<Divider key={`line-${acts[0]?.id}`} component="li" />]),
        ...acts.map(({ id, title, keyName, isDestructive, run }) => (
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
