import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { SectionCard } from '../../elements/section-card.tsx';
import { UnsavedGuard } from '../../elements/unsaved-guard.tsx';
import { tell } from '../../notices/notices.ts';
import type { Account } from '../../server/accounts.ts';
import { MONOSPACE } from '../../theme.ts';
import { type ClaimsCheck, checkClaims, layOutClaims, MAX_CLAIMS_LENGTH } from './check-claims.ts';
import { useAccountRights } from './use-account-rights.ts';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

/** What the app says in every token of an account, to be changed as JSON. */
export function ClaimsCard({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const { change, refresh } = useAccountActions();
  const explain = useExplained();
  const present = layOutClaims(account.customAttributes ?? '');
  const [typed, setTyped] = useState<string>();
  const [progress, setProgress] = useState<{ readonly isSaving: boolean; readonly error?: unknown }>({
    isSaving: false,
  });
  const text = typed ?? present;
  const check = checkClaims(text);
  const isDirty = typed !== undefined && typed !== present;
  async function save(): Promise<void> {
    if (check.kind !== 'good') return;
    setProgress({ isSaving: true });
    try {
      await change(account.localId, { customAttributes: check.text });
      tell({ kind: 'done', text: t('saved') });
      await refresh();
      // What was typed meanwhile is a change of its own.
      setTyped((now) => (now === typed ? undefined : now));
      setProgress({ isSaving: false });
    } catch (error) {
      setProgress({ isSaving: false, error: explain(error) });
      await refresh();
    }
  }
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  const length =
    check.kind === 'good' ? check.text.length : check.kind === 'too-long' ? check.length : undefined;
  const room =
    length === undefined
      ? ''
      : t('claims.length', { count: length, number: print(length), most: print(MAX_CLAIMS_LENGTH) });
  return (
    <SectionCard title={t('claims.title')} about={t('claims.about')}>
      <UnsavedGuard isDirty={isDirty} />
      <TextField
        multiline
        fullWidth
        minRows={3}
        maxRows={16}
        label={t('claims.label')}
        placeholder={'{"role": "editor"}'}
        value={text}
        error={check.kind !== 'good'}
        helperText={check.kind === 'good' ? room : <Problem check={check} room={room} />}
        onChange={(event) => setTyped(event.target.value)}
        slotProps={{
          input: { readOnly: !mayChange, sx: { fontFamily: MONOSPACE, fontSize: '0.875rem' } },
          htmlInput: { dir: 'ltr', spellCheck: false },
          formHelperText: { role: 'status' },
        }}
      />
      {progress.error !== undefined && <Failure error={progress.error} />}
      {mayChange && (
        <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
          <Button disabled={!isDirty || progress.isSaving} onClick={() => setTyped(undefined)}>
            {t('reset')}
          </Button>
          <Button
            variant="contained"
            disabled={!isDirty || check.kind !== 'good'}
            loading={progress.isSaving}
            onClick={() => void save()}
          >
            {t('save')}
          </Button>
        </Box>
      )}
    </SectionCard>
  );
}

interface ProblemProps {
  readonly check: Exclude<ClaimsCheck, { readonly kind: 'good' }>;
  readonly room: string;
}

function Problem({ check, room }: ProblemProps) {
  const { t } = useTranslation('accounts');
  switch (check.kind) {
    case 'not-json':
      return (
        <>
          {t('claims.notJson')} <bdi dir="ltr">{check.reason}</bdi>
        </>
      );
    case 'not-object':
      return t('claims.notObject');
    case 'reserved':
      return t('claims.reserved', { name: check.name });
    case 'too-long':
      return `${t('claims.tooLong')} ${room}`;
    default:
      return check satisfies never;
  }
}
