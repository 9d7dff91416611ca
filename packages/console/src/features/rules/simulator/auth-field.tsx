import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, findAccountsByStart } from '../../../api/accounts.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { ChoiceButtons } from '../../../ui/choice-buttons.tsx';
import { authOfAccount } from './question.ts';

/** Maximum number of suggested accounts. */
const LIMIT = 8;

/** Finds accounts by the beginning of their email, phone number, user ID or a word of their name; none for an empty text. */
function useAccountSearch(text: string): {
  readonly accounts: readonly Account[];
  readonly error: Error | null;
  readonly isLoading: boolean;
} {
  const api = useApi();
  const project = useProjectId();
  const prefix = useDeferredValue(text.trim());
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    queryKey: ['accounts', project, 'beginning', prefix],
    queryFn: ({ signal }) => findAccountsByStart(api, project, prefix, LIMIT, signal),
    enabled: prefix !== '',
    // While the user continues typing, suggestions stay until new ones arrive, so that a highlighted suggestion does not vanish.
    placeholderData: (found, query) => (isContinuationOf(prefix, query?.queryKey.at(-1)) ? found : undefined),
  });
  return { accounts: prefix === '' ? [] : data, error, isLoading: isFetching };
}

function isContinuationOf(prefix: string, earlier: unknown): boolean {
  return typeof earlier === 'string' && prefix.startsWith(earlier);
}

interface AuthFieldProps {
  /** The variable `auth` as JSON; empty for an anonymous caller. */
  readonly auth: string;
  /** Whether the principal is a user whose `auth` is not known. */
  readonly isOmitted: boolean;
  readonly isWrong: boolean;
  readonly change: (auth: string) => void;
}

const NEW_AUTH = JSON.stringify({ uid: 'alice', token: { email: 'alice@example.com' } }, null, 2);

/**
 * Lets the member choose the principal: an anonymous caller, or a user. The `auth` of a user is typed or taken from an
 * account.
 */
export function AuthField({ auth, isOmitted, isWrong, change }: AuthFieldProps) {
  const { t } = useTranslation('rules');
  const isAnonymous = auth === '' && !isOmitted;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}>
      <ChoiceButtons
        label={t('simulator.who')}
        chosen={isAnonymous ? 'guest' : 'user'}
        choices={[
          { id: 'guest', title: t('simulator.guest') },
          { id: 'user', title: t('simulator.user') },
        ]}
        choose={(who) => change(who === 'guest' ? '' : NEW_AUTH)}
      />
      {!isAnonymous && (
        <>
          <AccountField choose={(account) => change(JSON.stringify(authOfAccount(account), null, 2))} />
          <TextField
            multiline
            maxRows={12}
            label={t('simulator.auth')}
            value={auth}
            error={isWrong}
            helperText={t(
              isOmitted ? 'simulator.omitted' : isWrong ? 'simulator.noJson' : 'simulator.authHint',
            )}
            onChange={(event) => change(event.target.value)}
            slotProps={{
              htmlInput: { dir: 'ltr', spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 13 } },
            }}
          />
        </>
      )}
    </Box>
  );
}

/** Lets the user choose an account of the project by typing. */
export function AccountField({ choose }: { readonly choose: (account: Account) => void }) {
  const { t } = useTranslation('rules');
  const [text, setText] = useState('');
  const { accounts, error, isLoading } = useAccountSearch(text);
  return (
    <Autocomplete
      size="small"
      options={accounts}
      filterOptions={(options) => options}
      loading={isLoading}
      loadingText={t('simulator.searching')}
      noOptionsText={error?.message ?? t(text === '' ? 'simulator.typeAccount' : 'simulator.noAccount')}
      inputValue={text}
      value={null}
      blurOnSelect
      onInputChange={(_event, value, reason) => setText(reason === 'input' ? value : '')}
      onChange={(_event, account) => {
        if (account !== null) choose(account);
      }}
      getOptionKey={({ localId }) => localId}
      getOptionLabel={({ email, displayName, localId }) => email ?? displayName ?? localId}
      renderInput={(parameters) => <TextField {...parameters} label={t('simulator.account')} />}
    />
  );
}
