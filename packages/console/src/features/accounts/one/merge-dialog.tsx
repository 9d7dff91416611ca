import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, findAccountsByStart, findDuplicates } from '../../../api/accounts.ts';
import { loadableOf } from '../../../api/query-state.ts';
import { useApi } from '../../../session/session.ts';
import { Loaded } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { accountName } from '../account-text.tsx';
import { useAccountRights, useAccountScope } from '../use-accounts.ts';
import { MergePreviewForm } from './merge-preview.tsx';

/** A button that opens the dialog in which duplicates of an account are found and merged with it. */
export function MergeButton({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const [isOpen, setIsOpen] = useState(false);
  if (!mayChange) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setIsOpen(true)}>
        {t('merge.action')}
      </Button>
      {isOpen && <MergeDialog account={account} close={() => setIsOpen(false)} />}
    </>
  );
}

/** Lets the member choose another account of the same user, shows what a merge would do, and merges the two. */
function MergeDialog({ account, close }: { readonly account: Account; readonly close: () => void }) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const [other, setOther] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  return (
    <Dialog open onClose={isRunning ? undefined : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('merge.title')}</DialogTitle>
      {other === undefined ? (
        <>
          <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
            <Typography>{t('merge.about')}</Typography>
            <FoundDuplicates uid={account.localId} choose={setOther} />
            <OtherAccount uid={account.localId} choose={setOther} />
          </DialogContent>
          <DialogActions>
            <Button onClick={close} autoFocus>
              {t('cancel', { ns: 'shell' })}
            </Button>
          </DialogActions>
        </>
      ) : (
        <MergePreviewForm
          uid={account.localId}
          other={other}
          setIsRunning={setIsRunning}
          isRunning={isRunning}
          back={() => setOther(undefined)}
          close={close}
        />
      )}
    </Dialog>
  );
}

interface ChooseProps {
  readonly uid: string;
  readonly choose: (uid: string) => void;
}

/** Lists the accounts that share an address or a number with this one. */
function FoundDuplicates({ uid, choose }: ChooseProps) {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const scope = useAccountScope();
  const found = loadableOf(
    useQuery({
      queryKey: ['account', scope.project, scope.tenant ?? null, uid, 'duplicates'],
      queryFn: ({ signal }) => findDuplicates(api, scope, uid, signal),
    }),
  );
  return (
    <Loaded of={found}>
      {({ duplicates, isComplete }) => (
        <>
          {duplicates.length === 0 ? (
            <Typography color="textSecondary">{t('merge.none')}</Typography>
          ) : (
            <AccountChoices
              label={t('merge.title')}
              accounts={duplicates.map(({ account, shared }) => ({
                account,
                text: t('merge.shared', { contacts: shared.map(({ text }) => text).join(' · ') }),
              }))}
              choose={choose}
            />
          )}
          {!isComplete && <Alert severity="info">{t('merge.partial')}</Alert>}
        </>
      )}
    </Loaded>
  );
}

/** Most accounts that a search for another account lists. */
const MAX_CHOICES = 10;

/** Finds another account by its address, number, name or user ID. */
function OtherAccount({ uid, choose }: ChooseProps) {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const scope = useAccountScope();
  const [text, setText] = useState('');
  const [sought, setSought] = useState('');
  const query = useQuery({
    queryKey: ['accounts', scope.project, scope.tenant ?? null, 'other', sought],
    queryFn: ({ signal }) => findAccountsByStart(api, scope, sought, MAX_CHOICES, signal),
    enabled: sought !== '',
  });
  return (
    <>
      <form
        style={{ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center' }}
        onSubmit={(event) => {
          event.preventDefault();
          setSought(text.trim());
        }}
      >
        <TextField
          label={t('merge.other')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          sx={{ flex: '1 1 16rem' }}
          slotProps={{ htmlInput: { dir: 'auto', spellCheck: false } }}
        />
        <Button type="submit" variant="outlined" disabled={text.trim() === ''}>
          {t('merge.find')}
        </Button>
      </form>
      {sought !== '' && (
        <Loaded of={loadableOf(query)}>
          {(accounts) => {
            const others = accounts.filter(({ localId }) => localId !== uid);
            return others.length === 0 ? (
              <Typography color="textSecondary">{t('none.found')}</Typography>
            ) : (
              <AccountChoices
                label={t('merge.other')}
                accounts={others.map((account) => ({ account, text: account.localId }))}
                choose={choose}
              />
            );
          }}
        </Loaded>
      )}
    </>
  );
}

interface AccountChoicesProps {
  readonly label: string;
  readonly accounts: readonly { readonly account: Account; readonly text: string }[];
  readonly choose: (uid: string) => void;
}

function AccountChoices({ label, accounts, choose }: AccountChoicesProps) {
  return (
    <List disablePadding dense aria-label={label}>
      {accounts.map(({ account, text }) => (
        <li key={account.localId}>
          <ListItemButton component="button" onClick={() => choose(account.localId)} sx={{ width: '100%' }}>
            <ListItemText
              primary={<UntrustedText text={accountName(account)} />}
              secondary={<UntrustedText text={text} />}
            />
          </ListItemButton>
        </li>
      ))}
    </List>
  );
}
