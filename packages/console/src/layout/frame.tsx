import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useShortcuts } from '../commands/use-shortcuts.ts';
import { LoadingBar } from '../elements/loading-bar.tsx';
import { useProjectId, useSession } from '../session/session.ts';
import { BottomBar } from './bottom-bar.tsx';
import { NavigationDrawer } from './navigation-drawer.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { OtherProjectPage } from './other-project-page.tsx';
import { Overlays } from './overlays.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useArea } from './use-area.ts';
import { useAreaCommands } from './use-area-commands.ts';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { useFrameCommands } from './use-frame-commands.ts';
import { useReconnecting } from './use-reconnecting.ts';

/** What stands around every view of a project: a bar above, the areas beside it, or below it on phones. */
export function Frame() {
  const { t } = useTranslation();
  const project = useProjectId();
  const { parameters, projects } = useSession();
  useShortcuts();
  useFrameCommands();
  useAreaCommands();
  useReconnecting();
  useFocusOnNavigation(project, useArea());
  // In development a project is there as soon as somebody names it.
  const isOpen = parameters.mode === 'development' || projects.some(({ id }) => id === project);
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true });
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh' }}>
      <SkipLink />
      <TopBar />
      <OfflineBanner />
      <Box sx={{ display: 'flex', flex: 1, minHeight: 0 }}>
        {isWide && <NavigationDrawer />}
        <Box
          component="main"
          id="content"
          tabIndex={-1}
          aria-label={t('content')}
          sx={{
            flex: 1,
            minWidth: 0,
            overflow: 'auto',
            display: 'flex',
            flexDirection: 'column',
            outline: 'none',
          }}
        >
          <Suspense fallback={<LoadingBar />}>
            {/* Nothing of one project stays on the screen of another. */}
            {isOpen ? <Outlet key={project} /> : <OtherProjectPage project={project} />}
          </Suspense>
        </Box>
      </Box>
      {!isWide && <BottomBar />}
      <Overlays />
    </Box>
  );
}
