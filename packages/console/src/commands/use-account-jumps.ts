import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showControls } from '../elements/show-controls.ts';
import { accountAddress } from '../routes/addresses.ts';
import { type Account, findAccountsByStart } from '../server/accounts.ts';
import { useApi, useProjectId } from '../session/session.ts';
import type { Command } from './commands.ts';

/** Most accounts that are offered; whoever looks for another writes more. */
const MAX_SHOWN = 8;

/** A single letter begins too many names. */
const MIN_LENGTH = 2;

/** Long enough that whoever types on is not answered for every letter, in ms. */
const PAUSE_MS = 200;

const NONE: readonly Account[] = [];

/** Accounts of the project whose address, number, user id or name begins with a text. What is typed on is not waited for. */
export function useAccountJumps(text: string): {
  readonly commands: readonly Command[];
  readonly isLoading: boolean;
} {
  const { t } = useTranslation();
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const wanted = text.trim();
  const asked = useSettled(wanted);
  const isWanted = wanted.length >= MIN_LENGTH && !wanted.startsWith('/');
  const isSettled = isWanted && asked === wanted;
  const { data = NONE, isFetching } = useQuery({
    queryKey: ['accounts', project, 'jumps', asked],
    queryFn: ({ signal }) => findAccountsByStart(api, project, asked, MAX_SHOWN, signal),
    enabled: isSettled,
  });
  const commands = useMemo(
    () =>
      // Enter must not open what was found of another text.
      (isSettled ? data : NONE).map(
        (account): Command => ({
          id: `account.${account.localId}`,
          title: titleOf(account),
          group: t('palette.accounts'),
          run: () => void navigate(accountAddress(project, account.localId)),
        }),
      ),
    [t, navigate, project, isSettled, data],
  );
  return { commands, isLoading: isWanted && (isFetching || !isSettled) };
}

/** The text as it was when nothing was typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** By what people know it, and its user id, which no other account has. */
function titleOf({ email, phoneNumber, displayName, localId }: Account): string {
  const names = [email ?? phoneNumber, displayName, localId].filter(
    (name) => name !== undefined && name !== '',
  );
  return showControls(names.join(' · '));
}
