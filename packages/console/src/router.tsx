import { createBrowserRouter, type RouteObject } from 'react-router';
import { LoadingBar } from './elements/loading-bar.tsx';
import { NotFoundPage } from './elements/not-found-page.tsx';
import { Start } from './features/start/start.tsx';
import { ErrorPage } from './layout/error-page.tsx';
import { Frame } from './layout/frame.tsx';

/** Every view, each loaded when it is first asked for. */
const PROJECT_ROUTES: readonly RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./features/overview/overview-page.tsx')).OverviewPage }),
  },
  {
    path: 'data',
    lazy: async () => ({ Component: (await import('./features/data/choose-database.tsx')).ChooseDatabase }),
  },
  {
    path: 'data/:database/*',
    lazy: async () => ({ Component: (await import('./features/data/data-page.tsx')).DataPage }),
  },
  {
    path: 'rules/:database?/:tab?/:item?',
    lazy: async () => ({ Component: (await import('./features/rules/rules-page.tsx')).RulesPage }),
  },
  {
    path: 'accounts/:uid?',
    lazy: async () => ({ Component: (await import('./features/accounts/accounts-page.tsx')).AccountsPage }),
  },
  {
    path: 'sign-in/:section?',
    lazy: async () => ({
      Component: (await import('./features/sign-in/sign-in-settings-page.tsx')).SignInSettingsPage,
    }),
  },
  {
    path: 'activity/:section?',
    lazy: async () => ({ Component: (await import('./features/activity/activity-page.tsx')).ActivityPage }),
  },
  {
    path: 'settings/:section?',
    lazy: async () => ({ Component: (await import('./features/project/project-page.tsx')).ProjectPage }),
  },
];

const ROUTES: RouteObject[] = [
  {
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <LoadingBar />,
    children: [
      { path: '/', element: <Start /> },
      {
        path: '/projects/:project',
        element: <Frame />,
        children: [
          {
            errorElement: <ErrorPage />,
            children: [...PROJECT_ROUTES, { path: '*', element: <NotFoundPage /> }],
          },
        ],
      },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

export function createConsoleRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter(ROUTES, { basename: '/console' });
}
