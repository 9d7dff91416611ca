import type { Overlay } from '../../drivers/console/overlay.ts';
import { button } from './openers.ts';

const OVERVIEW = '/projects/demo';
/** Finds the link to the second area. */
const AREA_LINK = (page: Parameters<Overlay['opener']>[0]) =>
  page.getByRole('navigation', { name: 'Main navigation' }).first().getByRole('link').nth(1);

/** Overlays that every view has. */
export const SHELL_OVERLAYS: readonly Overlay[] = [
  {
    view: OVERVIEW,
    file: 'shell/command-palette.tsx',
    role: 'dialog',
    name: 'Search and commands',
    opener: AREA_LINK,
    open: (keys) => keys.press('ControlOrMeta+k'),
  },
  {
    view: OVERVIEW,
    file: 'shell/help-sheet.tsx',
    role: 'dialog',
    name: 'Keyboard shortcuts',
    opener: AREA_LINK,
    open: (keys) => keys.press('?'),
  },
  {
    view: OVERVIEW,
    file: 'shell/breadcrumbs.tsx',
    role: 'menu',
    name: 'Project',
    opener: button('Project: demo'),
  },
  {
    view: OVERVIEW,
    file: 'shell/new-project-dialog.tsx',
    role: 'dialog',
    name: 'New project…',
    opener: button('Project: demo'),
    open: async (keys) => {
      await keys.press('Enter');
      await keys.choose('New project…');
    },
  },
  {
    view: OVERVIEW,
    file: 'shell/preferences-panel.tsx',
    role: 'dialog',
    name: 'Appearance and language',
    opener: button('Appearance and language'),
  },
  {
    view: '/projects/demo/data/overlays',
    file: 'shell/breadcrumbs.tsx',
    role: 'menu',
    name: 'Database',
    opener: button('Database: overlays'),
  },
  {
    view: OVERVIEW,
    file: 'shell/bottom-bar.tsx',
    role: 'menu',
    name: 'More',
    prepare: (_keys, page) => page.setViewportSize({ width: 390, height: 844 }),
    opener: button('More'),
  },
];

/** Overlays of a project whose members sign in. */
export const MEMBER_OVERLAYS: readonly Overlay[] = [
  {
    view: '/projects/hats/settings/keys',
    file: 'shell/bar-buttons.tsx',
    role: 'menu',
    name: /^Account:/,
    opener: button(/^Account:/),
  },
  {
    view: '/projects/hats/settings/keys',
    file: 'features/settings/project/keys.tsx',
    role: 'dialog',
    name: 'Create an API key?',
    opener: button('New key'),
  },
  {
    view: '/projects/hats/settings/keys',
    file: 'features/settings/project/keys.tsx',
    role: 'dialog',
    name: 'Remove this API key?',
    opener: (page) => page.getByRole('button', { name: /^Remove key/ }).first(),
  },
  {
    view: '/projects/hats/settings/service-accounts',
    file: 'features/settings/project/service-accounts.tsx',
    role: 'dialog',
    name: 'Create a service account key?',
    opener: button('New key'),
  },
  {
    view: '/projects/hats/settings/service-accounts',
    file: 'features/settings/project/roles-dialog.tsx',
    role: 'dialog',
    name: 'Roles of admin',
    opener: (page) => page.getByRole('button', { name: 'Roles of admin' }).first(),
  },
  {
    view: '/projects/hats/settings/service-accounts',
    file: 'features/settings/project/service-accounts.tsx',
    role: 'dialog',
    name: 'Remove this key?',
    opener: (page) => page.getByRole('button', { name: /^Remove key/ }).first(),
  },
];
