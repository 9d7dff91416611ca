import type { Overlay } from '../../drivers/overlay.ts';
import { button } from './openers.ts';

const OVERVIEW = '/projects/demo';
const AREA_LINK = (page: Parameters<Overlay['opener']>[0]) =>
  page.getByRole('navigation', { name: 'Areas of the project' }).first().getByRole('link').nth(1);

/** Those that are there in every view. */
export const SHELL_OVERLAYS: readonly Overlay[] = [
  {
    view: OVERVIEW,
    file: 'commands/command-palette.tsx',
    role: 'dialog',
    name: 'Search and commands',
    opener: AREA_LINK,
    open: (keys) => keys.press('ControlOrMeta+k'),
  },
  {
    view: OVERVIEW,
    file: 'commands/help-sheet.tsx',
    role: 'dialog',
    name: 'Keys and commands',
    opener: AREA_LINK,
    open: (keys) => keys.press('?'),
  },
  {
    view: OVERVIEW,
    file: 'layout/project-switcher.tsx',
    role: 'menu',
    name: 'Project',
    opener: button('Project: demo'),
  },
  {
    view: OVERVIEW,
    file: 'layout/new-project-dialog.tsx',
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
    file: 'preferences/preferences-panel.tsx',
    role: 'dialog',
    name: 'Appearance and language',
    opener: button('Appearance and language'),
  },
  {
    view: '/projects/demo/data/overlays',
    file: 'layout/database-switcher.tsx',
    role: 'menu',
    name: 'Database',
    opener: button('Database: overlays'),
  },
  {
    view: OVERVIEW,
    file: 'layout/bottom-bar.tsx',
    role: 'menu',
    name: 'More',
    prepare: (_keys, page) => page.setViewportSize({ width: 390, height: 844 }),
    opener: button('More'),
  },
];

/** Those of a project whose members sign in. */
export const MEMBER_OVERLAYS: readonly Overlay[] = [
  {
    view: '/projects/hats/settings/keys',
    file: 'layout/account-button.tsx',
    role: 'menu',
    name: /^Account:/,
    opener: button(/^Account:/),
  },
  {
    view: '/projects/hats/settings/keys',
    file: 'features/project/keys-section.tsx',
    role: 'dialog',
    name: 'Make a new API key?',
    opener: button('New key'),
  },
  {
    view: '/projects/hats/settings/keys',
    file: 'features/project/keys-section.tsx',
    role: 'dialog',
    name: 'Remove this API key?',
    opener: (page) => page.getByRole('button', { name: /^Remove the key/ }).first(),
  },
  {
    view: '/projects/hats/settings/service-accounts',
    file: 'features/project/service-accounts-section.tsx',
    role: 'dialog',
    name: 'Make a key for a service account?',
    opener: button('New key'),
  },
  {
    view: '/projects/hats/settings/service-accounts',
    file: 'features/project/service-accounts-section.tsx',
    role: 'dialog',
    name: 'Remove this key?',
    opener: (page) => page.getByRole('button', { name: /^Remove the key/ }).first(),
  },
];
