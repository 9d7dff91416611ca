import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { type FormEvent, useRef, useState } from 'react';
import type { AuthEvent } from '../relay/auth-event.ts';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { PageCard } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import { cancelledEvent, eventOf, inventUser } from './development-user.ts';
import type { Messages } from './messages/messages.ts';
import type { HandlerPage } from './parameters.ts';

interface ChooseUserViewProps {
  readonly page: Extract<HandlerPage, { readonly kind: 'choose' }>;
  readonly messages: Messages;
  readonly onChoose: (event: AuthEvent) => void;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Replaces the provider in development mode: the user selects an earlier user of the provider, or creates one. */
export function ChooseUserView({ page, messages: { choose }, onChoose }: ChooseUserViewProps) {
  const { app, providerId, providerName, users } = page;
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const emailField = useRef<HTMLInputElement>(null);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const isValid = email === '' || EMAIL.test(email);
    setError(isValid ? '' : choose.invalidEmail);
    if (isValid) onChoose(eventOf(app, providerId, inventUser(email, name)));
    else emailField.current?.focus();
  }
  const field = { autoComplete: 'off', inputRef: null, error: '' };
  return (
    <PageCard drawing="lock" heading={choose.heading(providerName)} screen="choose">
      <Text>{choose.text(providerName)}</Text>
      {users.length > 0 && (
        <Users aria-label={choose.known}>
          {users.map((user) => (
            <li key={user.rawId}>
              <Button
                variant="outlined"
                fullWidth
                disableRipple
                onClick={() => onChoose(eventOf(app, providerId, user))}
              >
                <bdi>{[user.displayName, user.email].filter(Boolean).join(' · ') || user.rawId}</bdi>
              </Button>
            </li>
          ))}
        </Users>
      )}
      <Form onSubmit={submit} noValidate aria-label={choose.add}>
        <Field
          {...field}
          label={choose.email}
          type="email"
          value={email}
          onChange={setEmail}
          error={error}
          inputRef={emailField}
        />
        <Field {...field} label={choose.name} type="text" value={name} onChange={setName} />
        <ActionButton label={choose.add} />
      </Form>
      <ActionButton label={choose.cancel} variant="outlined" onPress={() => onChoose(cancelledEvent(app))} />
    </PageCard>
  );
}

const Users = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  display: 'grid',
  gap: theme.spacing(1),
}));
