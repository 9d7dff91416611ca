import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import {
  BROKEN,
  BROKEN_TEXT,
  type FakeResponse,
  type FakeServer,
  FORBIDDEN,
  FORBIDDEN_TEXT,
  PENDING,
} from '../api/fake-server.fixture.ts';
import shell from '../language/messages/en/shell.json';
import { openView, type ViewFixture, type ViewOptions } from './view-test-bed.fixture.tsx';

/** A part of the page that a user can see: a text, or an element with a role and an accessible name. */
export type PagePart = string | readonly [role: Parameters<typeof page.getByRole>[0], name: string];

/** A view and the expected texts of its states. */
export interface ViewCase {
  readonly fixture: ViewFixture;
  /** The texts that every member sees once the view is ready. */
  readonly shows: readonly PagePart[];
  /** Set if only members who may change something can open the part that the case is about. */
  readonly isForEditors?: true;
  /** The elements that an owner sees and a viewer does not, such as buttons that change something. */
  readonly offers?: readonly PagePart[];
  /** If the case is about a part of the view: the texts that the rest of the view shows in all states. */
  readonly around?: readonly PagePart[];
  /** Opens the part of the view that the case is about, such as a dialog. */
  readonly open?: () => Promise<void>;
  /** The progress indicator, if its name differs from that of most views. */
  readonly loading?: PagePart;
}

/** Replaces placeholders such as `{{name}}` with values. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

export async function click(part: PagePart): Promise<void> {
  await find(part).click();
}

/** Returns a locator of the first element that matches. */
function find(part: PagePart): Locator {
  const found =
    typeof part === 'string'
      ? page.getByText(part, { exact: false })
      : page.getByRole(part[0], { name: part[1], exact: true });
  return found.first();
}

/** Options of `expect.poll`; `interval` is in milliseconds. */
const POLL = { interval: 20 };

/** Waits until the user sees everything. A single wait for all is faster than one wait for each. */
export async function expectShown(parts: readonly PagePart[]): Promise<void> {
  await expect.poll(() => parts.filter((part) => !isVisible(find(part).query())), POLL).toEqual([]);
}

function isVisible(element: Element | null): boolean {
  return element?.checkVisibility({ visibilityProperty: true }) === true;
}

/**
 * Waits until no element matches. Call it only after `expectShown`: before the view renders, nothing matches, so the
 * check would always succeed.
 */
export async function expectAbsent(parts: readonly PagePart[]): Promise<void> {
  await expect.poll(() => parts.filter((part) => find(part).query() !== null), POLL).toEqual([]);
}

/**
 * Checks the page with the default rules of axe, except those with the given ids. Preloading takes a third of the time,
 * and only the rule about audio needs it.
 */
export async function expectAccessible(...except: readonly string[]): Promise<void> {
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false, rules });
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
}

export const RETRY: PagePart = ['button', shell.retry];
export const LOADING: PagePart = ['progressbar', shell.loading];

/** Opens no further part of the view. */
async function openNothing(): Promise<void> {}

/** Opens a view, and the part of it that a case is about. */
async function openCase(
  { fixture, around = [], open = openNothing }: ViewCase,
  options: ViewOptions = {},
): Promise<FakeServer> {
  const server = await openView(fixture, options);
  await expectShown(around);
  await open();
  return server;
}

/** Returns the case with another response in place of the main one. */
function withResponse(one: ViewCase, response: FakeResponse): ViewCase {
  const { responses, main } = one.fixture;
  return { ...one, fixture: { ...one.fixture, responses: { ...responses, [main]: response } } };
}

/** Tests that views show whether they are loading, forbidden, failed or ready. */
export function testViewStates(cases: Readonly<Record<string, ViewCase>>): void {
  describe.each(Object.entries(cases))('%s', (_name, one) => {
    const { fixture, shows, loading = LOADING } = one;

    test('[C444] while the data is loading, the view shows a progress indicator with a name', async () => {
      await openCase(withResponse(one, PENDING));
      await expectShown([loading]);
      await expectAbsent([RETRY]);
      await expectAccessible();
    });

    test('[C444] without permission, the view says so and offers no retry', async () => {
      await openCase(withResponse(one, FORBIDDEN));
      await expectShown([shell.failure.forbidden, FORBIDDEN_TEXT]);
      await expectAbsent([RETRY, LOADING, loading]);
      await expectAccessible();
    });

    test('[C444] after an error, a retry shows the data if the server now succeeds', async () => {
      const server = await openCase(withResponse(one, BROKEN));
      await expectShown([shell.failure.other, BROKEN_TEXT, RETRY]);
      await expectAbsent([LOADING, loading]);
      await expectAccessible();
      const response = fixture.responses[fixture.main];
      if (response === undefined) throw new Error(`The fixture has no ${fixture.main}.`);
      server.respond(fixture.main, response);
      await click(RETRY);
      await expectShown(shows);
      await expectAbsent([RETRY, shell.failure.other]);
    });

    testReady(one, [RETRY, LOADING, loading]);
  });
}

/** Tests further ready states of views, such as an empty list. */
export function testReadyViews(cases: Readonly<Record<string, ViewCase>>): void {
  describe.each(Object.entries(cases))('%s', (_name, one) => {
    testReady(one, [RETRY, LOADING]);
  });
}

function testReady(one: ViewCase, absent: readonly PagePart[]): void {
  const { shows, offers = [], isForEditors = false } = one;

  test('[C444] an owner sees the data and every action', async () => {
    await openCase(one);
    await expectShown([...shows, ...offers]);
    await expectAbsent(absent);
    await expectAccessible();
  });

  if (isForEditors) return;

  test('[C444][C45] a viewer sees the data and nothing that changes it', async () => {
    await openCase(one, { role: 'viewer' });
    await expectShown(shows);
    await expectAbsent(offers);
  });
}
