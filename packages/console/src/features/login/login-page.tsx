import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { sendEmailVerification, type User } from 'firebase/auth';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectAuth } from '../../api/auth.ts';
import { isProjectId } from '../../api/projects.ts';
import { projectOfAddress } from '../../session/addresses.ts';
import { leaveProject, type Membership } from '../../session/member.ts';
import { Failure, LoadingBar } from '../../ui/states.tsx';
import { EnrolView } from './enroll-view.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProblemAlert, SignInCard, useAttempt } from './sign-in-card.tsx';

interface NoMemberViewProps {
  readonly project: string;
  readonly name: string;
  readonly leave: () => void;
}

/** For somebody with an account of the project who is no member of it, or is one no more. */
function NoMemberView({ project, name, leave }: NoMemberViewProps) {
  const { t } = useTranslation('member-sign-in');
  return (
    <SignInCard title={t('noMember.title')}>
      <Typography>{t('noMember.text', { name, project })}</Typography>
      <Button variant="contained" autoFocus onClick={leave}>
        {t('noMember.other')}
      </Button>
    </SignInCard>
  );
}

interface ProjectFormProps {
  /** A project that was asked for and is not there. */
  readonly unknown: string | undefined;
  readonly choose: (projectId: string) => void;
}

/** Asks which project to sign in to: the server tells strangers no names. */
function ProjectForm({ unknown, choose }: ProjectFormProps) {
  const { t } = useTranslation('member-sign-in');
  const [id, setId] = useState('');
  return (
    <SignInCard title={t('project.title')}>
      <Typography color="textSecondary">{t('project.text')}</Typography>
      {unknown !== undefined && <Alert severity="error">{t('project.unknown', { project: unknown })}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isProjectId(id)) choose(id);
        }}
      >
        <TextField
          autoFocus
          fullWidth
          required
          label={t('project.id')}
          value={id}
          onChange={(event) => setId(event.target.value.trim())}
          slotProps={{ htmlInput: { dir: 'ltr', autoCapitalize: 'none', spellCheck: false } }}
          sx={{ marginBlockEnd: 2 }}
        />
        <Button type="submit" variant="contained" fullWidth disabled={!isProjectId(id)}>
          {t('project.go')}
        </Button>
      </form>
    </SignInCard>
  );
}

interface VerifyEmailViewProps {
  readonly user: User;
  readonly leave: () => void;
  /** The address is verified. */
  readonly done: () => void;
}

/** An account gets a second factor only once its address is known to be its owner's. */
function VerifyEmailView({ user, leave, done }: VerifyEmailViewProps) {
  const { t } = useTranslation('member-sign-in');
  const [isSent, setIsSent] = useState(false);
  const [attempt, run] = useAttempt();
  async function look(): Promise<void> {
    await user.reload();
    if (user.emailVerified) done();
    else throw new Error(t('verify.notYet'));
  }
  return (
    <SignInCard title={t('verify.title')}>
      <Typography>{t('verify.text', { email: user.email })}</Typography>
      {isSent && <Alert severity="success">{t('verify.sent')}</Alert>}
      <ProblemAlert attempt={attempt} />
      <Button
        variant={isSent ? 'outlined' : 'contained'}
        disabled={attempt.kind === 'running'}
        onClick={() =>
          void run(async () => {
            await sendEmailVerification(user);
            setIsSent(true);
          })
        }
      >
        {t('verify.send')}
      </Button>
      <Button
        variant={isSent ? 'contained' : 'outlined'}
        disabled={attempt.kind === 'running'}
        onClick={() => void run(look)}
      >
        {t('verify.look')}
      </Button>
      <Button onClick={leave}>{t('leave')}</Button>
    </SignInCard>
  );
}

interface MemberSignInPageProps {
  readonly membership: Membership;
  readonly chooseProject: (projectId: string | undefined) => void;
  readonly hold: (isHeld: boolean) => void;
}

/** Makes room for somebody else, who goes on at this address if it is one of the project. */
function leave(project: ProjectAuth): void {
  const isOfProject = projectOfAddress(location) === project.projectId;
  void leaveProject(project, isOfProject ? location.href : undefined);
}

/** Each step on the way into the console. */
export function MemberSignInPage({ membership, chooseProject, hold }: MemberSignInPageProps) {
  const { t } = useTranslation('member-sign-in');
  const [verified, setVerified] = useState<string>();
  switch (membership.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'no-project':
      return <ProjectForm unknown={membership.unknown} choose={chooseProject} />;
    case 'failed':
      return (
        <SignInCard title={t('failed')}>
          <Failure error={membership.error} retry={membership.retry} />
        </SignInCard>
      );
    case 'signed-out':
      return <PasswordForm project={membership.project} chooseOther={() => chooseProject(undefined)} />;
    case 'no-member': {
      const { project, user } = membership;
      return (
        <NoMemberView
          project={project.projectId}
          name={user.email ?? user.uid}
          leave={() => leave(project)}
        />
      );
    }
    case 'needs-factor':
    case 'member': {
      const { project } = membership;
      const user = project.auth.currentUser;
      if (user === null) return <LoadingBar />;
      if (!user.emailVerified && verified !== user.uid)
        return (
          <VerifyEmailView user={user} leave={() => leave(project)} done={() => setVerified(user.uid)} />
        );
      return <EnrolView project={project} user={user} leave={() => leave(project)} hold={hold} />;
    }
    default:
      return membership satisfies never;
  }
}
