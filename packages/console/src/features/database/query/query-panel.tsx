import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import {
  endAt,
  equalTo,
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  type QueryConstraint,
  query,
  ref,
  startAt,
} from 'firebase/database';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/client.ts';
import { openDatabase } from '../../../api/realtime.ts';
import { useSession } from '../../../session/session.ts';
import { EmptyState, Failure, LoadingBar } from '../../../ui/states.tsx';
import { useImpersonation } from '../impersonation/model.ts';
import type { DataLocation } from '../model/location.ts';
import type { NodePath } from '../model/node-path.ts';
import { CodeSamples } from './code-samples.tsx';
import { IndexNotice } from './index-notice.tsx';
import { NEW_QUERY, type NodeQuery, parseBound, queryParameters, readQuery } from './node-query.ts';
import { QueryForm } from './query-form.tsx';
import { ResultList } from './result-list.tsx';
import { type ResultRow, resultRow } from './result-rows.ts';

interface WhyDeniedProps {
  readonly path: NodePath;
  readonly query: NodeQuery;
}

/** A button that explains how the rules decide a query of the impersonated principal. */
export function WhyDenied({ path, query }: WhyDeniedProps) {
  const { t } = useTranslation('data');
  const { who, explain } = useImpersonation();
  if (who.kind !== 'other') return null;
  return (
    <Button
      variant="outlined"
      sx={{ alignSelf: 'start' }}
      onClick={() => explain({ operation: 'read', path, query: queryVariable(query) })}
    >
      {t('actAs.why')}
    </Button>
  );
}

/** Returns the variable `query` that rules see. */
function queryVariable({ order, child, equal, start, end, limit, isLast }: NodeQuery) {
  const bound = (text: string) => parseBound(text, order);
  return {
    ...ordering(order, child),
    ...(equal === '' ? {} : { equalTo: bound(equal) }),
    ...(equal !== '' || start === '' ? {} : { startAt: bound(start) }),
    ...(equal !== '' || end === '' ? {} : { endAt: bound(end) }),
    [isLast ? 'limitToLast' : 'limitToFirst']: limit,
  };
}

function ordering(order: NodeQuery['order'], child: string): Readonly<Record<string, string | true>> {
  switch (order) {
    case 'key':
      return { orderByKey: true };
    case 'value':
      return { orderByValue: true };
    case 'priority':
      return { orderByPriority: true };
    case 'child':
      return { orderByChild: child };
    default:
      return order satisfies never;
  }
}

export type QueryRows =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly rows: readonly ResultRow[] };

/** Returns the result of a query with the official SDK, and updates it after changes of the data. */
export function useQueryRows(database: string, path: NodePath, nodeQuery: NodeQuery): QueryRows {
  const { credential } = useSession();
  const [rows, setRows] = useState<QueryRows>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the same query.
  useEffect(() => {
    setRows({ kind: 'loading' });
    const connection = openDatabase(database, credential);
    const fail = (cause: unknown): void =>
      setRows({
        kind: 'failed',
        error: errorOfListen(cause),
        retry: () => setAttempt((before) => before + 1),
      });
    try {
      onValue(
        query(ref(connection.database, path), ...constraintsOf(nodeQuery)),
        (snapshot) => {
          const found: ResultRow[] = [];
          snapshot.forEach((child) => {
            found.push(resultRow(path, child.key, child.exportVal()));
          });
          setRows({ kind: 'ready', rows: found });
        },
        fail,
      );
    } catch (cause) {
      // The SDK rejects invalid queries with a message.
      fail(cause);
    }
    return () => connection.close();
  }, [credential, database, path, nodeQuery, attempt]);
  return rows;
}

/** Returns the error of a query that the SDK rejects or the server ends. */
function errorOfListen(cause: unknown): Error {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const isDenied = 'code' in error && error.code === 'PERMISSION_DENIED';
  return isDenied ? new ApiError(403, error.message, 'access/denied', undefined, { cause }) : error;
}

function constraintsOf(nodeQuery: NodeQuery): readonly QueryConstraint[] {
  const { order, child, equal, start, end, limit, isLast } = nodeQuery;
  const bound = (text: string) => parseBound(text, order);
  return [
    orderOf(order, child),
    ...(equal === '' ? [] : [equalTo(bound(equal))]),
    ...(equal !== '' || start === '' ? [] : [startAt(bound(start))]),
    ...(equal !== '' || end === '' ? [] : [endAt(bound(end))]),
    isLast ? limitToLast(limit) : limitToFirst(limit),
  ];
}

function orderOf(order: NodeQuery['order'], child: string): QueryConstraint {
  switch (order) {
    case 'key':
      return orderByKey();
    case 'value':
      return orderByValue();
    case 'priority':
      return orderByPriority();
    case 'child':
      return orderByChild(child);
    default:
      return order satisfies never;
  }
}

/** Shows the form and the results of a query on the children of a node. */
export function QueryPanel({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { parameters, set } = location;
  const text = parameters.toString();
  const query = useMemo(() => readQuery(new URLSearchParams(text)) ?? NEW_QUERY, [text]);
  const isComplete = query.order !== 'child' || query.child !== '';
  return (
    <>
      <QueryForm
        key={text}
        query={query}
        apply={(changed) => set(queryParameters(changed))}
        close={() => set(queryParameters(null))}
      />
      {isComplete ? (
        <Found location={location} query={query} />
      ) : (
        <EmptyState title={t('query.title')}>{t('query.hint')}</EmptyState>
      )}
    </>
  );
}

interface FoundProps {
  readonly location: DataLocation;
  readonly query: NodeQuery;
}

function Found({ location, query }: FoundProps) {
  const { t, i18n } = useTranslation('data');
  const { database, path } = location;
  const rows = useQueryRows(database, path, query);
  if (rows.kind === 'loading') return <LoadingBar />;
  if (rows.kind === 'failed')
    return (
      <>
        <Failure error={rows.error} retry={rows.retry} />
        <WhyDenied path={path} query={query} />
      </>
    );
  const count = rows.rows.length;
  const number = count.toLocaleString(i18n.language);
  return (
    <>
      <Typography role="status" color="textSecondary" variant="body2">
        {count < query.limit ? t('query.found', { count, number }) : t('query.limited', { number })}
      </Typography>
      <IndexNotice database={database} path={path} query={query} />
      <ResultList label={t('query.results')} rows={rows.rows} location={location} />
      <CodeSamples database={database} path={path} query={query} />
    </>
  );
}
