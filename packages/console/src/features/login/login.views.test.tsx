import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  BROKEN,
  BROKEN_TEXT,
  type FakeResponse,
  FORBIDDEN,
  FORBIDDEN_TEXT,
  PENDING,
  requestError,
  UNREACHABLE,
} from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  type PagePart,
} from '../../app/view-states.suite.ts';
import { openSignIn } from '../../app/view-test-bed.fixture.tsx';
import texts from '../../language/messages/en/member-sign-in.json';
import shell from '../../language/messages/en/shell.json';
import {
  authError,
  NEEDS_CODE,
  NO_MEMBER,
  PARAMETERS,
  parametersRoute,
  RECOVERY_CODES,
  ROUTES,
  signInResponses,
  UNVERIFIED,
} from './login.fixtures.ts';

const LOADING: PagePart = ['progressbar', shell.loading];
const RETRY: PagePart = ['button', shell.retry];
const SIGN_IN: PagePart = ['button', texts.signIn];
const ENROLL: PagePart = ['heading', texts.enrol.title];

let projects = 0;

/** Returns the name of a project that no test has signed in to, because the SDK remembers the users of each project. */
function newProject(): string {
  projects += 1;
  return `demo-${projects}`;
}

/** Opens the sign-in page of a new project. `responses` replace the default responses. */
async function open(responses: Readonly<Record<string, FakeResponse>> = {}) {
  const project = newProject();
  const server = await openSignIn(project, { ...signInResponses(project), ...responses });
  return { project, server };
}

/** Opens the sign-in page of a new project, where `response` answers the request for the sign-in parameters. */
async function openWithParameters(response: FakeResponse) {
  const project = newProject();
  const route = parametersRoute(project);
  const server = await openSignIn(project, { ...signInResponses(project), [route]: response });
  return { project, respond: (next: FakeResponse) => server.respond(route, next) };
}

/** Opens the sign-in, and signs in with email and password. */
async function signIn(responses: Readonly<Record<string, FakeResponse>> = {}) {
  const opened = await open(responses);
  await page.getByRole('textbox', { name: texts.email }).fill('mia@example.com');
  await page.getByLabelText(texts.password, { exact: false }).fill('correct horse');
  await click(SIGN_IN);
  return opened;
}

test('[C444] opening the sign-in shows a progress indicator with a name', async () => {
  await openWithParameters(PENDING);
  await expectShown([LOADING]);
  await expectAbsent([RETRY]);
  // The page has no heading and no landmark yet, so these accessibility rules do not apply.
  await expectAccessible('page-has-heading-one', 'landmark-one-main', 'region');
});

test('[C444] if the sign-in is forbidden, the page says so and offers no retry', async () => {
  await openWithParameters(FORBIDDEN);
  await expectShown([['heading', texts.failed], shell.failure.forbidden, FORBIDDEN_TEXT]);
  await expectAbsent([RETRY, LOADING]);
  await expectAccessible();
});

test.each([
  ['an error', BROKEN, [shell.failure.other, BROKEN_TEXT]],
  ['no response', UNREACHABLE, [shell.failure.offline]],
] as const)('[C444] after %s, a retry shows the sign-in', async (_what, response, shows) => {
  const { project, respond } = await openWithParameters(response);
  await expectShown([['heading', texts.failed], ...shows, RETRY]);
  await expectAccessible();
  respond(PARAMETERS);
  await click(RETRY);
  await expectShown([['heading', fill(texts.title, { project })]]);
});

test('[C444] the sign-in asks for email and password', async () => {
  const { project } = await open();
  await expectShown([
    ['heading', fill(texts.title, { project })],
    ['textbox', texts.email],
    SIGN_IN,
    ['button', texts.reset.forgot],
    ['button', texts.otherProject],
  ]);
  await expectAccessible();
});

test('[C444][C13] the page names a project that does not exist, and asks for another', async () => {
  const { project } = await openWithParameters(
    requestError(404, 'project/unknown', 'The project does not exist.'),
  );
  await expectShown([
    ['heading', texts.project.title],
    fill(texts.project.unknown, { project }),
    ['textbox', texts.project.id],
  ]);
  await expectAccessible();
});

test.each([
  ['a wrong password', authError('INVALID_LOGIN_CREDENTIALS'), texts.problems.wrong],
  ['too many attempts', authError('TOO_MANY_ATTEMPTS_TRY_LATER'), texts.problems.throttled],
  ['a disabled account', authError('USER_DISABLED'), texts.problems.disabled],
  ['a disabled method', authError('OPERATION_NOT_ALLOWED'), texts.problems['not-allowed']],
  ['an unreachable server', UNREACHABLE, texts.problems.offline],
])(
  '[C445][C10] if the sign-in fails because of %s, the page says so and keeps the email',
  async (_what, response, text) => {
    await signIn({ [ROUTES.signIn]: response });
    await expectShown([text, SIGN_IN]);
    await expect.element(page.getByRole('textbox', { name: texts.email })).toHaveValue('mia@example.com');
    await expectAccessible();
  },
);

test('[C444][C17] after a request for a reset email, the page does not reveal whether the account exists', async () => {
  await open();
  await page.getByRole('textbox', { name: texts.email }).fill('mia@example.com');
  await click(['button', texts.reset.forgot]);
  await expectShown([fill(texts.reset.sent, { email: 'mia@example.com' })]);
  await expectAccessible();
});

test('[C445][C10] a user with a second factor is asked for a code, and a wrong code is reported', async () => {
  await signIn({ [ROUTES.signIn]: NEEDS_CODE, [ROUTES.proveFactor]: authError('INVALID_CODE') });
  await expectShown([texts.code.text]);
  await expectAccessible();
  await page.getByRole('textbox', { name: texts.code.label }).fill('123 456');
  await click(SIGN_IN);
  await expectShown([texts.problems['wrong-code'], ['button', texts.back]]);
  await expectAccessible();
});

test('[C444][C13] to a user who is not a member, the page says so and offers another account', async () => {
  const { project } = await signIn({ [ROUTES.session]: NO_MEMBER });
  await expectShown([
    ['heading', texts.noMember.title],
    fill(texts.noMember.text, { name: 'mia@example.com', project }),
    ['button', texts.noMember.other],
  ]);
  await expectAccessible();
});

test('[C444][C12] a member without a verified email is asked to verify it first', async () => {
  await signIn({ [ROUTES.lookup]: UNVERIFIED });
  await expectShown([
    ['heading', texts.verify.title],
    fill(texts.verify.text, { email: 'mia@example.com' }),
    ['button', texts.verify.look],
  ]);
  await expectAccessible();
  await click(['button', texts.verify.send]);
  await expectShown([texts.verify.sent]);
});

test('[C444][C12] while a second factor is prepared, a progress indicator with a name is shown', async () => {
  await signIn({ [ROUTES.startFactor]: PENDING });
  await expectShown([ENROLL, LOADING, ['button', texts.leave]]);
  await expectAbsent([RETRY]);
  await expectAccessible();
});

test('[C444][C12] if a second factor cannot be prepared, a retry shows the QR code', async () => {
  const { server } = await signIn({ [ROUTES.startFactor]: UNREACHABLE });
  await expectShown([ENROLL, texts.problems.offline, RETRY]);
  await expectAbsent([LOADING]);
  await expectAccessible();
  const response = signInResponses('')[ROUTES.startFactor];
  if (response === undefined) throw new Error('The fixture has no second factor.');
  server.respond(ROUTES.startFactor, response);
  await click(RETRY);
  await expectShown([['img', texts.enrol.qr]]);
  await expectAbsent([RETRY]);
});

test('[C444][C12] a member adds a second factor and sees the recovery codes', async () => {
  await signIn();
  await expectShown([ENROLL, ['img', texts.enrol.qr], 'JBSW Y3DP EHPK 3PXP', ['link', texts.enrol.open]]);
  await expectAccessible();
  await page.getByRole('textbox', { name: texts.enrol.label }).fill('123456');
  await click(['button', texts.enrol.add]);
  await expectShown([['heading', texts.codes.title], ...RECOVERY_CODES, ['link', texts.codes.download]]);
  await expectAccessible();
});
