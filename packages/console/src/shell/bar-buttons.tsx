import AccountIcon from '@mui/icons-material/AccountCircleOutlined';
import PreferencesIcon from '@mui/icons-material/TuneOutlined';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights, useSession } from '../session/session.ts';
import { LazyMenu } from '../ui/menu.tsx';
import { Hint } from '../ui/tooltip.tsx';

/** Loaded when the panel is first opened, because its components would delay the first view. */
const PreferencesPanel = lazy(async () => ({
  default: (await import('./preferences-panel.tsx')).PreferencesPanel,
}));

/** A button that opens the preferences. */
export function PreferencesButton() {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isWanted, setIsWanted] = useState(false);
  if (anchor !== null && !isWanted) setIsWanted(true);
  return (
    <>
      <Hint title={t('preferences.title')}>
        <IconButton
          color="inherit"
          aria-label={t('preferences.title')}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <PreferencesIcon />
        </IconButton>
      </Hint>
      {isWanted && (
        <Suspense fallback={null}>
          <PreferencesPanel anchor={anchor} close={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}

/**
 * A button for a menu with the member's name and role, and the sign-out. Hidden in development mode, where members do not
 * sign in.
 */
export function AccountButton() {
  const { t } = useTranslation();
  const { user, signOut } = useSession();
  const { role } = useRights();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (user === null || signOut === null) return null;
  const name = user.email ?? user.name ?? user.uid;
  const label = t('account.label', { name });
  return (
    <>
      <Hint title={label}>
        <IconButton
          color="inherit"
          edge="end"
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <AccountIcon />
        </IconButton>
      </Hint>
      <LazyMenu label={label} anchor={anchor} close={() => setAnchor(null)}>
        <Typography component="li" role="none" sx={{ paddingInline: 2, paddingBlock: 1, maxWidth: 320 }}>
          <bdi dir="ltr">{name}</bdi>
          <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
            {t(`roles.${role}`)}
          </Typography>
        </Typography>
        <MenuItem
          onClick={() => {
            // If the user cancels the unload dialog, the page stays, so close the menu first.
            setAnchor(null);
            void signOut();
          }}
        >
          {t('account.signOut')}
        </MenuItem>
      </LazyMenu>
    </>
  );
}
