import HelpIcon from '@mui/icons-material/HelpOutlineOutlined';
import MenuIcon from '@mui/icons-material/Menu';
import SearchIcon from '@mui/icons-material/Search';
import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Toolbar from '@mui/material/Toolbar';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { projectAddress } from '../session/addresses.ts';
import { useProjectId } from '../session/session.ts';
import { DeferredRender } from '../ui/deferred-render.tsx';
import { Hint } from '../ui/tooltip.tsx';
import { changePreferences, usePreferences } from '../ui/use-preferences.ts';
import { AccountButton, PreferencesButton } from './bar-buttons.tsx';
import { Brand } from './brand.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { openOverlay } from './commands.ts';
import { FRAME_KEYS } from './frame-commands.ts';

/** The bar above every view of a project: the brand, breadcrumbs and global actions. */
export function TopBar() {
  const { t } = useTranslation();
  const project = useProjectId();
  const isDrawerOpen = usePreferences((preferences) => preferences.isDrawerOpen);
  return (
    <AppBar position="static" sx={{ borderBlockEnd: 1, borderColor: 'divider' }}>
      <Toolbar variant="dense" sx={{ gap: { xs: 0, sm: 0.5 }, minHeight: 'max(48px, calc(1.5rem + 16px))' }}>
        <DeferredRender>
          <Hint title={t('commands.drawer')} keys={FRAME_KEYS.drawer}>
            <IconButton
              edge="start"
              aria-label={t('toggleNavigation')}
              aria-expanded={isDrawerOpen}
              onClick={() => changePreferences({ isDrawerOpen: !isDrawerOpen })}
              sx={{ display: { xs: 'none', md: 'inline-flex' } }}
            >
              <MenuIcon />
            </IconButton>
          </Hint>
          <Link
            component={RouterLink}
            to={projectAddress(project)}
            aria-label="Hearth"
            color="textPrimary"
            underline="none"
            sx={{ display: 'inline-flex', flexShrink: 0, marginInline: { xs: 0, md: 1 } }}
          >
            <Brand nameFrom="md" />
          </Link>
          <Breadcrumbs />
          <Box sx={{ flex: 1 }} />
          <Hint title={t('commands.palette')} keys={FRAME_KEYS.palette}>
            <IconButton
              color="inherit"
              aria-label={t('commands.palette')}
              onClick={() => openOverlay('palette')}
            >
              <SearchIcon />
            </IconButton>
          </Hint>
          <Hint title={t('commands.help')} keys={FRAME_KEYS.help}>
            <IconButton
              color="inherit"
              aria-label={t('commands.help')}
              onClick={() => openOverlay('help')}
              sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
            >
              <HelpIcon />
            </IconButton>
          </Hint>
          <PreferencesButton />
          <AccountButton />
        </DeferredRender>
      </Toolbar>
    </AppBar>
  );
}
