import type { RulesAuthor } from '@hearth/core/api/rules-version.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { Loadable } from '../../api/query-state.ts';
import { accountAddress, areaAddress, rulesAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { AREA_ICONS } from '../../shell/areas.ts';
import { UntrustedText } from '../../ui/text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { useAuditWords } from '../activity/audit/words.ts';
import { CHANGE_AREAS, type Change, type ChangeEvent } from './changes.ts';
import { Part, Row, RowList } from './part.tsx';
import { useRecentChanges } from './use-changes.ts';

interface RecentChangesProps {
  readonly database: string;
}

/** Shows the latest administrative changes of a project. */
export function RecentChanges({ database }: RecentChangesProps) {
  return <RecentChangesView database={database} recent={useRecentChanges(database)} />;
}

interface RecentChangesViewProps extends RecentChangesProps {
  readonly recent: Loadable<{
    readonly changes: readonly Change[];
    readonly names: ReadonlyMap<string, string>;
  }>;
}

export function RecentChangesView({ database, recent }: RecentChangesViewProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  return (
    <Part
      title={t('changes.title')}
      of={recent}
      actions={
        <Link component={RouterLink} variant="body2" to={`${areaAddress(project, 'activity')}/audit`}>
          {t('changes.all')}
        </Link>
      }
    >
      {({ changes, names }) =>
        changes.length === 0 ? (
          <Typography color="textSecondary" sx={{ paddingBlock: 1 }}>
            {t('changes.none')}
          </Typography>
        ) : (
          <RowList label={t('changes.title')}>
            {changes.map((change) => (
              <ChangeRow
                key={change.kind === 'rules' ? change.version.id : change.entry.id}
                database={database}
                change={change}
                names={names}
              />
            ))}
          </RowList>
        )
      }
    </Part>
  );
}

interface ChangeRowProps extends RecentChangesProps {
  readonly change: Change;
  readonly names: ReadonlyMap<string, string>;
}

function ChangeRow({ database, change, names }: ChangeRowProps) {
  const project = useProjectId();
  const describe = useDescription(names);
  const { title, subject, actor } = describe(change);
  const Icon = AREA_ICONS[change.kind === 'rules' ? 'rules' : CHANGE_AREAS[change.event]];
  return (
    <Row
      icon={<Icon fontSize="small" aria-hidden sx={{ color: 'text.secondary' }} />}
      address={addressOf(change, project, database)}
      details={joined([
        <TimeText key="time" ms={change.timeMs} />,
        <UntrustedText key="actor" text={actor} />,
        subject !== '' && <UntrustedText key="subject" text={subject} />,
      ])}
    >
      {title}
    </Row>
  );
}

/** Joins parts with dots, and omits parts that are `false`. */
function joined(parts: readonly ReactNode[]): ReactNode {
  return parts
    .filter((part) => part !== false)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have a fixed order.
      <Fragment key={index}>
        {index > 0 && ' · '}
        {part}
      </Fragment>
    ));
}

/** Events whose detail lists the changed fields by their names in the API. Only the audit log shows such details. */
const NAMING_FIELDS: ReadonlySet<ChangeEvent> = new Set(['account_updated', 'config_changed']);

/** The detail of an import, as the server writes it in the audit log. */
const IMPORT_COUNTS = /^(\d+) accounts, (\d+) rejected$/;

/** The kind, the target and the author of a change. */
interface Description {
  readonly title: string;
  /** May be empty. */
  readonly subject: string;
  readonly actor: string;
}

function useDescription(names: ReadonlyMap<string, string>): (change: Change) => Description {
  const { t, i18n } = useTranslation('overview');
  const { nameOf, actorOf, extentOf } = useAuditWords();
  const accountName = (uid: string): string => names.get(uid) ?? uid;
  const number = (id: number): string => new Intl.NumberFormat(i18n.language).format(id);
  function printAuthor(author: RulesAuthor): string {
    switch (author.kind) {
      case 'user':
      case 'member':
        return accountName(author.uid);
      case 'service-account':
        return author.email;
      case 'file':
        return author.name;
      case 'admin':
        return t('changes.admin');
      case 'guest':
      case 'unknown':
        return t('changes.unknown');
      default:
        return author satisfies never;
    }
  }
  function printDetail(event: ChangeEvent, detail: string | null): string | null {
    if (NAMING_FIELDS.has(event)) return null;
    const counts = detail === null ? null : IMPORT_COUNTS.exec(detail);
    if (counts === null) return detail;
    const [accounts = 0, rejected = 0] = counts.slice(1).map(Number);
    return t('changes.imported', { accounts: number(accounts), rejected: number(rejected) });
  }
  return (change) => {
    if (change.kind === 'rules') {
      const { id, rolledBackTo, message, author } = change.version;
      const title =
        rolledBackTo === null
          ? t('changes.rules', { id: number(id) })
          : t('changes.rolledBack', { id: number(rolledBackTo) });
      return { title, subject: message ?? '', actor: printAuthor(author) };
    }
    const { actor, uid, tenant, detail, subject } = change.entry;
    const account = uid === null || tenant !== undefined ? uid : accountName(uid);
    const parts =
      subject === undefined
        ? [account, printDetail(change.event, detail)]
        : [subject.path ?? null, ...extentOf(change.entry), subject.database];
    return {
      title: nameOf(change.event),
      subject: parts.filter((part) => part !== null && part !== '').join(', '),
      actor: actorOf(actor),
    };
  };
}

/** Returns the address of the rules version, of the changed account, or of the entry in the audit log. */
function addressOf(change: Change, project: string, database: string): string {
  if (change.kind === 'rules') return `${rulesAddress(project, database, 'versions')}/${change.version.id}`;
  const { event, uid, tenant, requestId } = change.entry;
  if (uid !== null && event !== 'account_deleted') return accountAddress({ project, tenant }, uid);
  const filter = new URLSearchParams({ event, ...(requestId === null ? {} : { requestId }) });
  return `${areaAddress(project, 'activity')}/audit?${filter}`;
}
