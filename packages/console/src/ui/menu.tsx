import ExpandIcon from '@mui/icons-material/ExpandMore';
import Button from '@mui/material/Button';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';

/** Menus are opened by hand: the first view does without. */
const Menu = lazy(() => import('@mui/material/Menu'));

interface LazyMenuProps {
  /** What the menu is for. */
  readonly label: string;
  /** Of the list, for the button that opens it. */
  readonly id?: string;
  /** What it stands at while it is open; `null` while it is not. */
  readonly anchor: HTMLElement | null;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A menu that is loaded when it is first opened. */
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
