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

/** The gate of mode `serve`: members sign in with the Auth SDK. The session is loaded after the first render. */
export const memberGate: Gate = { Component: MemberGate, prepare: async () => {} };

/**
 * Shows the console to members. When a session ends, the view stays mounted but hidden behind the sign-in, and is visible
 * again after the same member signs in.
 */
function MemberGate({ parameters, children }: GateProps) {
  const { t } = useTranslation('member-sign-in');
  const [projectId, chooseProject] = useState(() => projectOfAddress(location));
  const membership = useMember(projectId, parameters);
  // The sign-in page stays open while it shows recovery codes, although the user is a member by then.
  const [isHeld, hold] = useState(false);
  const isIn = membership.kind === 'member' && !isHeld;
  const session = useLastSession(membership.kind === 'member' ? membership.session : undefined);
  const client = useQueryClient();
  useEffect(() => {
    if (!isIn) return;
    rememberProject(membership.project.projectId);
    // Repeats the failed queries of the view, which may have failed because the member was signed out.
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
        // The sign-in is a dialog itself, so that it covers open dialogs of the view.
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

/** Returns the current session; after it has ended, the last one. */
function useLastSession(session: Session | undefined): Session | undefined {
  const [last, remember] = useState(session);
  if (session !== undefined && session !== last) remember(session);
  return session ?? last;
}
