import { expect, test } from 'vitest';
import type { DenialPage, ListedDenial } from '../../api/denials.ts';
import { DENIAL, MAIL, QUERY, RULES, SERVER } from './overview.fixtures.ts';
import { type Findings, problemsOf } from './problems.ts';

const NOW_MS = 10 * 3_600_000;

function kindsOf(findings: Findings): readonly string[] {
  return problemsOf(findings, NOW_MS).map(({ kind }) => kind);
}

function denials(...list: readonly Partial<ListedDenial>[]): DenialPage {
  return { denials: list.map((one) => ({ ...DENIAL, timeMs: NOW_MS, ...one })), sampledOut: 0 };
}

test('[C465] there are no problems if all is well or nothing is known', () => {
  expect(kindsOf({})).toEqual([]);
  const indexed = { ...QUERY, isIndexed: true };
  expect(
    kindsOf({ rules: RULES, denials: denials(), queries: [indexed], server: SERVER, mails: [] }),
  ).toEqual([]);
});

test('[C465] the most severe problems come first', () => {
  const server = {
    ...SERVER,
    disk: { freeBytes: 9, totalBytes: 100 },
    eventLoop: { busyShare: 0.5, longestDelayMs: 51 },
  };
  const rules = { ...RULES, source: '{"rules": {".read": true}}' };
  expect(kindsOf({ rules, denials: denials({}), queries: [QUERY], server, mails: [MAIL] })).toEqual([
    'open-rules',
    'disk',
    'denials',
    'unindexed',
    'event-loop',
    'mails',
  ]);
});

test('[C465] a value equal to its limit is not a problem', () => {
  const disk = { freeBytes: 10, totalBytes: 100 };
  expect(kindsOf({ server: { ...SERVER, disk, eventLoop: { busyShare: 0, longestDelayMs: 50 } } })).toEqual(
    [],
  );
});

test('[C465] rules that were never published are a problem, and are not examined further', () => {
  const source = '{"rules": {".read": true}}';
  expect(kindsOf({ rules: { id: 0, source, version: null } })).toEqual(['no-rules']);
});

test('[C465] the denials of the last hour are counted, and the rule that caused the most is named', () => {
  const write = { kind: 'write', location: '/rooms', text: 'false' } as const;
  const page = denials({}, { rule: write }, { rule: write }, { rule: null }, { timeMs: NOW_MS - 3_600_001 });
  expect(problemsOf({ denials: page }, NOW_MS)).toEqual([
    { kind: 'denials', count: 4, isMore: false, rule: write },
  ]);
});

test('[C465] a full page of denials means that there may be more', () => {
  const page = denials(...Array.from({ length: 200 }, () => ({ rule: null })));
  expect(problemsOf({ denials: page }, NOW_MS)).toEqual([
    { kind: 'denials', count: 200, isMore: true, rule: null },
  ]);
});

test('[C791] raised alerts are a problem, and quiet ones are not', () => {
  const settings = { thresholds: {}, mailsOwners: true, webhook: null };
  const alert = { threshold: 1, value: 1, sinceMs: 1 };
  const alerts = [
    { ...alert, kind: 'denials', isRaised: false },
    { ...alert, kind: 'disk', isRaised: true },
  ] as const;
  expect(problemsOf({ alerts: { settings, alerts } }, NOW_MS)).toEqual([
    { kind: 'alerts', alerts: ['disk'] },
  ]);
  expect(kindsOf({ alerts: { settings, alerts: [] } })).toEqual([]);
});
