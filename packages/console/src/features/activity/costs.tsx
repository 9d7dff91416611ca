import type { AccountCost, ActivityCosts, Cost, PathCost } from '@hearth/core/api/activity.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { findAccounts } from '../../api/accounts.ts';
import { listCosts } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { accountAddress } from '../../session/addresses.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { ChoiceButtons } from '../../ui/choice-buttons.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { PlainTable } from '../../ui/tables.tsx';
import { CodeText, printBytes, UntrustedText } from '../../ui/text.tsx';
import { COST_FIGURES, type CostFigure, shareOf, sortByCost } from './cost-order.ts';
import { printFigure } from './figures.ts';
import { HotPathLink } from './hot-path-link.tsx';

const REFRESH_MS = 5_000;

/** Maximum number of rows. */
const LIMIT = 50;

const VIEWS = ['path', 'account'] as const;
type View = (typeof VIEWS)[number];

interface CostsSectionProps {
  readonly database: string;
}

/** Lists which listeners, requests, rules and accounts cost most. The address contains the grouping and the order. */
export function CostsSection({ database }: CostsSectionProps) {
  const { t } = useTranslation('activity');
  const api = useApi();
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find((one) => one === search.get('by')) ?? 'path';
  const figure = COST_FIGURES.find((one) => one === search.get('sort')) ?? 'sentBytes';
  const query = useQuery({
    queryKey: ['costs', database],
    queryFn: () => listCosts(api, database, LIMIT),
    refetchInterval: REFRESH_MS,
  });
  const set = (name: 'by' | 'sort', value: string): void =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set(name, value);
      return after;
    });
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <ChoiceButtons
          label={t('costs.by')}
          choices={VIEWS.map((id) => ({ id, title: t(`costs.view.${id}`) }))}
          chosen={view}
          choose={(value) => set('by', value)}
        />
        <ChoiceButtons
          label={t('costs.sort')}
          choices={COST_FIGURES.map((id) => ({ id, title: t(`costs.figure.${id}`) }))}
          chosen={figure}
          choose={(value) => set('sort', value)}
        />
      </Box>
      <Loaded of={loadableOf(query)}>
        {(costs) => (
          <>
            <About costs={costs} view={view} />
            {view === 'path' ? (
              <Paths database={database} costs={costs} figure={figure} />
            ) : (
              <Accounts costs={costs} figure={figure} />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function About({ costs: { sinceMs }, view }: { readonly costs: ActivityCosts; readonly view: View }) {
  const { t, i18n } = useTranslation('activity');
  if (sinceMs === null) return null;
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' }).format(sinceMs);
  return (
    <Typography color="textSecondary">
      {t('costs.since', { time })} {t(`costs.about.${view}`)}
    </Typography>
  );
}

interface CostRowsProps {
  readonly costs: ActivityCosts;
  readonly figure: CostFigure;
}

function Paths({ database, costs, figure }: CostRowsProps & CostsSectionProps) {
  const { t } = useTranslation('activity');
  const rows = sortByCost(costs.paths, figure);
  return (
    <CostTable
      label={t('costs.view.path')}
      head={[t('costs.path'), t('costs.kindTitle')]}
      figure={figure}
      rows={rows}
      other={costs.otherPaths}
      cellsOf={(row) => [<PathName key="path" database={database} {...row} />, t(`costs.kind.${row.kind}`)]}
      keyOf={({ kind, path, query }) => `${kind} ${path} ${query}`}
    />
  );
}

function PathName({ database, path, query }: PathCost & CostsSectionProps) {
  return (
    <Box sx={{ minWidth: '10rem' }}>
      <HotPathLink database={database} path={path} />
      {query !== null && (
        <Typography component="div" variant="body2" color="textSecondary">
          <CodeText>{query}</CodeText>
        </Typography>
      )}
    </Box>
  );
}

function Accounts({ costs, figure }: CostRowsProps) {
  const { t } = useTranslation('activity');
  const rows = sortByCost(costs.accounts, figure);
  const emails = useEmails(rows);
  return (
    <CostTable
      label={t('costs.view.account')}
      head={[t('costs.account')]}
      figure={figure}
      rows={rows}
      other={costs.otherAccounts}
      cellsOf={({ account }) => [
        <AccountName
          key="account"
          account={account}
          email={account.kind === 'user' ? emails.get(account.uid ?? '') : undefined}
        />,
      ]}
      keyOf={({ account }) => JSON.stringify(account)}
    />
  );
}

/** Returns the emails of the accounts of the rows, by user ID, as far as they are known. */
function useEmails(rows: readonly AccountCost[]): ReadonlyMap<string, string> {
  const api = useApi();
  const project = useProjectId();
  const uids = rows.flatMap(({ account }) => (account.kind === 'user' && account.uid ? [account.uid] : []));
  const { data = [] } = useQuery({
    queryKey: ['accounts', project, 'emails', uids.toSorted()],
    queryFn: () => findAccounts(api, project, uids),
    enabled: uids.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(data.flatMap(({ localId, email }) => (email === undefined ? [] : [[localId, email]])));
}

function AccountName({
  account,
  email,
}: Pick<AccountCost, 'account'> & { readonly email: string | undefined }) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  if (account.kind === 'member') return t('costs.member');
  if (account.kind !== 'user') return t(`identity.${account.kind}`);
  if (account.uid === null) return t('identity.user');
  return (
    <Link component={RouterLink} to={accountAddress({ project }, account.uid)}>
      <UntrustedText text={email ?? account.uid} isCode={email === undefined} />
    </Link>
  );
}

interface CostTableProps<Row extends Cost> {
  readonly label: string;
  /** Headings of the columns before the figures. */
  readonly head: readonly string[];
  readonly figure: CostFigure;
  readonly rows: readonly Row[];
  readonly other: Cost;
  readonly cellsOf: (row: Row) => readonly ReactNode[];
  readonly keyOf: (row: Row) => string;
}

/** A table of costs. The column of the chosen figure has a bar for the share of each row. */
function CostTable<Row extends Cost>(props: CostTableProps<Row>) {
  const { t, i18n } = useTranslation('activity');
  const { label, head, figure, rows, other, cellsOf, keyOf } = props;
  if (rows.length === 0) return <EmptyState title={t('costs.none')}>{t('costs.noneHint')}</EmptyState>;
  const print: Readonly<Record<CostFigure, (cost: Cost) => string>> = {
    sentBytes: ({ sentBytes }) => printBytes(sentBytes, i18n.language),
    ms: ({ ms }) => printFigure(ms, 'ms', i18n.language),
    events: ({ events }) => printFigure(events, 'count', i18n.language),
  };
  const figures = (cost: Cost): readonly ReactNode[] =>
    COST_FIGURES.map((one) =>
      one === figure ? (
        <Share key={one} text={print[one](cost)} share={shareOf(cost, [...rows, other], figure)} />
      ) : (
        print[one](cost)
      ),
    );
  const hasOther = COST_FIGURES.some((one) => other[one] > 0);
  return (
    <PlainTable
      label={label}
      head={[...head, ...COST_FIGURES.map((one) => t(`costs.figure.${one}`))]}
      rows={[
        ...rows.map((row) => ({ key: keyOf(row), cells: [...cellsOf(row), ...figures(row)] })),
        ...(hasOther
          ? [
              {
                key: 'other',
                cells: [t('costs.other'), ...head.slice(1).map(() => ''), ...figures(other)],
              },
            ]
          : []),
      ]}
    />
  );
}

/** Shows a figure with its share of all, as a percentage and as a bar. */
function Share({ text, share }: { readonly text: string; readonly share: number }) {
  const { i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <Box sx={{ minWidth: '7rem' }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, whiteSpace: 'nowrap' }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {text}
        </Box>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {percent.format(share)}
        </Box>
      </Box>
      <Box aria-hidden sx={{ height: 4, borderRadius: 2, backgroundColor: 'divider', overflow: 'hidden' }}>
        <Box sx={{ height: 1, width: `${share * 100}%`, backgroundColor: 'primary.main' }} />
      </Box>
    </Box>
  );
}
