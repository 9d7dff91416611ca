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
import { EnrollView } from './enroll-view.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProblemAlert, SignInCard, useAttempt } from './sign-in-card.tsx';

interface NoMemberViewProps {
  readonly project: string;
  readonly name: string;
  readonly leave: () => void;
}

/** Shown to a user who is not a member of the project, or is no longer one. */
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
  /** The requested project, if it does not exist. */
  readonly unknown: string | undefined;
  readonly choose: (projectId: string) => void;
}

/** Asks for the project to sign in to. The server does not list projects to users who are not signed in. */
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
  /** Called once the email is verified. */
  readonly done: () => void;
}

/** Asks the user to verify the email, which is required before a second factor can be added. */
function VerifyEmailView({ user, leave, done }: VerifyEmailViewProps) {
  const { t } = useTranslation('member-sign-in');
  const [isSent, setIsSent] = useState(false);
  const [attempt, run] = useAttempt();
  async function check(): Promise<void> {
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
        onClick={() => void run(check)}
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

/** Signs out. After the next sign-in, the user continues at the current address if it belongs to the project. */
function leave(project: ProjectAuth): void {
  const isOfProject = projectOfAddress(location) === project.projectId;
  void leaveProject(project, isOfProject ? location.href : undefined);
}

/** Shows the current step of signing in to the console. */
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
      return <EnrollView project={project} user={user} leave={() => leave(project)} hold={hold} />;
    }
    default:
      return membership satisfies never;
  }
}
