import { MAX_CUSTOM_CLAIMS_LENGTH, RESERVED_CLAIMS } from '@hearth/core/api/custom-claims.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account } from '../../../api/accounts.ts';
import { UnsavedGuard } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAccountActions, useAccountRights, useExplainError } from '../use-accounts.ts';

/** The result of checking typed claims. */
export type ClaimsCheck =
  /** `text` is compact JSON to store; empty for no claims. */
  | { readonly kind: 'good'; readonly text: string }
  | { readonly kind: 'not-json'; readonly reason: string }
  | { readonly kind: 'not-object' }
  | { readonly kind: 'reserved'; readonly name: string }
  | { readonly kind: 'too-long'; readonly length: number };

export function checkClaims(typed: string): ClaimsCheck {
  if (typed.trim() === '') return { kind: 'good', text: '' };
  const parsed = parse(typed);
  if (parsed.kind === 'not-json') return parsed;
  const { json } = parsed;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { kind: 'not-object' };
  const reserved = Object.keys(json).find((name) => RESERVED_CLAIMS.includes(name));
  if (reserved !== undefined) return { kind: 'reserved', name: reserved };
  const text = compact(typed);
  if (text.length > MAX_CUSTOM_CLAIMS_LENGTH) return { kind: 'too-long', length: text.length };
  return { kind: 'good', text: text === '{}' ? '' : text };
}

function parse(
  text: string,
):
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'not-json'; readonly reason: string } {
  try {
    return { kind: 'json', json: parseJsonText(text) };
  } catch (error) {
    return { kind: 'not-json', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Removes whitespace between the tokens of a JSON text. Numbers keep every digit. */
function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/** Formats stored claims with one value per line and two spaces per level. Returns an empty text if there are no claims. */
export function formatClaims(text: string): string {
  if (text === '' || compact(text) === '{}') return '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return compact(text).replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (part) => {
    if (part === ':') return ': ';
    if (part === ',') return `,${line()}`;
    if (part === '{' || part === '[') {
      depth += 1;
      return part + line();
    }
    if (part === '}' || part === ']') {
      depth -= 1;
      return line() + part;
    }
    return part;
  });
}

/** Shows the custom claims of an account as JSON, and lets the member edit them. ID tokens contain these claims. */
export function ClaimsCard({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const { change, refresh } = useAccountActions();
  const explain = useExplainError();
  const stored = formatClaims(account.customAttributes ?? '');
  const [typed, setTyped] = useState<string>();
  const [progress, setProgress] = useState<{ readonly isSaving: boolean; readonly error?: unknown }>({
    isSaving: false,
  });
  const text = typed ?? stored;
  const check = checkClaims(text);
  const isDirty = typed !== undefined && typed !== stored;
  async function save(): Promise<void> {
    if (check.kind !== 'good') return;
    setProgress({ isSaving: true });
    try {
      await change(account.localId, { customAttributes: check.text });
      notify({ kind: 'done', text: t('saved') });
      await refresh();
      // Text typed while saving stays, as an unsaved change.
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
  const lengthText =
    length === undefined
      ? ''
      : t('claims.length', { count: length, number: print(length), most: print(MAX_CUSTOM_CLAIMS_LENGTH) });
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
        helperText={check.kind === 'good' ? lengthText : <Problem check={check} lengthText={lengthText} />}
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
  readonly lengthText: string;
}

function Problem({ check, lengthText }: ProblemProps) {
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
      return `${t('claims.tooLong')} ${lengthText}`;
    default:
      return check satisfies never;
  }
}
