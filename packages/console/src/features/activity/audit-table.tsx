import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { CodeText } from '../../elements/code-text.tsx';
import { CopyButton } from '../../elements/copy-button.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { PlainTable } from '../../elements/plain-table.tsx';
import { TimeText } from '../../elements/time-text.tsx';
import { accountAddress } from '../../routes/addresses.ts';
import type { AuditEntry } from '../../server/audit.ts';
import { useProjectId } from '../../session/session.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
}

/** Entries of the audit, each of which can be copied whole. */
export function AuditTable({ entries }: AuditTableProps) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  return (
    <PlainTable
      label={t('section.audit')}
      head={[
        t('audit.time'),
        t('audit.event'),
        t('audit.result'),
        t('audit.uid'),
        t('audit.actor'),
        t('audit.address'),
        t('audit.detail'),
        t('actions'),
      ]}
      rows={entries.map((entry) => ({
        key: entry.id,
        cells: [
          <TimeText key="time" ms={entry.timeMs} />,
          <Box key="event" sx={{ whiteSpace: 'nowrap' }}>
            <CodeText>{entry.event}</CodeText>
          </Box>,
          <Chip
            key="result"
            size="small"
            variant="outlined"
            color={entry.result === 'ok' ? 'success' : 'error'}
            label={entry.result}
          />,
          entry.uid !== null && (
            <Link key="account" component={RouterLink} to={accountAddress(project, entry.uid)}>
              <ForeignText text={entry.uid} isCode />
            </Link>
          ),
          <ForeignText key="actor" text={entry.actor} />,
          <CodeText key="address">{entry.address}</CodeText>,
          entry.detail !== null && <ForeignText key="detail" text={entry.detail} />,
          <CopyButton
            key="copy"
            text={JSON.stringify(entry, null, 2)}
            label={`${t('audit.copy')}: ${entry.event}, ${entry.id}`}
          />,
        ],
      }))}
    />
  );
}
