import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { NO_NODE, writeNode } from '../../server/data-nodes.ts';
import { useApi } from '../../session/session.ts';
import { MONOSPACE } from '../../theme.ts';
import { isJson } from './is-json.ts';

interface FirstValueFormProps {
  readonly database: string;
}

const IN_CODE = { htmlInput: { dir: 'ltr', spellCheck: false, style: { fontFamily: MONOSPACE } } } as const;

/** Writes a value of the visitor's choice at a path of their choice. */
export function FirstValueForm({ database }: FirstValueFormProps) {
  const { t } = useTranslation('overview');
  const api = useApi();
  const [path, setPath] = useState('/messages/first');
  const [value, setValue] = useState(() => JSON.stringify({ text: t('first.sample') }));
  const isWrong = !isJson(value);
  const writing = useMutation({
    mutationFn: async () => {
      const written = await writeNode(api, database, path, { text: value, hash: NO_NODE });
      if (written.kind === 'stale') throw new Error(t('first.taken', { path }));
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) writing.mutate();
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start', paddingBlockStart: 1 }}>
        <TextField
          required
          label={t('first.path')}
          value={path}
          onChange={(event) => setPath(event.target.value)}
          slotProps={IN_CODE}
        />
        <TextField
          required
          label={t('first.value')}
          value={value}
          error={isWrong}
          helperText={isWrong ? t('first.noJson') : undefined}
          onChange={(event) => setValue(event.target.value)}
          slotProps={IN_CODE}
          sx={{ flex: '1 1 16rem' }}
        />
        <Button type="submit" variant="contained" disabled={isWrong} loading={writing.isPending}>
          {t('first.write')}
        </Button>
      </Box>
      {writing.error !== null && <Failure error={writing.error} />}
    </form>
  );
}
