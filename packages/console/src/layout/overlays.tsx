import { lazy, Suspense } from 'react';
import { useOverlay } from '../commands/overlay.ts';
import { LoadingBar } from '../elements/loading-bar.tsx';

const CommandPalette = lazy(async () => ({
  default: (await import('../commands/command-palette.tsx')).CommandPalette,
}));
const HelpSheet = lazy(async () => ({ default: (await import('../commands/help-sheet.tsx')).HelpSheet }));
const NewProjectDialog = lazy(async () => ({
  default: (await import('./new-project-dialog.tsx')).NewProjectDialog,
}));

const OVERLAYS = { palette: CommandPalette, help: HelpSheet, 'new-project': NewProjectDialog } as const;

/** What stands over the whole console, loaded when it is first opened. */
export function Overlays() {
  const kind = useOverlay((overlay) => overlay.kind);
  if (kind === 'none') return null;
  const Overlay = OVERLAYS[kind];
  return (
    <Suspense fallback={<LoadingBar />}>
      <Overlay />
    </Suspense>
  );
}
