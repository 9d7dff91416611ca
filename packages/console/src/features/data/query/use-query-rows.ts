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
import { useEffect, useState } from 'react';
import { openDatabase } from '../../../server/realtime.ts';
import { useSession } from '../../../session/session.ts';
import { printExact } from '../model/exact-json.ts';
import type { NodePath } from '../model/node-path.ts';
import { type NodeQuery, parseBound } from './node-query.ts';

/** A child that a query found. */
export interface QueryRow {
  readonly key: string;
  /** How its JSON text begins. */
  readonly preview: string;
}

export type QueryRows =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'ready'; readonly rows: readonly QueryRow[] };

const PREVIEW_UNITS = 300;

/** What a query finds, live, as the official SDK tells it. */
export function useQueryRows(database: string, path: NodePath, asked: NodeQuery): QueryRows {
  const { credential } = useSession();
  const [rows, setRows] = useState<QueryRows>({ kind: 'loading' });
  useEffect(() => {
    setRows({ kind: 'loading' });
    const connection = openDatabase(database, credential);
    const fail = (cause: unknown): void =>
      setRows({ kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) });
    try {
      onValue(
        query(ref(connection.database, path), ...constraintsOf(asked)),
        (snapshot) => {
          const found: QueryRow[] = [];
          snapshot.forEach((child) => {
            found.push({ key: child.key, preview: printExact(child.exportVal(), 0).slice(0, PREVIEW_UNITS) });
          });
          setRows({ kind: 'ready', rows: found });
        },
        fail,
      );
    } catch (cause) {
      // The SDK refuses queries that no client can ask, and says why.
      fail(cause);
    }
    return () => connection.close();
  }, [credential, database, path, asked]);
  return rows;
}

function constraintsOf(asked: NodeQuery): readonly QueryConstraint[] {
  const { order, child, equal, start, end, limit, isLast } = asked;
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
