import Box from '@mui/material/Box';
import { type ComponentType, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, Outlet, type RouteObject } from 'react-router';
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { Api, useConnectivity } from '../api/client.ts';
import type { FakeListens } from '../api/fake-database.fixture.ts';
import { type FakeResponses, type FakeServer, startFakeServer } from '../api/fake-server.fixture.ts';
import { type ConsoleParameters, DEVELOPMENT_CREDENTIAL, type Role } from '../api/session.ts';
import { openTexts, openWriting } from '../language/i18n.ts';
import type { Namespace } from '../language/texts.ts';
import { rememberProject } from '../session/addresses.ts';
import { type Session, SessionContext } from '../session/session.ts';
import { useNotices } from '../ui/notices.tsx';
import { LoadingBar } from '../ui/states.tsx';
import type { GateProps } from './gate.ts';
import { memberGate } from './member-gate.tsx';
import { createQueryClient } from './open-console.tsx';
import { App } from './root.tsx';
import { findView, VIEWS } from './views.ts';

/** The project of all fixtures. */
const PROJECT = 'demo';

/** A view with the responses of a server that has realistic data. */
export interface ViewFixture {
  /** Address below the project, such as `accounts/u1`. */
  readonly address: string;
  readonly responses: FakeResponses;
  /** The key of the response that decides whether the view is loading, forbidden, failed or ready. */
  readonly main: string;
  readonly listens?: FakeListens;
}

export interface ViewOptions {
  readonly role?: Role;
  readonly mode?: ConsoleParameters['mode'];
}

/** Shared by all tests of a file, because each call of `openWriting` adds styles to the page. */
const writingOfTests = openWriting('en', '');

/** Mounts the view of an address with the providers of the console, until the test ends. Returns the fake server. */
export async function openView(
  { address, responses, listens }: Pick<ViewFixture, 'address' | 'responses' | 'listens'>,
  { role = 'owner', mode = 'serve' }: ViewOptions = {},
): Promise<FakeServer> {
  const server = startFakeServer(responses, listens);
  const parameters = parametersOf(mode);
  sessions.set(parameters, createSession(parameters, role));
  const url = new URL(address, `${location.origin}/projects/${PROJECT}/`);
  const view = findView(segmentsOf(url));
  if (view === undefined) throw new Error(`No view has the address ${address}.`);
  const Component = await view.load();
  const routes = VIEWS.map(({ path }): RouteObject => {
    const match = path === '' ? ({ index: true } as const) : { path };
    return path === view.path ? { ...match, Component } : match;
  });
  const router = createMemoryRouter(
    [{ path: '/projects/:project', element: <Content />, children: routes }],
    { initialEntries: [`${url.pathname}${url.search}`] },
  );
  await mountApp(parameters, router, OpenGate, view.texts);
  return server;
}

/** Mounts the sign-in to a project until the test ends. Returns the fake server. */
export async function openSignIn(project: string, responses: FakeResponses): Promise<FakeServer> {
  const server = startFakeServer(responses);
  rememberProject(project);
  const router = createMemoryRouter([{ path: '*', element: <Content /> }]);
  await mountApp(parametersOf('serve'), router, memberGate.Component, ['member-sign-in']);
  return server;
}

function parametersOf(mode: ConsoleParameters['mode']): ConsoleParameters {
  return { mode, defaultProject: null, version: '1.0.0', styleNonce: '' };
}

/** Styles that turn off animations, because half-transparent text has too little contrast. */
const STILL = '*, ::before, ::after { transition: none !important; animation: none !important }';

async function mountApp(
  parameters: ConsoleParameters,
  router: ReturnType<typeof createMemoryRouter>,
  Gate: ComponentType<GateProps>,
  namespaces: readonly Namespace[],
): Promise<void> {
  await page.viewport(1280, 800);
  document.documentElement.lang = 'en';
  const texts = await openTexts('en', ['shell', ...namespaces]);
  const writing = await writingOfTests;
  const queryClient = createQueryClient();
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, retry: false } });
  const element = document.body.appendChild(document.createElement('div'));
  const still = document.head.appendChild(document.createElement('style'));
  still.textContent = STILL;
  const root = createRoot(element);
  onTestFinished(() => {
    root.unmount();
    router.dispose();
    queryClient.clear();
    element.remove();
    still.remove();
    useNotices.setState({ shown: null });
    useConnectivity.setState({ kind: 'online' }, true);
    localStorage.clear();
    sessionStorage.clear();
  });
  root.render(
    <App
      parameters={parameters}
      texts={texts}
      writing={writing}
      queryClient={queryClient}
      router={router}
      Gate={Gate}
    />,
  );
}

function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname
    .split('/')
    .slice(3)
    .map(decodeURIComponent)
    .filter((segment) => segment !== '');
}

/** The part of the page that the frame reserves for a view. */
function Content() {
  return (
    <Box
      component="main"
      sx={{ display: 'flex', flexDirection: 'column', height: '100dvh', overflow: 'auto' }}
    >
      <Suspense fallback={<LoadingBar />}>
        <Outlet />
      </Suspense>
    </Box>
  );
}

/** Sessions of the open views, by the parameters of the console. */
const sessions = new WeakMap<ConsoleParameters, Session>();

/** Takes the place of the sign-in, and provides the session of the test's member. */
function OpenGate({ parameters, children }: GateProps) {
  return <SessionContext value={sessions.get(parameters)}>{children}</SessionContext>;
}

function createSession(parameters: ConsoleParameters, role: Role): Session {
  const isDevelopment = parameters.mode === 'development';
  return {
    parameters,
    api: new Api(DEVELOPMENT_CREDENTIAL),
    credential: DEVELOPMENT_CREDENTIAL,
    user: isDevelopment ? null : { uid: 'member', email: 'mia@example.com', name: 'Mia Lang' },
    projects: [{ id: PROJECT, role }],
    signOut: isDevelopment ? null : async () => {},
    chooseProject: isDevelopment ? null : () => {},
  };
}
