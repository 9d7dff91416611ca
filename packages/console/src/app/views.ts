import type { ComponentType } from 'react';
import { firstPageAddress } from '../features/database/model/node-path.ts';
import type { Namespace } from '../language/texts.ts';

/** A view of a project, and the texts that it loads before it renders. */
export interface View {
  /** Route path below the project; empty for the project itself. */
  readonly path: string;
  readonly texts: readonly Namespace[];
  /** Loads the component. Rejects if its script cannot be loaded. */
  readonly load: () => Promise<ComponentType>;
  /**
   * Returns the address of the view's first request, if it can be known from the decoded path segments and the query
   * string.
   */
  readonly firstAddress?: (segments: readonly string[], search: string) => string | undefined;
}

/** All views; each loads when it is first opened. */
export const VIEWS: readonly View[] = [
  {
    path: '',
    texts: ['overview', 'audit'],
    load: async () => (await import('../features/overview/overview-page.tsx')).OverviewPage,
  },
  {
    path: 'data',
    texts: ['data'],
    load: async () => (await import('../features/database/choose-database.tsx')).ChooseDatabase,
  },
  {
    path: 'data/:database/*',
    texts: ['data'],
    load: async () => (await import('../features/database/data-page.tsx')).DataPage,
    firstAddress: ([, database = '', ...keys], search) => firstPageAddress(database, keys.join('/'), search),
  },
  {
    path: 'rules/:database?/:tab?/:item?',
    texts: ['rules'],
    load: async () => (await import('../features/rules/rules-page.tsx')).RulesPage,
  },
  {
    path: 'accounts/:uid?',
    texts: ['accounts', 'audit'],
    load: async () => (await import('../features/accounts/accounts-page.tsx')).AccountsPage,
  },
  {
    path: 'sign-in/:section?',
    texts: ['sign-in'],
    load: async () =>
      (await import('../features/settings/sign-in/sign-in-settings-page.tsx')).SignInSettingsPage,
  },
  {
    path: 'activity/:section?',
    texts: ['activity', 'audit'],
    load: async () => (await import('../features/activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: 'settings/:section?',
    texts: ['project'],
    load: async () => (await import('../features/settings/project/project-page.tsx')).ProjectPage,
  },
];

/** Finds the view of an address by its path segments below the project. */
export function findView(segments: readonly string[]): View | undefined {
  return VIEWS.find(({ path }) => matches(path === '' ? [] : path.split('/'), segments));
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isLongEnough = segments.length <= pattern.length || pattern.at(-1) === '*';
  return (
    isLongEnough &&
    pattern.every((part, index) => {
      if (part === '*' || part.endsWith('?')) return true;
      return part.startsWith(':') ? segments[index] !== undefined : segments[index] === part;
    })
  );
}
