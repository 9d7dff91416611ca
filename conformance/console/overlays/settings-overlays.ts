import type { Overlay } from '../../drivers/console/overlay.ts';
import { button, combobox } from './openers.ts';

const PROJECT = '/projects/demo/settings';
const SIGN_IN = '/projects/demo/sign-in';
const ACTIVITY = '/projects/demo/activity';

/** Members of the project. The dialogs about one member use the second. */
export const MEMBERS = [
  { email: 'ann@example.com', role: 'owner' },
  { email: 'bob@example.com', role: 'viewer' },
] as const;

const members = { view: `${PROJECT}/members`, role: 'dialog' } as const;
const connections = { view: `${ACTIVITY}/connections?database=overlays`, role: 'dialog' } as const;
const providers = {
  view: `${SIGN_IN}/providers`,
  file: 'features/settings/sign-in/providers/provider-dialog.tsx',
  role: 'dialog',
} as const;

/** Overlays of settings and of activity. Those of connections need a connected client. */
export const SETTINGS_OVERLAYS: readonly Overlay[] = [
  {
    ...members,
    file: 'features/settings/project/add-member.tsx',
    name: 'Add member',
    opener: button('Add member'),
  },
  {
    ...members,
    file: 'features/settings/project/member-table.tsx',
    role: 'listbox',
    name: 'Role of bob@example.com',
    opener: combobox('Role of bob@example.com'),
  },
  {
    ...members,
    file: 'features/settings/project/members.tsx',
    name: 'Change the role of bob@example.com?',
    opener: combobox('Role of bob@example.com'),
    open: async (keys) => {
      await keys.press('Enter');
      await keys.choose('Owner');
    },
  },
  {
    ...members,
    file: 'features/settings/project/members.tsx',
    name: 'Remove bob@example.com from the members?',
    opener: button('Remove bob@example.com'),
  },
  ...(['New tenant', 'Change Acme', 'Delete Acme'] as const).map(
    (opener): Overlay => ({
      view: `${PROJECT}/tenants`,
      file: 'features/settings/project/tenants.tsx',
      role: 'dialog',
      name: opener === 'Delete Acme' ? 'Delete the tenant Acme?' : opener,
      opener: button(opener),
    }),
  ),
  {
    view: `${PROJECT}/databases`,
    file: 'features/settings/project/databases.tsx',
    role: 'dialog',
    name: 'New database',
    opener: button('New database'),
  },
  {
    view: `${PROJECT}/erase`,
    file: 'features/settings/project/databases.tsx',
    role: 'dialog',
    name: 'Erase all data of overlays?',
    opener: button('Erase all data: overlays'),
  },
  {
    view: `${SIGN_IN}/mail`,
    file: 'features/settings/sign-in/mail.tsx',
    role: 'listbox',
    name: 'Default language',
    opener: combobox('Default language'),
  },
  {
    view: `${SIGN_IN}/mail`,
    file: 'features/settings/sign-in/mail.tsx',
    role: 'listbox',
    name: 'Encryption',
    prepare: async (keys, page) => {
      await keys.reach(page.getByRole('radio', { name: 'Server default' }));
      await keys.press('ArrowDown');
    },
    opener: combobox('Encryption'),
  },
  ...(['Email', 'Language'] as const).map(
    (name): Overlay => ({
      view: `${SIGN_IN}/templates`,
      file: 'features/settings/sign-in/templates.tsx',
      role: 'listbox',
      name,
      opener: combobox(name),
    }),
  ),
  {
    view: `${SIGN_IN}/templates`,
    file: 'features/settings/sign-in/templates.tsx',
    role: 'listbox',
    name: 'Format',
    opener: combobox('Format'),
  },
  {
    view: `${SIGN_IN}/phone`,
    file: 'features/settings/sign-in/phone/driver.tsx',
    role: 'listbox',
    name: 'Service',
    opener: combobox('Service'),
  },
  {
    view: `${SIGN_IN}/phone`,
    file: 'features/settings/sign-in/phone/countries.tsx',
    role: 'listbox',
    name: 'Countries',
    opener: combobox('Countries'),
    open: (keys) => keys.press('ArrowDown'),
    isSuggesting: true,
  },
  {
    view: `${SIGN_IN}/text-messages`,
    file: 'features/settings/sign-in/phone/text-messages.tsx',
    role: 'listbox',
    name: 'Language',
    opener: combobox('Language'),
  },
  {
    ...providers,
    name: 'Add provider',
    opener: button('Add provider'),
  },
  {
    ...providers,
    role: 'listbox',
    name: 'Provider',
    prepare: (keys, page) => keys.enter(button('Add provider')(page)),
    opener: (page) => page.getByRole('dialog').getByRole('combobox', { name: 'Provider' }),
  },
  {
    view: `${SIGN_IN}/methods`,
    file: 'ui/dialogs.tsx',
    role: 'dialog',
    name: 'Leave without saving?',
    prepare: async (keys, page) => {
      await keys.reach(page.getByRole('switch', { name: 'Anonymous' }));
      await keys.press('Space');
      await page.getByText('1 unsaved change').waitFor();
    },
    opener: (page) =>
      page.getByRole('navigation', { name: 'Main navigation' }).first().getByRole('link', { name: 'Rules' }),
  },
  {
    ...connections,
    file: 'features/activity/activity-page.tsx',
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
  ...(['Period', 'By'] as const).map(
    (name): Overlay => ({
      view: `${ACTIVITY}/audit`,
      file: 'features/activity/audit/filters.tsx',
      role: 'listbox',
      name,
      opener: combobox(name),
    }),
  ),
  {
    view: `${ACTIVITY}/audit`,
    file: 'features/activity/audit/filters.tsx',
    role: 'listbox',
    name: 'Event',
    opener: combobox('Event'),
    open: (keys) => keys.press('ArrowDown'),
    isSuggesting: true,
  },
];
