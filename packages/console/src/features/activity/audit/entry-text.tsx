import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { AuditEntry } from '../../../api/audit.ts';
import { accountAddress, dataAddress, rulesAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { CodeText, showControls, UntrustedText } from '../../../ui/text.tsx';
import { deviceName } from '../../accounts/account-text.tsx';
import { useAuditWords } from './words.ts';

/** Shows what happened, how often, and what it concerns, with links. */
export function EntryText({ entry }: { readonly entry: AuditEntry }) {
  const { t, i18n } = useTranslation('activity');
  const { nameOf } = useAuditWords();
  const { event, count } = entry;
  return (
    <Box sx={{ minWidth: '14rem' }}>
      <Typography component="span" sx={{ fontWeight: 500 }}>
        {showControls(nameOf(event))}
      </Typography>
      {count > 1 && (
        <Chip
          size="small"
          label={t('audit.times', { count, number: count.toLocaleString(i18n.language) })}
          sx={{ marginInlineStart: 1 }}
        />
      )}
      <Typography variant="body2" color="textSecondary" component="div">
        <EntryParts entry={entry} />
      </Typography>
    </Box>
  );
}

/** Shows the account, the database, the path, the versions and the size that an entry names, separated by dots. */
function EntryParts({ entry }: { readonly entry: AuditEntry }) {
  const { t, i18n } = useTranslation('audit');
  const { extentOf } = useAuditWords();
  const project = useProjectId();
  const { uid, tenant, detail, subject } = entry;
  const number = (id: number): string => id.toLocaleString(i18n.language);
  const parts: ReactNode[] = [];
  if (uid !== null)
    parts.push(
      <Link component={RouterLink} to={accountAddress({ project, tenant }, uid)}>
        <UntrustedText text={uid} isCode />
      </Link>,
    );
  if (tenant !== undefined) parts.push(t('ofTenant', { id: showControls(tenant) }));
  if (subject === undefined) {
    if (detail !== null) parts.push(<UntrustedText text={detail} />);
    return <Dotted parts={parts} />;
  }
  const { database, path, change, ofChange, rulesVersion, ofRulesVersion } = subject;
  if (path !== undefined)
    parts.push(
      <Link component={RouterLink} to={dataAddress(project, database, path)}>
        <CodeText>{showControls(path)}</CodeText>
      </Link>,
    );
  if (rulesVersion !== undefined)
    parts.push(
      <Link component={RouterLink} to={`${rulesAddress(project, database, 'versions')}/${rulesVersion}`}>
        {t('version', { id: number(rulesVersion) })}
      </Link>,
    );
  if (ofRulesVersion !== undefined)
    parts.push(
      <Link component={RouterLink} to={`${rulesAddress(project, database, 'versions')}/${ofRulesVersion}`}>
        {t('ofVersion', { id: number(ofRulesVersion) })}
      </Link>,
    );
  const changed = ofChange ?? change;
  if (changed !== undefined) parts.push(t('change', { id: number(changed) }));
  parts.push(...extentOf(entry), <UntrustedText key="database" text={database} isCode />);
  return <Dotted parts={parts} />;
}

function Dotted({ parts }: { readonly parts: readonly ReactNode[] }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have a fixed order.
    <Fragment key={index}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ));
}

/** Shows the address and the program of the caller. */
export function EntrySource({ entry: { address, userAgent } }: { readonly entry: AuditEntry }) {
  const device = deviceName(userAgent);
  return (
    <>
      <CodeText>{address}</CodeText>
      {device !== undefined && (
        <Typography variant="body2" color="textSecondary" component="div" noWrap sx={{ maxWidth: '14rem' }}>
          <UntrustedText text={device} />
        </Typography>
      )}
    </>
  );
}
