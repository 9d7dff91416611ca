import { QrCode } from '@hearth/pages/shell/qr-code.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from 'firebase/auth';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createRecoveryCodes, type ProjectAuth, startEnrollment } from '../../api/auth.ts';
import { MEMBER_QUERY } from '../../session/member.ts';
import { CopyButton } from '../../ui/copy-and-save.tsx';
import { LoadingBar } from '../../ui/states.tsx';
import { CodeText } from '../../ui/text.tsx';
import { ProblemAlert, SignInCard, useAttempt } from './sign-in-card.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Name of the downloaded file. */
  readonly name: string;
  readonly done: () => void;
}

/** Shows new recovery codes, which the member can copy or download. The console does not show them a second time. */
function RecoveryCodes({ codes, name, done }: RecoveryCodesProps) {
  const { t } = useTranslation('member-sign-in');
  const text = codes.join('\n');
  const file = useMemo(() => URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' })), [text]);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <SignInCard title={t('codes.title')}>
      <Typography>{t('codes.text')}</Typography>
      <Box
        component="ul"
        aria-label={t('codes.title')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 1.5,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
        }}
      >
        {codes.map((code) => (
          <li key={code}>
            <CodeText>{code}</CodeText>
          </li>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
        <Button href={file} download={name} variant="outlined">
          {t('codes.download')}
        </Button>
        <CopyButton text={text} label={t('codes.copy')} />
      </Box>
      <Button variant="contained" size="large" autoFocus onClick={done}>
        {t('codes.done')}
      </Button>
    </SignInCard>
  );
}

interface EnrollViewProps {
  readonly project: ProjectAuth;
  readonly user: User;
  readonly leave: () => void;
  /** `true` keeps this view until the member has seen the recovery codes, although the console could already open. */
  readonly hold: (isHeld: boolean) => void;
}

/** Lets the user add the second factor that every member needs, and then shows the recovery codes. */
export function EnrollView({ project, user, leave, hold }: EnrollViewProps) {
  const { t } = useTranslation('member-sign-in');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const [attempt, run] = useAttempt();
  const client = useQueryClient();
  const issuer = `Hearth ${project.projectId}`;
  const {
    data: enrollment,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['enrollment', user.uid],
    queryFn: () => startEnrollment(user, issuer),
    // A refetch would create a new key, but the user may already have added the first one to the app.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (codes !== undefined)
    return (
      <RecoveryCodes
        codes={codes}
        name={`${project.projectId}-recovery-codes.txt`}
        done={() => hold(false)}
      />
    );

  async function enroll(): Promise<void> {
    if (enrollment === undefined) return;
    hold(true);
    try {
      await enrollment.finish(code.replaceAll(/\s/g, ''));
    } catch (cause) {
      hold(false);
      throw cause;
    }
    setCodes(await createRecoveryCodes(project));
    await client.invalidateQueries({ queryKey: MEMBER_QUERY });
  }
  return (
    <SignInCard title={t('enrol.title')}>
      <Typography>{t('enrol.text')}</Typography>
      {error !== null && !isFetching && (
        <>
          <ProblemAlert attempt={{ kind: 'failed', error }} />
          <Button variant="contained" onClick={() => void refetch()}>
            {t('retry', { ns: 'shell' })}
          </Button>
        </>
      )}
      {enrollment === undefined && isFetching && <LoadingBar />}
      {enrollment !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(enroll);
          }}
          style={{ display: 'contents' }}
        >
          <Box component="ol" sx={{ margin: 0, paddingInlineStart: 2.5, display: 'grid', gap: 1.5 }}>
            <li>
              <Typography>{t('enrol.scan')}</Typography>
              <Box sx={{ marginBlock: 1 }}>
                <QrCode text={enrollment.link} label={t('enrol.qr')} />
              </Box>
              <Typography>{t('enrol.key')}</Typography>
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <CodeText>{inGroups(enrollment.key)}</CodeText>
                <CopyButton text={enrollment.key} label={t('enrol.copyKey')} />
              </Box>
              <Link href={enrollment.link}>{t('enrol.open')}</Link>
            </li>
            <li>
              <Typography>{t('enrol.code')}</Typography>
            </li>
          </Box>
          <ProblemAlert attempt={attempt} />
          <TextField
            autoFocus
            required
            autoComplete="one-time-code"
            label={t('enrol.label')}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            slotProps={{ htmlInput: { dir: 'ltr', inputMode: 'numeric' } }}
          />
          <Button type="submit" variant="contained" size="large" loading={attempt.kind === 'running'}>
            {t('enrol.add')}
          </Button>
        </form>
      )}
      <Button onClick={leave}>{t('leave')}</Button>
    </SignInCard>
  );
}

/** Splits a key into groups of four characters, which are easier to read and type. */
function inGroups(key: string): string {
  return key.match(/.{1,4}/g)?.join(' ') ?? key;
}
