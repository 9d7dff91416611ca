import PersonIcon from '@mui/icons-material/TheaterComedyOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DeniedAction, ImpersonationApi, impersonationCredential } from '../../../api/impersonation.ts';
import { type Session, SessionContext, useRights, useSession } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { EmptyState, Failure, LoadingBar } from '../../../ui/states.tsx';
import { CodeText, showControls, UntrustedText } from '../../../ui/text.tsx';
import { type ReadQuestion, withDoubles } from '../../rules/simulator/question.ts';
import type { DataLocation } from '../model/location.ts';
import { DeniedActionNotice } from './denied.tsx';
import {
  encodeImpersonated,
  type FoundPrincipal,
  IMPERSONATED,
  type Impersonation,
  ImpersonationContext,
  useImpersonatedPrincipal,
  useImpersonation,
} from './model.ts';

const ChooseDialog = lazy(async () => ({ default: (await import('./choose-dialog.tsx')).ChooseDialog }));
const ExplainDialog = lazy(async () => ({ default: (await import('./explain-dialog.tsx')).ExplainDialog }));

interface ViewAsProps {
  readonly location: DataLocation;
  readonly children: ReactNode;
}

/** Provides a session with which the views of data read and write as the principal that the address names. */
export function ViewAs({ location, children }: ViewAsProps) {
  const { t } = useTranslation('data');
  const session = useSession();
  const { parameters, set, database } = location;
  const text = parameters.get(IMPERSONATED);
  const who = useImpersonatedPrincipal(text);
  const [denied, setDenied] = useState<DeniedAction | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [question, setQuestion] = useState<ReadQuestion | null>(null);
  // `auth` is compared as text, so that views stay mounted when the account is loaded again with equal claims. While the
  // account is loading for the first time, views act as an anonymous client.
  const authText = who.kind === 'self' ? null : JSON.stringify(who.kind === 'other' ? who.auth : null);
  const viewSession = useMemo(() => impersonatedSession(session, authText, setDenied), [session, authText]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a denial belongs to one path and one principal.
  useEffect(() => setDenied(null), [database, location.path, text]);

  const impersonation = useMemo(
    (): Impersonation => ({
      who,
      denied,
      clearDenied: () => setDenied(null),
      choose: () => setChoosing(true),
      stop: () => set({ [IMPERSONATED]: null }),
      explain: (input) => {
        if (who.kind === 'other') setQuestion({ ...input, auth: withDoubles(who.auth) });
      },
    }),
    [who, denied, set],
  );
  const { choose, stop } = impersonation;
  const commands = useMemo(
    () => [
      { id: 'data.act-as', title: t('actAs.choose'), group: t('title'), keys: 'u', run: choose },
      ...(text === null
        ? []
        : [{ id: 'data.act-as.stop', title: t('actAs.stop'), group: t('title'), run: stop }]),
    ],
    [t, text, choose, stop],
  );
  useCommands(commands);
  return (
    <ImpersonationContext value={impersonation}>
      <SessionContext value={viewSession}>{children}</SessionContext>
      <Suspense>
        {isChoosing && (
          <ChooseDialog
            chosen={who.kind === 'other' ? who.impersonated : null}
            choose={(impersonated) => set({ [IMPERSONATED]: encodeImpersonated(impersonated) })}
            close={() => setChoosing(false)}
          />
        )}
        {question !== null && (
          <ExplainDialog database={database} question={question} close={() => setQuestion(null)} />
        )}
      </Suspense>
    </ImpersonationContext>
  );
}

function impersonatedSession(
  session: Session,
  authText: string | null,
  onDenied: (action: DeniedAction) => void,
): Session {
  if (authText === null) return session;
  const auth = JSON.parse(authText);
  return {
    ...session,
    api: new ImpersonationApi(session.api, auth, onDenied),
    credential: impersonationCredential(session.credential, auth),
  };
}

type Other = Extract<FoundPrincipal, { kind: 'other' }>;

/** Shows the impersonated principal and the latest denied action, while impersonation is active. */
export function ImpersonationBar() {
  const { t } = useTranslation('data');
  const { who, choose, stop } = useImpersonation();
  const { mayChange } = useRights();
  if (who.kind !== 'other') return null;
  return (
    <Box
      component="section"
      aria-label={t('actAs.bar')}
      sx={{ position: 'sticky', top: 0, zIndex: 'appBar', display: 'flex', flexDirection: 'column', gap: 1 }}
    >
      <Alert
        severity="warning"
        icon={<PersonIcon />}
        sx={{ border: 2, borderColor: 'warning.main' }}
        action={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'end' }}>
            <Button color="inherit" size="small" onClick={choose}>
              {t('actAs.change')}
            </Button>
            <Button color="inherit" size="small" variant="outlined" onClick={stop}>
              {t('actAs.stop')}
            </Button>
          </Box>
        }
      >
        <div role="status">
          {t('actAs.as')} <strong>{nameOf(who)}</strong>
        </div>
        {/* On phones, there is room only for the principal and its claims. */}
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {t(mayChange ? 'actAs.judged' : 'actAs.judgedLooking')}
        </Box>{' '}
        {claimsOf(who)}
        {who.isRemoved && <div>{t('actAs.gone')}</div>}
        {who.account?.disabled === true && <div>{t('actAs.disabledHint')}</div>}
      </Alert>
      <DeniedActionNotice />
    </Box>
  );

  function nameOf({ account, auth }: Other) {
    if (auth === null) return t('actAs.nobody');
    const uid = auth['uid'];
    const name = account?.email ?? account?.displayName ?? (typeof uid === 'string' ? uid : undefined);
    return name === undefined ? t('actAs.somebody') : <UntrustedText text={name} />;
  }

  function claimsOf({ account, impersonated }: Other) {
    const claims =
      impersonated.kind === 'claims' ? JSON.stringify(impersonated.auth) : account?.customAttributes;
    if (claims === undefined || claims === '{}') return null;
    return (
      <>
        {t('actAs.ownClaims')} <CodeText>{showControls(claims.slice(0, MAX_SHOWN))}</CodeText>
      </>
    );
  }
}

/** Maximum length of shown claims in UTF-16 code units. */
const MAX_SHOWN = 200;

interface ImpersonationProblemProps {
  readonly who: Exclude<FoundPrincipal, { kind: 'other' | 'self' }>;
}

/** Shown instead of data while the principal is loading, or if it is invalid, does not exist or could not be loaded. */
export function ImpersonationProblem({ who }: ImpersonationProblemProps) {
  const { t } = useTranslation('data');
  const { choose, stop } = useImpersonation();
  switch (who.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'failed':
      return <Failure error={who.error} retry={who.retry} />;
    default:
  }
  return (
    <EmptyState
      title={t(who.kind === 'absent' ? 'actAs.absent' : 'actAs.unreadable')}
      action={
        <>
          <Button variant="contained" onClick={choose}>
            {t('actAs.choose')}
          </Button>
          <Button onClick={stop}>{t('actAs.stop')}</Button>
        </>
      }
    >
      {who.kind === 'absent' && <UntrustedText isCode text={who.uid} />}
    </EmptyState>
  );
}
