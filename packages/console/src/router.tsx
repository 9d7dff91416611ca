import type { i18n } from 'i18next';
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { LoadingBar } from './elements/loading-bar.tsx';
import { NotFoundPage } from './elements/not-found-page.tsx';
import { Start } from './features/start/start.tsx';
import { ErrorPage } from './layout/error-page.tsx';
import { Frame } from './layout/frame.tsx';
import { VIEWS, type View } from './views.ts';

/** A view whose script is there. */
export interface LoadedView {
  readonly view: View;
  readonly Component: ComponentType;
}

/** Leads to the views. The first one is loaded already; any other stays away until its script and texts are there. */
export function createConsoleRouter(
  texts: i18n,
  first: LoadedView | undefined,
): ReturnType<typeof createBrowserRouter> {
  const views = VIEWS.map((view): RouteObject => {
    const place = view.path === '' ? ({ index: true } as const) : { path: view.path };
    return view === first?.view
      ? { ...place, Component: first.Component }
      : { ...place, lazy: () => loadView(view, texts) };
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
