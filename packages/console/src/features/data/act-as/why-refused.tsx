import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { NodePath } from '../model/node-path.ts';
import { type NodeQuery, parseBound } from '../query/node-query.ts';
import { useActing } from './acting.ts';

interface WhyRefusedProps {
  readonly path: NodePath;
  readonly query: NodeQuery;
}

/** Leads to why rules refuse a query to whoever is acted for. */
export function WhyRefused({ path, query }: WhyRefusedProps) {
  const { t } = useTranslation('data');
  const { who, explain } = useActing();
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

/** The variable `query` of rules. */
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
