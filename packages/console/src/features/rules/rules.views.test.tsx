import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  BROKEN,
  BROKEN_TEXT,
  FORBIDDEN,
  FORBIDDEN_TEXT,
  PENDING,
  UNREACHABLE,
} from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import texts from '../../language/messages/en/rules.json';
import shell from '../../language/messages/en/shell.json';
import { EMPTY_CASES, writeCaseFile } from './cases/case-file.ts';
import { CASES, DATABASE, DRAFT, ROUTES, RULES_FIXTURES } from './rules.fixtures.ts';

const EDITOR = ['textbox', fill(texts.edit.label, { database: DATABASE })] as const;
const PUBLISH = ['button', texts.edit.publish] as const;
const TITLE = ['heading', fill(texts.title, { database: DATABASE })] as const;

testViewStates({
  'databases with rules': {
    fixture: RULES_FIXTURES.databases,
    shows: [
      ['list', texts.choose.title],
      ['link', DATABASE],
      ['link', 'demo-archive'],
    ],
  },
  'editor of rules': {
    fixture: RULES_FIXTURES.editor,
    around: [TITLE],
    shows: [EDITOR, texts.edit.current, fill(texts.versions.name, { id: 12 }), ['button', texts.edit.format]],
    offers: [PUBLISH],
  },
  'versions of rules': {
    fixture: RULES_FIXTURES.versions,
    around: [TITLE],
    shows: [
      ['navigation', texts.versions.list],
      fill(texts.versions.name, { id: 12 }),
      'Only Alice writes rooms',
      fill(texts.author.file, { name: 'database.rules.json' }),
      fill(texts.versions.rolledBackTo, { id: 9 }),
    ],
  },
  'version of rules': {
    fixture: RULES_FIXTURES.version,
    around: [['navigation', texts.versions.list]],
    shows: [
      ['textbox', fill(texts.versions.source, { id: 11 })],
      ['button', texts.versions.copy],
      ['button', texts.versions.edit],
    ],
    offers: [['button', texts.versions.rollBack]],
  },
  'difference of a version': {
    fixture: RULES_FIXTURES.difference,
    around: [['button', texts.versions.copy]],
    shows: ["auth.uid === 'alice'", 'auth !== null'],
  },
  'log of denials': {
    fixture: RULES_FIXTURES.denials,
    around: [TITLE],
    shows: [
      ['navigation', texts.denials.list],
      '/rooms/lobby',
      '/private',
      texts.denials.noRuleAllows,
      fill(texts.denials.sampledOut_other, { count: 3 }),
      texts.denials.live.open,
    ],
  },
  denial: {
    fixture: RULES_FIXTURES.denial,
    around: [['navigation', texts.denials.list]],
    shows: [
      ['region', fill(texts.denials.one, { id: 42 })],
      texts.trace.decided,
      ['group', fill(texts.trace.part, { text: 'auth.uid', value: '"bob"' })],
      ['link', texts.denials.simulate],
    ],
  },
  'suggested fix': {
    fixture: RULES_FIXTURES.proposal,
    open: () => click(['button', texts.proposal.find]),
    around: [['region', fill(texts.denials.one, { id: 42 })]],
    loading: ['progressbar', texts.proposal.finding],
    shows: [
      ['region', texts.proposal.title],
      "data.child('owner').val() === auth.uid",
      fill(texts.proposal.effect, { total: 120, user: 2, others: 5 }),
      texts.replay.tighter,
      ['button', texts.proposal.open],
    ],
  },
  'settings of the denial log': {
    fixture: RULES_FIXTURES.denialSettings,
    open: () => click(['button', texts.denials.settings]),
    around: [['navigation', texts.denials.list]],
    shows: [
      ['dialog', texts.denials.settingsTitle],
      ['switch', texts.denials.isOn],
      texts.denials.keepValuesHint,
    ],
    offers: [['button', texts.denials.save]],
  },
  simulator: {
    fixture: RULES_FIXTURES.simulator,
    around: [['form', texts.simulator.question]],
    loading: ['progressbar', texts.simulator.running],
    shows: [
      texts.simulator.denied,
      texts.simulator.deniedAt,
      ['group', fill(texts.trace.part, { text: 'auth.uid', value: '"bob"' })],
      ['link', texts.simulator.goToRule],
    ],
  },
  'test cases': {
    fixture: RULES_FIXTURES.cases,
    around: [TITLE],
    shows: [
      ['textbox', texts.cases.label],
      ['button', texts.cases.add],
      ['heading', texts.cases.none],
    ],
  },
});

testReadyViews({
  'project without databases': {
    fixture: RULES_FIXTURES.noDatabases,
    shows: [
      ['heading', texts.choose.none],
      ['link', fill(texts.choose.first, { database: DATABASE })],
    ],
  },
  'editor without a published version': {
    fixture: RULES_FIXTURES.initialEditor,
    shows: [EDITOR, texts.edit.initial],
    offers: [PUBLISH],
  },
  'no versions': {
    fixture: RULES_FIXTURES.noVersions,
    shows: [['heading', texts.versions.none], texts.versions.noneHint],
  },
  'unknown version': {
    fixture: RULES_FIXTURES.unknownVersion,
    shows: [['heading', fill(texts.versions.unknown, { id: 7 })]],
  },
  'no denials': {
    fixture: RULES_FIXTURES.noDenials,
    shows: [['heading', texts.denials.none]],
  },
  'filter that matches no denials': {
    fixture: RULES_FIXTURES.noDenialsFound,
    shows: [
      ['heading', texts.denials.noneFound],
      ['button', texts.denials.clear],
    ],
  },
  'simulator before the first run': {
    fixture: RULES_FIXTURES.idleSimulator,
    shows: [texts.simulator.about, ['button', texts.simulator.run]],
  },
});

describe('draft', () => {
  beforeEach(() => {
    localStorage.setItem(
      `hearth.console.rules-draft.${DATABASE}`,
      JSON.stringify({ source: DRAFT, basedOn: 12 }),
    );
  });

  testViewStates({
    'effect on recorded operations': {
      fixture: RULES_FIXTURES.publishing,
      around: [EDITOR, texts.edit.draft],
      isForEditors: true,
      open: () => click(PUBLISH),
      loading: ['progressbar', texts.replay.running],
      shows: [
        ['dialog', fill(texts.publish.title, { database: DATABASE })],
        fill(texts.replay.flipped_other, { count: 7, total: 120 }),
        fill(texts.replay.leftOut_other, { count: 2 }),
        ['button', fill(texts.publish.anyway_other, { count: 7 })],
      ],
    },
  });

  test('[C444][C155] if recording is off, the dialog offers to turn it on', async () => {
    await openView(RULES_FIXTURES.notRecorded);
    await click(PUBLISH);
    await expectShown([texts.replay.off]);
    await expect.element(page.getByRole('alert').getByRole('button')).toBeVisible();
    await expectAccessible();
  });

  test.each([
    ['pending', PENDING, [['button', shell.cancel]]],
    ['forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
    ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
    ['unanswered', UNREACHABLE, [shell.failure.offline, texts.publish.unanswered]],
  ] as const)(
    '[C445][C138] if publishing is %s, the dialog and the draft stay',
    async (_why, response, shows) => {
      const server = await openView(RULES_FIXTURES.publishing);
      await click(PUBLISH);
      server.respond(ROUTES.publish, response);
      await click(['button', fill(texts.publish.anyway_other, { count: 7 })]);
      await expectShown([['dialog', fill(texts.publish.title, { database: DATABASE })], ...shows]);
      await expectAccessible();
      expect(localStorage.getItem(`hearth.console.rules-draft.${DATABASE}`)).toContain("'bob'");
    },
  );

  test('[C444][C151] a viewer sees the draft and cannot publish it', async () => {
    await openView(RULES_FIXTURES.publishing, { role: 'viewer' });
    await expectShown([EDITOR, texts.edit.draft, texts.edit.viewer]);
    await expectAbsent([PUBLISH]);
  });

  test('[C444][C137] for a draft of older rules, the editor offers to merge', async () => {
    localStorage.setItem(
      `hearth.console.rules-draft.${DATABASE}`,
      JSON.stringify({ source: DRAFT, basedOn: 11 }),
    );
    await openView(RULES_FIXTURES.editor);
    const notice = fill(texts.merge.overtaken, { id: 12, author: 'alice' });
    await expectShown([notice]);
    await click(['button', texts.merge.open]);
    await expectShown([
      ['dialog', fill(texts.merge.title, { id: 12 })],
      ['button', texts.merge.done],
    ]);
    await expectAccessible();
  });
});

test('[C444][C149] the tab shows which test cases pass, which fail and why', async () => {
  writeCaseFile(DATABASE, CASES);
  onTestFinished(() => writeCaseFile(DATABASE, EMPTY_CASES));
  await openView(RULES_FIXTURES.cases);
  await expectShown([
    ['heading', fill(texts.cases.failed_one, { count: 1, total: 2 })],
    'anyone reads rooms',
    'Bob writes rooms',
  ]);
  await page.getByRole('button', { name: 'Bob writes rooms', exact: false }).click();
  await expectShown([texts.cases.wasDenied]);
  await expectAccessible();
});

test.each([
  ['forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
  ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
] as const)(
  '[C445][C140] if a rollback is %s, the dialog stays and shows the reason',
  async (_why, response, shows) => {
    const server = await openView(RULES_FIXTURES.version);
    server.respond(ROUTES.rollback, response);
    await click(['button', texts.versions.rollBack]);
    await expectShown([['dialog', fill(texts.versions.rollBackTitle, { id: 11 })]]);
    await page.getByRole('dialog').getByRole('button', { name: texts.versions.rollBack }).click();
    await expectShown(shows);
    await expectAccessible();
  },
);

test.each([
  ['pending', PENDING, texts.simulator.searching],
  ['forbidden', FORBIDDEN, FORBIDDEN_TEXT],
  ['not possible', BROKEN, BROKEN_TEXT],
] as const)('[C444][C148] the field reports an account search that is %s', async (_state, response, text) => {
  await openView({
    address: RULES_FIXTURES.idleSimulator.address,
    responses: { [ROUTES.accounts]: response },
  });
  await click(['button', texts.simulator.user]);
  await page.getByRole('combobox', { name: texts.simulator.account }).fill('ali');
  await expectShown([text]);
  await expectAccessible();
});
