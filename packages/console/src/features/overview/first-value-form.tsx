import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { NO_NODE, writeNode } from '../../server/data-nodes.ts';
import { useApi } from '../../session/session.ts';
import { isJson } from './is-json.ts';
import { TextLine } from './text-line.tsx';

interface FirstValueFormProps {
  readonly database: string;
}

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
        <TextLine label={t('first.path')} value={path} change={setPath} />
        <TextLine
          label={t('first.value')}
          value={value}
          change={setValue}
          problem={isWrong ? t('first.noJson') : undefined}
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
