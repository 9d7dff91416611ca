import type { Overlay } from '../../drivers/overlay.ts';
import { button, combobox } from './openers.ts';

const PROJECT = '/projects/demo/settings';
const SIGN_IN = '/projects/demo/sign-in';
const ACTIVITY = '/projects/demo/activity';

/** Of whom the second is to be given another role, and to be removed. */
export const MEMBERS = [
  { email: 'ann@example.com', role: 'owner' },
  { email: 'bob@example.com', role: 'viewer' },
] as const;

const members = { view: `${PROJECT}/members`, role: 'dialog' } as const;
const connections = { view: `${ACTIVITY}/connections?database=overlays`, role: 'dialog' } as const;

/** Those of the areas of settings and of activity, where a client is connected. */
export const SETTINGS_OVERLAYS: readonly Overlay[] = [
  {
    ...members,
    file: 'features/project/add-member-dialog.tsx',
    name: 'Add member',
    opener: button('Add member'),
  },
  {
    ...members,
    file: 'features/project/member-table.tsx',
    role: 'listbox',
    name: 'Role of bob@example.com',
    opener: combobox('Role of bob@example.com'),
  },
  {
    ...members,
    file: 'features/project/members-section.tsx',
    name: 'Change the role of bob@example.com?',
    opener: combobox('Role of bob@example.com'),
    open: async (keys) => {
      await keys.press('Enter');
      await keys.choose('Owner');
    },
  },
  {
    ...members,
    file: 'features/project/members-section.tsx',
    name: 'Remove bob@example.com from the members?',
    opener: button('Remove bob@example.com'),
  },
  {
    view: `${PROJECT}/databases`,
    file: 'features/project/databases-section.tsx',
    role: 'dialog',
    name: 'New database',
    opener: button('New database'),
  },
  {
    view: `${PROJECT}/erase`,
    file: 'features/project/erase-section.tsx',
    role: 'dialog',
    name: 'Erase all data of overlays?',
    opener: button('Erase all data: overlays'),
  },
  {
    view: `${SIGN_IN}/mail`,
    file: 'features/sign-in/mail-sender-card.tsx',
    role: 'listbox',
    name: 'Usual language',
    opener: combobox('Usual language'),
  },
  {
    view: `${SIGN_IN}/mail`,
    file: 'features/sign-in/smtp-form.tsx',
    role: 'listbox',
    name: 'Encryption',
    prepare: async (keys, page) => {
      await keys.reach(page.getByRole('radio', { name: 'The mail server of this Hearth' }));
      await keys.press('ArrowDown');
    },
    opener: combobox('Encryption'),
  },
  ...(['Mail', 'Language'] as const).map(
    (name): Overlay => ({
      view: `${SIGN_IN}/templates`,
      file: 'features/sign-in/templates-section.tsx',
      role: 'listbox',
      name,
      opener: combobox(name),
    }),
  ),
  {
    view: `${SIGN_IN}/templates`,
    file: 'features/sign-in/words-form.tsx',
    role: 'listbox',
    name: 'Content',
    opener: combobox('Content'),
  },
  {
    view: `${SIGN_IN}/methods`,
    file: 'elements/unsaved-guard.tsx',
    role: 'dialog',
    name: 'Leave without saving?',
    prepare: async (keys, page) => {
      await keys.reach(page.getByRole('switch', { name: 'Anonymous' }));
      await keys.press('Space');
      await page.getByText('1 change is not saved').waitFor();
    },
    opener: (page) =>
      page
        .getByRole('navigation', { name: 'Areas of the project' })
        .first()
        .getByRole('link', { name: 'Rules' }),
  },
  {
    ...connections,
    file: 'features/activity/database-chooser.tsx',
    role: 'listbox',
    name: 'Database',
    opener: (page) => page.getByRole('main').getByRole('combobox', { name: 'Database' }),
  },
  {
    ...connections,
    file: 'features/activity/connection-dialog.tsx',
    name: /^Connection \d+$/,
    opener: button(/^Details:/),
  },
  {
    ...connections,
    file: 'features/activity/connection-dialog.tsx',
    name: /^End connection \d+\?$/,
    prepare: (keys, page) => keys.enter(button(/^Details:/)(page)),
    opener: (page) => page.getByRole('dialog').getByRole('button', { name: 'End connection' }),
  },
  {
    view: `${ACTIVITY}/audit`,
    file: 'features/activity/audit-filters.tsx',
    role: 'listbox',
    name: 'Event',
    opener: combobox('Event'),
    open: (keys) => keys.press('ArrowDown'),
    isSuggesting: true,
  },
];
