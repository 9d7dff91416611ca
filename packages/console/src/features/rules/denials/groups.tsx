import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import {
  type DenialFilter,
  type DenialGroup,
  type DenialGroups,
  type Grouping,
  groupDenials,
} from '../../../api/denials.ts';
import { type Loadable, loadableOf } from '../../../api/query-state.ts';
import { rulesAddress } from '../../../session/addresses.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { Row, RowList } from '../../../ui/sections.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { showControls, UntrustedText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { printRuleName } from '../names.ts';
import { ReasonLine } from './reason-line.tsx';

const HOUR_MS = 3_600_000;

/** Periods up to now, in ms. */
export const PERIODS_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
export type Period = keyof typeof PERIODS_MS;

const REFRESH_MS = 15_000;

interface DenialGroupsViewProps {
  readonly database: string;
  readonly by: Grouping;
  readonly period: Period;
  readonly filter: DenialFilter;
}

function useDenialGroups({ database, by, period, filter }: DenialGroupsViewProps): Loadable<DenialGroups> {
  const api = useApi();
  return loadableOf(
    useQuery({
      queryKey: ['denials', database, 'groups', by, period, filter],
      queryFn: ({ signal }) => groupDenials(api, database, by, PERIODS_MS[period], filter, signal),
      refetchInterval: REFRESH_MS,
    }),
  );
}

/** Counts the denials of each rule or user, the largest number first. */
export function DenialGroupsView(props: DenialGroupsViewProps) {
  const { t, i18n } = useTranslation('rules');
  const { database, by } = props;
  const number = (count: number): string => count.toLocaleString(i18n.language);
  return (
    <Loaded of={useDenialGroups(props)}>
      {({ groups, otherCount, isComplete }) =>
        groups.length === 0 ? (
          <EmptyState title={t('denials.nonePeriod')}>{t('denials.noneHint')}</EmptyState>
        ) : (
          <>
            <RowList label={t('denials.groups')}>
              {groups.map((group) => (
                <GroupRow key={keyOf(group, by)} database={database} by={by} group={group} />
              ))}
            </RowList>
            <Typography variant="body2" color="textSecondary">
              {otherCount > 0 && t('denials.smaller', { number: number(otherCount) })}{' '}
              {!isComplete &&
                t('denials.partial', {
                  number: number(groups.reduce((sum, { count }) => sum + count, otherCount)),
                })}
            </Typography>
          </>
        )
      }
    </Loaded>
  );
}

function keyOf({ rules, users }: DenialGroup, by: Grouping): string {
  return JSON.stringify(by === 'rule' ? rules[0]?.rule : users[0]?.user);
}

interface GroupRowProps {
  readonly database: string;
  readonly by: Grouping;
  readonly group: DenialGroup;
}

function GroupRow({ database, by, group }: GroupRowProps) {
  const { t, i18n } = useTranslation('rules');
  const project = useProjectId();
  const { search } = useLocation();
  const { palette } = useTheme();
  const { count, lastMs, trend, latest, rules, users } = group;
  const number = count.toLocaleString(i18n.language);
  const names = { rule: useNames(rules.map(({ rule }) => rule)), user: useUserNames(users) };
  const name = names[by][0];
  const others = by === 'rule' ? names.user : names.rule;
  const hidden = (by === 'rule' ? group.userCount : group.ruleCount) - others.length;
  const shown = new URLSearchParams(search);
  shown.delete('by');
  if (by === 'rule') shown.set('rule', rules[0]?.rule?.location ?? '');
  else shown.set('uid', users[0]?.user?.uid ?? '');
  return (
    <Row columns={{ md: 'minmax(0, 1fr) 12rem auto' }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography component="h2" variant="body1" sx={{ fontWeight: 600 }}>
          {name} <span aria-hidden>·</span> {t('denials.denied', { count, number })}
        </Typography>
        <Typography variant="body2" color="textSecondary" component="div">
          {t('denials.latestAt')}: <TimeText ms={lastMs} />
          {' · '}
          {others.map((other, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the names have a fixed order.
            <Fragment key={index}>
              {index > 0 && ', '}
              {other}
            </Fragment>
          ))}
          {hidden > 0 &&
            ` ${t('denials.more', { count: hidden, number: hidden.toLocaleString(i18n.language) })}`}
        </Typography>
        {by === 'rule' && rules[0]?.rule === null ? (
          <Typography variant="body2">{t('denials.cascade')}</Typography>
        ) : (
          <ReasonLine denial={latest} />
        )}
      </Box>
      <Sparkline
        label={t('denials.trend', { number })}
        lines={[{ values: trend, color: palette.error.main }]}
        heightPx={36}
      />
      <Button
        component={Link}
        to={`${rulesAddress(project, database, 'denials')}?${shown}`}
        sx={{ justifySelf: 'start' }}
      >
        {t('denials.open')}
      </Button>
    </Row>
  );
}

function useNames(rules: readonly DenialGroup['rules'][number]['rule'][]): readonly ReactNode[] {
  const { t } = useTranslation('rules');
  return rules.map((rule) =>
    rule === null ? (
      t('denials.noRule')
    ) : (
      <UntrustedText key={printRuleName(rule)} isCode text={printRuleName(rule)} />
    ),
  );
}

function useUserNames(users: DenialGroup['users']): readonly ReactNode[] {
  const { t } = useTranslation('rules');
  return users.map(({ user }) => {
    if (user === null) return t('denials.guest');
    const name = user.email ?? user.uid;
    return name === '' ? t('denials.somebody') : <bdi key={user.uid}>{showControls(name)}</bdi>;
  });
}
