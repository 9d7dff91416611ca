import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import {
  type Account,
  type MergedPart,
  type MergePreview,
  mergeAccounts,
  previewMerge,
} from '../../../api/accounts.ts';
import { loadableOf } from '../../../api/query-state.ts';
import { accountAddress } from '../../../session/addresses.ts';
import { useApi } from '../../../session/session.ts';
import { useIsHere } from '../../../ui/interaction.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { CodeText, showControls, UntrustedText } from '../../../ui/text.tsx';
import { accountName } from '../account-text.tsx';
import { useAccountActions, useAccountScope } from '../use-accounts.ts';

interface MergePreviewFormProps {
  /** The account whose page is open. */
  readonly uid: string;
  readonly other: string;
  readonly isRunning: boolean;
  readonly setIsRunning: (isRunning: boolean) => void;
  readonly back: () => void;
  readonly close: () => void;
}

/** Shows what the merge of two accounts would do, lets the member choose which one remains, and merges them. */
export function MergePreviewForm(props: MergePreviewFormProps) {
  const { uid, other, isRunning, setIsRunning, back, close } = props;
  const { t } = useTranslation('accounts');
  const api = useApi();
  const scope = useAccountScope();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { refresh } = useAccountActions();
  const [into, setInto] = useState(uid);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>();
  const pair = { into, from: into === uid ? other : uid };
  const query = useQuery({
    queryKey: ['account', scope.project, scope.tenant ?? null, uid, 'merge', pair.into, pair.from],
    queryFn: ({ signal }) => previewMerge(api, scope, pair, signal),
    // The preview must be that of the accounts as they are.
    gcTime: 0,
  });
  const preview = loadableOf(query);
  const removed = preview.kind === 'ready' ? accountName(preview.data.from) : undefined;
  const mayMerge = preview.kind === 'ready' && preview.data.problem === null && typed === removed;
  async function merge(digest: string): Promise<void> {
    setIsRunning(true);
    setError(undefined);
    try {
      await mergeAccounts(api, scope, pair, digest);
      notify({ kind: 'done', text: t('merge.done') });
      close();
      if (isHere() && pair.into !== uid) await navigate(accountAddress(scope, pair.into));
      await refresh();
    } catch (cause) {
      if (isHere()) {
        setError(cause);
        await query.refetch();
      } else reportFailure(cause);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mayMerge) void merge(preview.data.digest);
      }}
    >
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Loaded of={preview}>
          {(data) => (
            <>
              <Remaining preview={data} uid={uid} into={into} choose={setInto} />
              <Parts title={t('merge.moved')} none={t('merge.movedNone')} parts={data.moved} />
              <Parts title={t('merge.lost')} none={t('merge.lostNone')} parts={data.lost} />
              <Warnings preview={data} />
              {data.problem === null ? (
                <TextField
                  autoComplete="off"
                  label={t('confirm.type', { ns: 'shell', text: showControls(accountName(data.from)) })}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  sx={{ marginBlockStart: 1 }}
                  slotProps={{ htmlInput: { dir: 'auto', spellCheck: false } }}
                />
              ) : (
                <Alert severity="error">{t(`merge.problem.${data.problem}`)}</Alert>
              )}
            </>
          )}
        </Loaded>
        {error !== undefined && <Failure error={error} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={back} disabled={isRunning} autoFocus>
          {t('merge.back')}
        </Button>
        <Button type="submit" variant="contained" color="error" disabled={!mayMerge} loading={isRunning}>
          {t('merge.run')}
        </Button>
      </DialogActions>
    </form>
  );
}

interface RemainingProps {
  readonly preview: MergePreview;
  readonly uid: string;
  readonly into: string;
  readonly choose: (uid: string) => void;
}

/** Lets the member choose which of the two accounts remains. The account of the page comes first. */
function Remaining({ preview: { into: kept, from }, uid, into, choose }: RemainingProps) {
  const { t } = useTranslation('accounts');
  const labelId = useId();
  const accounts: readonly Account[] = kept.localId === uid ? [kept, from] : [from, kept];
  return (
    <FormControl>
      <FormLabel id={labelId}>{t('merge.keep')}</FormLabel>
      <RadioGroup aria-labelledby={labelId} value={into} onChange={(_event, value) => choose(value)}>
        {accounts.map((account) => (
          <FormControlLabel
            key={account.localId}
            value={account.localId}
            control={<Radio />}
            label={
              <Box sx={{ overflowWrap: 'anywhere' }}>
                <UntrustedText text={accountName(account)} />{' '}
                {accountName(account) !== account.localId && <CodeText>{account.localId}</CodeText>}
              </Box>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

interface PartsProps {
  readonly title: string;
  readonly none: string;
  readonly parts: readonly MergedPart[];
}

function Parts({ title, none, parts }: PartsProps) {
  const { t } = useTranslation('accounts');
  return (
    <div>
      <Typography component="h3" variant="subtitle2">
        {title}
      </Typography>
      {parts.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {none}
        </Typography>
      ) : (
        <Box component="ul" sx={{ margin: 0, paddingInlineStart: 3 }}>
          {parts.map(({ kind, text }) => (
            <Typography key={`${kind} ${text}`} component="li" variant="body2">
              {t(`merge.part.${kind}`)}
              {text !== '' && (
                <>
                  {': '}
                  <UntrustedText text={text} />
                </>
              )}
            </Typography>
          ))}
        </Box>
      )}
    </div>
  );
}

/** Says what a merge does not move, and that nothing undoes it. */
function Warnings({ preview: { into, from, merged, endedSessions } }: { readonly preview: MergePreview }) {
  const { t } = useTranslation('accounts');
  return (
    <Alert severity="warning">
      {t('merge.unmoved', { uid: showControls(from.localId) })}
      {endedSessions > 0 && ` ${t('merge.sessions', { count: endedSessions })}`}
      {merged.disabled === true && into.disabled !== true && ` ${t('merge.disabled')}`}{' '}
      <strong>{t('merge.final')}</strong>
    </Alert>
  );
}
