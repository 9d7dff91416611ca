import MoreIcon from '@mui/icons-material/MoreVert';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../../commands/commands.ts';
import { Hint } from '../../elements/hint.tsx';
import { LazyMenu } from '../../elements/lazy-menu.tsx';

interface MoreActionsProps {
  readonly commands: readonly Command[];
}

/** What else can be done with a page. */
export function MoreActions({ commands }: MoreActionsProps) {
  const { t } = useTranslation();
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Hint title={t('more')}>
        <IconButton
          aria-label={t('more')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-controls={anchor === null ? undefined : menuId}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <MoreIcon />
        </IconButton>
      </Hint>
      <LazyMenu id={menuId} label={t('more')} anchor={anchor} close={() => setAnchor(null)}>
        {commands.map(({ id, title, run }) => (
          <MenuItem
            key={id}
            onClick={() => {
              setAnchor(null);
              run();
            }}
          >
            {title}
          </MenuItem>
        ))}
      </LazyMenu>
    </>
  );
}
