import { type FakeResponses, json } from '../../../../api/fake-server.fixture.ts';
import type { ViewFixture } from '../../../../app/view-test-bed.fixture.tsx';

/** A picture of 48 by 24 pixels. */
export const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAYCAIAAAAzn+mLAAAALklEQVR42u3OQQ0AAAgEoAtmHMMayxL+ZCMASdeJORIhISEhISEhISEhIaFfoQWf9ZI9wMexMAAAAABJRU5ErkJggg==';

const NAME = { notification: { sendEmail: { hearth: { appName: 'Garden' } } } };
const THEME = { lightColor: '#00664a', darkColor: '#7fe3c0', cornerRadius: 3, logo: LOGO };

/** The requests whose fake responses determine the content of the view. */
export const ROUTES = {
  config: 'GET /identitytoolkit.googleapis.com/v2/projects/demo/config',
  changeConfig: 'PATCH /identitytoolkit.googleapis.com/v2/projects/demo/config',
} as const;

function fixtureOf(config: object): ViewFixture {
  const responses: FakeResponses = { [ROUTES.config]: json(config), [ROUTES.changeConfig]: json(config) };
  return { address: 'sign-in/look', responses, main: ROUTES.config };
}

/** Fixtures of the look of a project, by its state. */
export const LOOK_FIXTURES = {
  own: fixtureOf({ ...NAME, hearth: { theme: THEME } }),
  usual: fixtureOf({}),
} as const;
