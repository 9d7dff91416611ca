import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useProjectId, useSession } from '../session/session.ts';
import { LoadingBar } from '../ui/states.tsx';
import { type Area, useArea } from './areas.ts';
import { BottomBar } from './bottom-bar.tsx';
import { useOverlay, useShortcuts } from './commands.ts';
import { OfflineBanner, useReconnecting } from './connection.tsx';
import { NavigationDrawer } from './drawer.tsx';
import { OtherProjectPage } from './error-pages.tsx';
import { useAreaCommands, useFrameCommands } from './frame-commands.ts';
import { TopBar } from './top-bar.tsx';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const HelpSheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).HelpSheet }));
const NewProjectDialog = lazy(async () => ({
  default: (await import('./new-project-dialog.tsx')).NewProjectDialog,
}));

const OVERLAYS = { palette: CommandPalette, help: HelpSheet, 'new-project': NewProjectDialog } as const;

/** The dialogs that cover the console, loaded when they are first opened. */
function Overlays() {
  const kind = useOverlay((overlay) => overlay.kind);
  if (kind === 'none') return null;
  const Overlay = OVERLAYS[kind];
  return (
    <Suspense fallback={<LoadingBar />}>
      <Overlay />
    </Suspense>
  );
}

/** The first element in tab order; skips the bar and the navigation. */
function SkipLink() {
  const { t } = useTranslation();
  return (
    <Link
      href="#content"
      onClick={(event) => {
        // The link must not add a fragment to the address, because the view reads the address.
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
      sx={{
        position: 'absolute',
        insetInlineStart: 8,
        insetBlockStart: -100,
        zIndex: 'tooltip',
        padding: 1,
        borderRadius: 1,
        backgroundColor: 'background.paper',
        '&:focus': { insetBlockStart: 8 },
      }}
    >
      {t('skipToContent')}
    </Link>
  );
}

/** Moves the focus to the content when the user opens another area. */
function useFocusOnNavigation(project: string, area: Area): void {
  const shown = useRef(`${project}/${area}`);
  useEffect(() => {
    const next = `${project}/${area}`;
    if (shown.current === next) return;
    shown.current = next;
    const content = document.getElementById('content');
    // The view may have set the focus itself.
    if (content === null || content.contains(document.activeElement)) return;
    content.focus({ preventScroll: true });
    content.scrollTop = 0;
  }, [project, area]);
}

/** The layout of every view of a project: top bar, and navigation at the side, or at the bottom on phones. */
export function Frame() {
  const { t } = useTranslation();
  const project = useProjectId();
  const { parameters, projects } = useSession();
  useShortcuts();
  useFrameCommands();
  useAreaCommands();
  useReconnecting();
  useFocusOnNavigation(project, useArea());
  // In development mode, a project exists as soon as an address names it.
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
            {/* The key remounts the view for another project. */}
            {isOpen ? <Outlet key={project} /> : <OtherProjectPage project={project} />}
          </Suspense>
        </Box>
      </Box>
      {!isWide && <BottomBar />}
      <Overlays />
    </Box>
  );
}
