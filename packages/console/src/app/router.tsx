import type { i18n } from 'i18next';
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { projectAddress } from '../session/addresses.ts';
import { useSession } from '../session/session.ts';
import { ErrorPage } from '../shell/error-pages.tsx';
import { Frame } from '../shell/frame.tsx';
import { NotFoundPage } from '../ui/page.tsx';
import { LoadingBar } from '../ui/states.tsx';
import { VIEWS, type View } from './views.ts';

/** Redirects the address `/` to the default project or, if there is none, to the first project. */
function Start() {
  const { parameters, projects } = useSession();
  const project = parameters.defaultProject ?? projects[0]?.id;
  // This should not happen: a member signs in to a project, so `projects` is not empty, and development mode has a
  // default project.
  if (project === undefined) throw new Error('The URL contains no project.');
  return <Navigate to={projectAddress(project)} replace />;
}

/** A view whose script is loaded. */
export interface LoadedView {
  readonly view: View;
  readonly Component: ComponentType;
}

/** Creates the router. `first` is already loaded; the other views load their script and texts before they render. */
export function createConsoleRouter(
  texts: i18n,
  first: LoadedView | undefined,
): ReturnType<typeof createBrowserRouter> {
  const views = VIEWS.map((view): RouteObject => {
    const match = view.path === '' ? ({ index: true } as const) : { path: view.path };
    return view === first?.view
      ? { ...match, Component: first.Component }
      : { ...match, lazy: () => loadView(view, texts) };
  });
  return createBrowserRouter(routesTo(views), { basename: '/console' });
}

async function loadView(view: View, texts: i18n): Promise<{ readonly Component: ComponentType }> {
  const [Component] = await Promise.all([view.load(), texts.loadNamespaces(view.texts)]);
  return { Component };
}

function routesTo(views: readonly RouteObject[]): RouteObject[] {
  return [
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
              children: [...views, { path: '*', element: <NotFoundPage /> }],
            },
          ],
        },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ];
}
