import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { SxProps, Theme } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NO_NODE, writeNode } from '../../api/data-nodes.ts';
import { useApi } from '../../session/session.ts';
import { Failure } from '../../ui/states.tsx';

/** Returns whether a text is JSON that the server accepts. */
function isJson(text: string): boolean {
  try {
    parseJsonText(text);
    return true;
  } catch {
    return false;
  }
}

interface TextLineProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Why the value cannot be used. */
  readonly problem?: string | undefined;
  readonly sx?: SxProps<Theme>;
}

/** A field for a line of code. `TextField` of Material UI would include the code of menus, which is too large for this view. */
function TextLine({ label, value, change, problem, sx }: TextLineProps) {
  const id = useId();
  const isWrong = problem !== undefined;
  return (
    <FormControl
      required
      size="small"
      variant="outlined"
      error={isWrong}
      {...(sx === undefined ? {} : { sx })}
    >
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        id={id}
        label={label}
        value={value}
        onChange={({ target }) => change(target.value)}
        inputProps={{
          dir: 'ltr',
          spellCheck: false,
          style: { fontFamily: MONOSPACE },
          'aria-describedby': isWrong ? `${id}-problem` : undefined,
        }}
      />
      {isWrong && <FormHelperText id={`${id}-problem`}>{problem}</FormHelperText>}
    </FormControl>
  );
}

interface FirstValueFormProps {
  readonly database: string;
}

/** A form that writes a value at a path. */
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
