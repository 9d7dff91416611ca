import ExpandIcon from '@mui/icons-material/ExpandMore';
import Button from '@mui/material/Button';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';

/** Loaded on demand: the first view shows no menu. */
const Menu = lazy(() => import('@mui/material/Menu'));

interface LazyMenuProps {
  /** Accessible name of the menu. */
  readonly label: string;
  /** ID of the list, for `aria-controls` of the button. */
  readonly id?: string;
  /** Anchor element while the menu is open; otherwise `null`. */
  readonly anchor: HTMLElement | null;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A menu that loads when it is first opened. */
export function LazyMenu({ label, id, anchor, close, children }: LazyMenuProps) {
  const [isWanted, setIsWanted] = useState(false);
  if (anchor !== null && !isWanted) setIsWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense fallback={null}>
      <Menu
        {...(id === undefined ? {} : { id })}
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        slotProps={{
          list: { 'aria-label': label },
          paper: { component: 'nav', 'aria-label': label, sx: { maxHeight: 420, minWidth: 200 } },
        }}
      >
        {children}
      </Menu>
    </Suspense>
  );
}

interface MenuButtonProps {
  /** The current choice. */
  readonly text: string;
  /** Accessible name of the menu. */
  readonly label: string;
  /** Renders the items of the menu; each calls `close`. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that shows the current choice and opens a menu with all choices. */
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
