import ExpandIcon from '@mui/icons-material/ExpandMore';
import Button from '@mui/material/Button';
import { type ReactNode, useId, useState } from 'react';
import { LazyMenu } from './lazy-menu.tsx';

interface MenuButtonProps {
  /** What is chosen now. */
  readonly text: string;
  /** What the menu is for. */
  readonly label: string;
  /** Entries of the menu, which close it. */
  readonly children: (close: () => void) => ReactNode;
}

/** Shows what is chosen, and opens a menu with what else there is. */
export function MenuButton({ text, label, children }: MenuButtonProps) {
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  return (
    <>
      <Button
        color="inherit"
        size="small"
        aria-label={`${label}: ${text}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor === null ? undefined : menuId}
        endIcon={<ExpandIcon />}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minWidth: 0, maxWidth: { xs: 180, md: 280 } }}
      >
        <bdi dir="ltr" style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {text}
        </bdi>
      </Button>
      <LazyMenu id={menuId} label={label} anchor={anchor} close={close}>
        {children(close)}
      </LazyMenu>
    </>
  );
}
