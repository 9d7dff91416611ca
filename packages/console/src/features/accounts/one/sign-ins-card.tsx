import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { SIGN_IN_EVENTS } from '../../../api/account-security.ts';
import type { AuditEntry } from '../../../api/audit.ts';
import { areaAddress } from '../../../session/addresses.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { deviceName, ProviderNames, printTime } from '../account-text.tsx';
import { useAccountScope } from '../use-accounts.ts';
import { parseSignIn, type SignIn, useSignIns } from './sign-ins.ts';

/** Lists the sign-ins to an account and the rejected attempts: when, how, from which network and device. New ones appear. */
export function SignInsCard({ uid }: { readonly uid: string }) {
  const { t, i18n } = useTranslation('accounts');
  const { entries, isFetching, more, isCut } = useSignIns(uid);
  const row = (entry: AuditEntry) => {
    const signIn = parseSignIn(entry);
    const { id, timeMs, lastTimeMs, address, userAgent } = entry;
    return {
      key: id,
      cells: [
        printTime(lastTimeMs ?? timeMs, i18n.language),
        <Outcome key="outcome" signIn={signIn} count={entry.count} />,
        <Method key="method" signIn={signIn} />,
        <Factor key="factor" kind={signIn.secondFactor} />,
        <bdi key="network" dir="ltr">
          {address}
        </bdi>,
        <UntrustedText key="device" text={deviceName(userAgent) ?? t('sessions.unknown')} />,
      ],
    };
  };
  return (
    <SectionCard title={t('signIns.title')} about={t('signIns.about')}>
      <Loaded of={entries}>
        {(list) =>
          list.length === 0 ? (
            <Typography color="textSecondary">{t('signIns.none')}</Typography>
          ) : (
            <PlainTable
              label={t('signIns.about')}
              head={[
                t('history.time'),
                t('history.result'),
                t('signIns.method'),
                t('signIns.factor'),
                t('signIns.network'),
                t('signIns.device'),
              ]}
              rows={list.map(row)}
            />
          )
        }
      </Loaded>
      {more !== null && (
        <Button loading={isFetching} onClick={more} sx={{ alignSelf: 'start' }}>
          {t('signIns.more')}
        </Button>
      )}
      {isCut && <AuditLink uid={uid} />}
    </SectionCard>
  );
}

/** Says whether the user signed in, and if not, why. */
function Outcome({ signIn, count }: { readonly signIn: SignIn; readonly count: number }) {
  const { t, i18n } = useTranslation('accounts');
  const { outcome, error } = signIn;
  const known = REASONS.find((reason) => reason === error);
  return (
    <Typography component="span" variant="body2" sx={{ color: COLORS[outcome] ?? 'text.primary' }}>
      {known !== undefined ? t(`signIns.reason.${known}`) : t(`signIns.outcome.${outcome}`)}
      {known === undefined && error !== undefined && (
        <>
          {' · '}
          <UntrustedText text={error} isCode />
        </>
      )}
      {count > 1 && ` × ${count.toLocaleString(i18n.language)}`}
    </Typography>
  );
}

/** Colors of outcomes; others have that of the text. */
const COLORS: Readonly<Partial<Record<SignIn['outcome'], string>>> = {
  signedIn: 'success.main',
  signedUp: 'success.main',
  rejected: 'error.main',
};

/** Error codes of rejected attempts that have a text. */
const REASONS = ['INVALID_LOGIN_CREDENTIALS', 'INVALID_CODE', 'USER_DISABLED'] as const;

/** Sign-in methods that are not among the providers of an account. */
const METHODS = ['emailLink', 'passkey', 'provider'] as const;

function Method({ signIn: { method, isHostedPage } }: { readonly signIn: SignIn }) {
  const { t } = useTranslation('accounts');
  if (method === undefined) return '–';
  const known = METHODS.find((name) => name === method);
  return (
    <>
      {known === undefined ? <ProviderNames ids={[method]} /> : t(`signIns.methods.${known}`)}
      {isHostedPage && ` · ${t('signIns.hosted')}`}
    </>
  );
}

function Factor({ kind }: { readonly kind: string | undefined }) {
  const { t } = useTranslation('accounts');
  switch (kind) {
    case undefined:
      return '–';
    case 'totp':
      return t('factors.app');
    case 'phone':
      return t('provider.phone');
    default:
      return <UntrustedText text={kind} isCode />;
  }
}

/** A link to the entries of the audit log that the timeline leaves out. */
function AuditLink({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('accounts');
  const { project, tenant } = useAccountScope();
  const query = new URLSearchParams({ uid, event: SIGN_IN_EVENTS });
  if (tenant !== undefined) query.set('tenant', tenant);
  return (
    <Link
      component={RouterLink}
      to={`${areaAddress(project, 'activity')}/audit?${query}`}
      variant="body2"
      sx={{ alignSelf: 'start' }}
    >
      {t('signIns.all')}
    </Link>
  );
}
