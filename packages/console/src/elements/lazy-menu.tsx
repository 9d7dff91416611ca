import { lazy, type ReactNode, Suspense, useState } from 'react';

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
