import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { LoadingBar } from '../../elements/loading-bar.tsx';
import type { ProjectAuth } from '../../server/project-auth.ts';
import { projectOfAddress } from '../../session/project-of-address.ts';
import { leaveProject, type Membership } from '../../session/use-member.ts';
import { EnrolView } from './enrol-view.tsx';
import { NoMemberView } from './no-member-view.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProjectForm } from './project-form.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { VerifyEmailView } from './verify-email-view.tsx';

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
