import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MemberSignInPage } from '../features/login/login-page.tsx';
import { projectOfAddress, rememberProject } from '../session/addresses.ts';
import { useMember } from '../session/member.ts';
import { type Session, SessionContext } from '../session/session.ts';
import type { Gate, GateProps } from './gate.ts';

/** Members sign in with the SDK, which says later who is there. */
export const memberGate: Gate = { Component: MemberGate, prepare: async () => {} };

/**
 * Lets members in. When a session ends while somebody works, what they were at stays as it is behind the sign-in, unseen, and is
 * there again when the same member comes back.
 */
function MemberGate({ parameters, children }: GateProps) {
  const { t } = useTranslation('member-sign-in');
  const [projectId, chooseProject] = useState(() => projectOfAddress(location));
  const membership = useMember(projectId, parameters);
  // While somebody is shown their recovery codes they are a member already.
  const [isHeld, hold] = useState(false);
  const isIn = membership.kind === 'member' && !isHeld;
  const session = useLastSession(membership.kind === 'member' ? membership.session : undefined);
  const client = useQueryClient();
  useEffect(() => {
    if (!isIn) return;
    rememberProject(membership.project.projectId);
    // What failed while nobody was signed in.
    void client.refetchQueries({ predicate: ({ state }) => state.status === 'error', type: 'active' });
  }, [isIn, membership, client]);
  const page = <MemberSignInPage membership={membership} chooseProject={chooseProject} hold={hold} />;
  if (session === undefined || isHeld) return page;
  return (
    <>
      <Box key={session.user?.uid} inert={!isIn} sx={{ visibility: isIn ? undefined : 'hidden' }}>
        <SessionContext value={session}>{children}</SessionContext>
      </Box>
      {!isIn && (
        // Above dialogs that were open, too.
        <Dialog
          fullScreen
          open
          slotProps={{ paper: { 'aria-label': t('label') } }}
          sx={{ zIndex: 'tooltip' }}
        >
          {page}
        </Dialog>
      )}
    </>
  );
}

/** The session, or the one that ended last. */
function useLastSession(session: Session | undefined): Session | undefined {
  const [last, remember] = useState(session);
  if (session !== undefined && session !== last) remember(session);
  return session ?? last;
}
