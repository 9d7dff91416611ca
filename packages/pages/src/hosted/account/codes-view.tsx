import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { ActionButton } from '../../shell/form.tsx';
import { MONOSPACE } from '../../shell/monospace.ts';
import { Text } from '../../shell/text.tsx';
import { createRecoveryCodes } from './calls.ts';
import { type AccountViewProps, Submit } from './views.tsx';

/** Creates recovery codes and shows them once. */
export function CodesView({ server, state, texts }: AccountViewProps) {
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const { text, submit, copy, done } = texts.own.codes;
  if (codes === undefined)
    return (
      <>
        <Text>{text}</Text>
        <Submit
          state={state}
          texts={texts}
          label={submit}
          onPress={() => void state.ask((user) => createRecoveryCodes(server, user)).then(setCodes)}
        />
      </>
    );
  return (
    <>
      <Text>{copy}</Text>
      <List>
        {codes.map((code) => (
          <li key={code}>
            <bdi dir="ltr">{code}</bdi>
          </li>
        ))}
      </List>
      <ActionButton label={done} onPress={() => state.finish('saved')} />
    </>
  );
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5, 2),
  listStyle: 'none',
  display: 'grid',
  gap: theme.spacing(0.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.palette.background.default,
  fontFamily: MONOSPACE,
  fontSize: '0.875rem',
}));
